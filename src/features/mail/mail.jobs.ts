// The job that sends one mail. It names who gets it and why: jobs are stored in clear, so what is secret is made when it is written.
import * as z from 'zod'
import { defineJob } from '../../platform/queue/contract.ts'

const userId = z.uuid()

/** What a password reset took away from an account. */
export const DroppedAccess = z.object({
  /** Whether the reset was the first proof of the address; else it was asked for. */
  isFirstProof: z.boolean(),
  sessions: z.int(),
  identities: z.array(z.enum(['chat', 'gameplatform'])),
  apiKeys: z.int(),
  chatWebhook: z.boolean(),
  subscriptions: z.int(),
})
export type DroppedAccess = z.output<typeof DroppedAccess>

/** One kind a text; the room it is about writes it. */
export const MailOrder = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('verify-email'), userId }),
  z.object({ kind: z.literal('reset-password'), userId }),
  z.object({ kind: z.literal('password-changed'), userId, dropped: DroppedAccess.optional() }),
  z.object({ kind: z.literal('listing-taken-over'), userId, serverId: z.uuid() }),
  z.object({ kind: z.literal('takeover-warning'), userId, serverId: z.uuid(), claimId: z.uuid() }),
  z.object({ kind: z.literal('webhook-disabled'), userId, serverId: z.uuid() }),
  z.object({ kind: z.literal('duplicate-subscription'), userId, subscriptionId: z.string() }),
  z.object({ kind: z.literal('notification-digest'), userId }),
  z.object({ kind: z.literal('contact-message'), contactId: z.uuid() }),
])
export type MailOrder = z.output<typeof MailOrder>

/** A mail as a room writes it. */
export interface Mail {
  /** One mailbox; several only for those who run the directory, who see each other's. */
  to: string | readonly string[]
  /** Who an answer goes to, when it is not the sender. */
  replyTo?: { name: string; address: string }
  subject: string
  text: string
  /** Called once the mail server has taken it: what the room has to remember of that. */
  sent?: () => Promise<void>
}

export const mail = defineJob('mail', MailOrder, {
  notify: true,
  expireInSeconds: 120,
  // Waits of 30 s, 1 min, 2 min … : together about four hours, in which most mail servers come back.
  retryLimit: 9,
  retryDelay: 30,
  retryBackoff: true,
  // Whatever could not be sent, for the operator to look at; again no address and no text.
  deadLetter: 'mail-dead',
  retentionSeconds: 86_400,
  deleteAfterSeconds: 7 * 86_400,
})
