// The contact form, and the list of its messages for moderators and administrators.
import { v7 as uuidv7 } from 'uuid'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../platform/http/errors.ts'
import { operation } from '../../platform/http/operation.ts'
import { SUCCESS, Success } from '../../platform/http/success.ts'
import { recordAction } from '../audit/index.ts'
import { mail } from '../mail/index.ts'
import { ContactForm, ContactMessages, ContactReply, MessageParams, MessagesQuery } from './contact.schema.ts'
import { contactRecipients } from './contact.service.ts'
import { deleteMessage, findMessages, insertMessage } from './contact.store.ts'

const MESSAGES_AN_HOUR = 5
const moderation = { tag: 'Administration', access: 'moderator' } as const

export const contactOperations = ({ jobs, settings }: Pick<Deps, 'jobs' | 'settings'>) => [
  operation({
    method: 'post',
    path: '/contact',
    operationId: 'contact',
    tag: 'Contact',
    summary: 'Send a message to the people who run the directory',
    description: `${MESSAGES_AN_HOUR} messages per hour and client address.`,
    body: ContactForm,
    returns: ContactReply,
    errors: [403],
    limit: { name: 'contact', limit: MESSAGES_AN_HOUR, windowSeconds: 3600, per: 'client' },
    async handle({ tx, body: { website, ...form }, clientKey }) {
      const isSuspect = website !== undefined && website !== null && website !== ''
      const id = uuidv7()
      await insertMessage(tx, { ...form, id, visitor: clientKey, isSuspect })
      if (!isSuspect && contactRecipients(settings).length)
        await jobs.enqueue(tx, mail, [{ kind: 'contact-message', contactId: id }])
      return { success: true as const, message: 'Your message has been received. The reply comes by mail.' }
    },
  }),
  operation({
    ...moderation,
    method: 'get',
    path: '/admin/contact',
    operationId: 'listContactMessages',
    summary: 'List messages from the contact form; newest first',
    description: 'Kept for a year; messages with the hidden field filled in for 30 days.',
    query: MessagesQuery,
    returns: ContactMessages,
    handle: ({ db, query }) => findMessages(db, query),
  }),
  operation({
    ...moderation,
    method: 'delete',
    path: '/admin/contact/{id}',
    operationId: 'deleteContactMessage',
    summary: 'Delete a message from the contact form',
    params: MessageParams,
    returns: Success,
    async handle({ tx, actor, params: { id } }) {
      if (!(await deleteMessage(tx, id))) throw notFound('There is no such message.')
      await recordAction(tx, {
        actorId: actor.userId,
        action: 'contact.delete',
        targetType: 'contact-message',
        targetId: id,
      })
      return SUCCESS
    },
  }),
]
