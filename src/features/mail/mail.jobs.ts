// The job that sends one mail. Contains only the recipient and the kind: jobs are not encrypted, so secrets are derived
// when the mail is written, and an address that no account has now is encrypted.
import * as z from 'zod'
import { defineJob } from '../../platform/queue/contract.ts'

const userId = z.uuid()

/** The access that a password reset removed from an account. */
export const RevokedAccess = z.object({
  /** Whether the reset was the first verification of the address; else the user requested the removal. */
  isFirstProof: z.boolean(),
  sessions: z.int(),
  identities: z.array(z.enum(['chat', 'gameplatform'])),
  apiKeys: z.int(),
  chatWebhook: z.boolean(),
  subscriptions: z.int(),
  /** Jobs of the previous release lack it. */
  pushBrowsers: z.int().default(0),
  secondFactor: z.boolean().default(false),
  voteKeys: z.int().default(0),
  invitations: z.int().default(0),
  members: z.int().default(0),
})
export type RevokedAccess = z.output<typeof RevokedAccess>

export const SecondFactorEvent = z.enum([
  'passkey-added',
  'passkey-removed',
  'passkey-copied',
  'codes-added',
  'codes-removed',
  'codes-guessed',
  'recovery-code-used',
  'recovery-codes-replaced',
  'reset',
])
export type SecondFactorEvent = z.output<typeof SecondFactorEvent>

/** What lets others into an account, or no longer does. */
export const AccessEvent = z.enum([
  'chat-linked',
  'chat-unlinked',
  'gameplatform-linked',
  'gameplatform-unlinked',
  'api-key-created',
])
export type AccessEvent = z.output<typeof AccessEvent>

/** Each kind is one text, which its feature writes. */
export const MailRequest = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('verify-email'), userId }),
  z.object({ kind: z.literal('reset-password'), userId }),
  /**
   * `withdrawn`: how many invitations and hand-overs, if no other access was dropped; jobs of the
   * previous release lack it.
   */
  z.object({
    kind: z.literal('password-changed'),
    userId,
    dropped: RevokedAccess.optional(),
    withdrawn: z.int().optional(),
  }),
  /** `recoveryCodesLeft`: with `recovery-code-used`. */
  z.object({
    kind: z.literal('second-factor'),
    userId,
    event: SecondFactorEvent,
    recoveryCodesLeft: z.int().optional(),
  }),
  z.object({ kind: z.literal('account-access'), userId, event: AccessEvent }),
  /** `to`: the address, encrypted, since the account is gone when the mail is written. */
  z.object({ kind: z.literal('account-deleted'), to: z.string() }),
  z.object({ kind: z.literal('listing-taken-over'), userId, serverId: z.uuid() }),
  z.object({ kind: z.literal('takeover-warning'), userId, serverId: z.uuid(), claimId: z.uuid() }),
  z.object({
    kind: z.literal('webhook-disabled'),
    userId,
    serverId: z.uuid(),
    /** Jobs of the previous release lack it: the endpoint has the server's id (migration 0018). */
    endpointId: z.uuid().optional(),
  }),
  z.object({ kind: z.literal('server-invitation'), invitationId: z.uuid() }),
  z.object({ kind: z.literal('server-handed-over'), userId, serverId: z.uuid() }),
  z.object({
    kind: z.literal('duplicate-subscription'),
    userId,
    subscriptionId: z.string(),
    /** Jobs of the previous release lack it. */
    isDisputed: z.boolean().default(false),
    isUnpaid: z.boolean().default(false),
  }),
  z.object({ kind: z.literal('notification-digest'), userId }),
  z.object({ kind: z.literal('vote-reminder'), reminderId: z.uuid() }),
  z.object({ kind: z.literal('contact-message'), contactId: z.uuid() }),
])
export type MailRequest = z.output<typeof MailRequest>

/** A mail as a feature writes it. */
export interface Mail {
  /** One address; several only for the directory's administrators, who see each other's. */
  to: string | readonly string[]
  /** Recipient of replies, if it is not the sender. */
  replyTo?: { name: string; address: string }
  subject: string
  /**
   * Paragraphs, separated by an empty line; a list has lines that begin with `  - `. The HTML of the mail is made from
   * it. Links to this service only: other addresses stay text, since names are other users' input.
   */
  text: string
  /** Differs between attempts whose texts differ: receivers drop a mail with the Message-ID of one that they have. */
  edition?: string
  /** Where the recipient ends mails of this kind with one click (RFC 8058). */
  unsubscribeUrl?: string
  /** Called once the mail server has accepted the mail. */
  sent?: () => Promise<void>
}

export const mail = defineJob('mail', MailRequest, {
  expireInSeconds: 120,
  // Waits of 30 s, 1 min, 2 min …, about four hours in total: longer than most outages of mail servers.
  retryLimit: 9,
  retryDelay: 30,
  retryBackoff: true,
  // Mails that could not be sent, for operators to examine; without address and text.
  deadLetter: 'mail-dead',
  retentionSeconds: 86_400,
  deleteAfterSeconds: 7 * 86_400,
})

export const jobs = { mail }
