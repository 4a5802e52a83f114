// Jobs of alerts: report those that fired, send one to a browser, and what runs by a schedule.
import * as z from 'zod'
import { defineJob, defineScheduledJob } from '../../platform/queue/contract.ts'

/** Alerts of one server that fired together, enqueued in the transaction in which they fired. */
export const alertFired = defineJob(
  'alert-fired',
  z.object({
    serverId: z.uuid(),
    at: z.iso.datetime({ precision: 3 }),
    alertIds: z.array(z.uuid()),
    /** People at that time. */
    players: z.int().optional(),
  }),
  {
    expireInSeconds: 60,
    // 5 s, 10 s, 20 s …: about twenty minutes, after which a number of people is no news.
    retryLimit: 8,
    retryDelay: 5,
    retryBackoff: true,
    retentionSeconds: 7200,
    deleteAfterSeconds: 3600,
  },
)

/** Sends an alert to one browser. */
export const alertPush = defineJob(
  'alert-push',
  z.object({
    alertId: z.uuid(),
    browserId: z.uuid(),
    at: z.iso.datetime({ precision: 3 }),
    players: z.int().optional(),
  }),
  {
    expireInSeconds: 60,
    // Waits of 15 s, 30 s, 1 min …, about half an hour in total.
    retryLimit: 7,
    retryDelay: 15,
    retryBackoff: true,
    retentionSeconds: 7200,
    deleteAfterSeconds: 3600,
  },
)

/** Each minute: alerts of wipes that are near. */
export const alertsWipes = defineScheduledJob('alerts-wipes', { cadence: 'minutes', expireInSeconds: 60 })

/** Daily: encrypts subscriptions of browsers with the current APP_SECRET. */
export const alertsUpkeep = defineScheduledJob('alerts-upkeep', { cadence: 'hours', expireInSeconds: 600 })

export const jobs = { alertFired, alertPush, alertsWipes, alertsUpkeep }
