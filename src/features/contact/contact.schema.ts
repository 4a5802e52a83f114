// The contact form, and its messages as moderators and administrators see them.
import * as z from 'zod'
import { idParam } from '../../platform/http/operation.ts'
import { pageOf, pageQuery } from '../../platform/http/paging.ts'
import { flag } from '../../platform/http/query.ts'
import { Timestamp } from '../../platform/http/timestamp.ts'
import { line, paragraphs } from '../../platform/text.ts'
import { email } from '../accounts/index.ts'

export const ContactForm = z.object({
  name: line(1, 100),
  email: email.describe('Address for the reply'),
  subject: line(0, 150).default(''),
  message: paragraphs(1, 5_000).describe('At most 5000 characters'),
  website: z.unknown().optional().describe('Leave it empty: a hidden field that only bots fill in'),
})

export const ContactReply = z.object({ success: z.boolean(), message: z.string() })

export const MessagesQuery = z.object({
  ...pageQuery({ limit: 20, maxLimit: 100 }),
  suspect: flag.optional().describe('Only messages with (true) or without (false) the hidden field filled in'),
})

export const ContactMessage = z
  .object({
    id: z.uuid(),
    name: z.string(),
    email: z.string(),
    subject: z.string(),
    message: z.string(),
    visitor: z.string().describe('Keyed hash of the sender’s address; the same for messages from the same address'),
    isSuspect: z.boolean().describe('Whether the hidden field was filled in; such a message is not mailed'),
    createdAt: Timestamp,
  })
  .meta({ id: 'ContactMessage' })

export const ContactMessages = pageOf('messages', ContactMessage)
export const MessageParams = z.object({ id: idParam('Message id', 'There is no such message.') })
