// Jobs of reminders.
import * as z from 'zod'
import { defineJob, defineScheduledJob } from '../../platform/queue/contract.ts'

/**
 * Runs at the end of the cooldown: decides whether to remind the voter, and enqueues the next job. Ignores a job
 * whose `dueAt` is no longer the reminder's.
 */
export const voteReminder = defineJob(
  'vote-reminder',
  z.object({ reminderId: z.uuid(), dueAt: z.iso.datetime({ precision: 3 }) }),
  {
    expireInSeconds: 60,
    retryLimit: 5,
    retryDelay: 30,
    retryBackoff: true,
    // Counted from the job's start time.
    retentionSeconds: 86_400,
    deleteAfterSeconds: 3600,
  },
)

/** Sends one reminder to a browser. */
export const reminderPush = defineJob('reminder-push', z.object({ reminderId: z.uuid() }), {
  expireInSeconds: 60,
  // Waits of 30 s, 1 min, 2 min …, about an hour in total: later the reminder is of no use.
  retryLimit: 7,
  retryDelay: 30,
  retryBackoff: true,
  retentionSeconds: 7200,
  deleteAfterSeconds: 3600,
})

/** Daily: deletes reminders whose job was lost, and encrypts with the current APP_SECRET. */
export const remindersUpkeep = defineScheduledJob('reminders-upkeep', { cadence: 'hours', expireInSeconds: 600 })

export const jobs = { voteReminder, reminderPush, remindersUpkeep }
