// The contact form, and the messages as administrators see them (api-decisions.md "Admin and operators").
import * as z from 'zod'
import { Pagination, pageQuery } from '../../platform/http/paging.ts'
import { line, paragraphs } from '../../platform/text.ts'
import { email } from '../accounts/index.ts'

export const ContactForm = z.object({
  name: line(1, 100),
  email: email.describe('Where the answer goes'),
  subject: line(0, 150).default(''),
  message: paragraphs(1, 5_000).describe('At most 5000 characters'),
  website: z.unknown().optional().describe('Leave it empty: a field that people are not shown, and programs fill in'),
})
export type ContactForm = z.output<typeof ContactForm>

export const ContactReply = z.object({ success: z.literal(true), message: z.string() })

const truth = z
  .enum(['true', 'false'], 'must be true or false')
  .transform((value) => value === 'true')
  .optional()

export const MessagesQuery = z.object({
  ...pageQuery({ limit: 20, maxLimit: 100 }),
  suspect: truth.describe('Whether the hidden field was filled in; left out: all'),
})
export type MessagesQuery = z.output<typeof MessagesQuery>

export const ContactMessage = z
  .object({
    id: z.uuid(),
    name: z.string(),
    email: z.string(),
    subject: z.string(),
    message: z.string(),
    visitor: z.string().describe('Keyed hash of the network address it came from: the same for the same sender'),
    isSuspect: z.boolean().describe('The hidden field was filled in; such a message is not mailed'),
    createdAt: z.iso.datetime({ precision: 3 }),
  })
  .meta({ id: 'ContactMessage' })

export const ContactMessages = z.object({ messages: z.array(ContactMessage), pagination: Pagination })
export const MessageParams = z.object({ id: z.string().describe('Message id') })
