// Requests and responses of reminders.
import * as z from 'zod'
import { idParam } from '../../platform/http/operation.ts'
import { Timestamp } from '../../platform/http/timestamp.ts'
import { text } from '../../platform/text.ts'
import { MessageLanguage, PushSubscription } from '../push/index.ts'
import { VisitorId } from '../votes/index.ts'

export const NO_SUCH_REMINDER = 'There is no such reminder.'

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

export const RunningReminder = Reminder.extend({
  channel: z.enum(['push', 'email']).describe('Where the visitor is reminded'),
  remindAt: Timestamp.describe('When the next reminder is due; none is sent to a visitor who votes before'),
}).meta({ id: 'RunningVoteReminder' })

export const ReminderParams = z.object({ id: idParam('Of the reminder', NO_SUCH_REMINDER) })
export const ReminderQuery = z.object({ id: text().describe('Of the reminder; an unknown one is a success too') })
