// Reminders to vote again: by push to a browser, or by mail to an account (docs/decisions/0065).

export { personalData } from './personal-data.ts'
export { remindersOperations } from './reminders.operations.ts'
export {
  runReminder,
  runRemindersUpkeep,
  writeReminderMail,
  writeReminderPush,
} from './reminders.service.ts'
