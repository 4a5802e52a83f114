// Requests and responses of reminders.
import * as z from 'zod'
import { Timestamp } from '../../platform/http/timestamp.ts'
import { TargetUrl } from '../../platform/target-url.ts'
import { text } from '../../platform/text.ts'
import { VisitorId } from '../votes/index.ts'

export const PushKey = z
  .object({
    publicKey: z.string().describe('VAPID key (RFC 8292), base64url: `applicationServerKey` of a subscription'),
  })
  .meta({ id: 'PushKey' })

/** As `PushSubscription.toJSON()` of a browser returns it. */
export const PushSubscription = z
  .object({
    endpoint: TargetUrl.describe('Of a push service that browsers use'),
    expirationTime: z.number().nullable().optional().describe('Ignored'),
    keys: z.object({
      p256dh: text().regex(/^[\w-]{87}=?$/, 'must be 65 bytes in base64url'),
      auth: text().regex(/^[\w-]{22}(==)?$/, 'must be 16 bytes in base64url'),
    }),
  })
  .meta({ id: 'PushSubscription' })
export type PushSubscription = z.output<typeof PushSubscription>

export const MailReminderRequest = z.object({
  visitorId: VisitorId,
  language: z.enum(['en', 'de'], 'must be en or de').default('en').describe('Of the reminders'),
})
export const PushReminderRequest = MailReminderRequest.extend({ push: PushSubscription })

export const Reminder = z
  .object({
    id: z.uuid().describe('Ends the reminders; only the visitor knows it'),
    remindAt: Timestamp.describe('When the visitor may vote again'),
  })
  .meta({ id: 'VoteReminder' })

export const ReminderQuery = z.object({ id: text().describe('Of the reminder; an unknown one is a success too') })
