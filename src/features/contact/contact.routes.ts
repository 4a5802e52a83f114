// The endpoints of the contact form and of its messages.
import { type Route, route } from '../../platform/http/route.ts'
import { DONE, Success } from '../../platform/http/success.ts'
import { ContactForm, ContactMessages, ContactReply, MessageParams, MessagesQuery } from './contact.schema.ts'
import { type ContactService, MESSAGES_AN_HOUR } from './contact.service.ts'

const administration = { tag: 'Administration', access: 'admin' } as const

export function contactRoutes(contact: ContactService): Route[] {
  return [
    route({
      method: 'post',
      path: '/contact',
      operationId: 'contact',
      tag: 'Contact',
      summary: 'Writes to those who run the directory',
      description: `${MESSAGES_AN_HOUR} messages an hour from one address.`,
      body: ContactForm,
      returns: ContactReply,
      errors: [403],
      async handle({ body, visitor }) {
        await contact.take(body, visitor)
        return { success: true as const, message: 'Your message has arrived. The answer comes by mail.' }
      },
    }),
    route({
      ...administration,
      method: 'get',
      path: '/admin/contact',
      operationId: 'listContactMessages',
      summary: 'Messages from the contact form; newest first',
      description: 'Kept for a year; those with the hidden field filled in for 30 days.',
      query: MessagesQuery,
      returns: ContactMessages,
      handle: ({ query }) => contact.list(query),
    }),
    route({
      ...administration,
      method: 'delete',
      path: '/admin/contact/{id}',
      operationId: 'deleteContactMessage',
      summary: 'Deletes a message from the contact form',
      params: MessageParams,
      returns: Success,
      errors: [404],
      async handle({ actor, params }) {
        await contact.remove(actor.userId, params.id)
        return DONE
      },
    }),
  ]
}
