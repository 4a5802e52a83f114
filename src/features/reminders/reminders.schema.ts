// Requests and responses of reminders.
import * as z from 'zod'
import { Timestamp } from '../../platform/http/timestamp.ts'
import { text } from '../../platform/text.ts'
import { MessageLanguage, PushSubscription } from '../push/index.ts'
import { VisitorId } from '../votes/index.ts'

export const MailReminderRequest = z.object({
  visitorId: VisitorId,
  language: MessageLanguage.describe('Of the reminders'),
})
export const PushReminderRequest = MailReminderRequest.extend({ push: PushSubscription })

export const Reminder = z
  .object({
    id: z.uuid().describe('Ends the reminders; only the visitor knows it'),
    remindAt: Timestamp.describe('When the visitor may vote again'),
  })
  .meta({ id: 'VoteReminder' })

export const ReminderQuery = z.object({ id: text().describe('Of the reminder; an unknown one is a success too') })
