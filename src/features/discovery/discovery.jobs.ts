// The jobs of sources: one that enqueues the runs that are due, the run of a source, the query of an announced server,
// and the hourly upkeep.
import * as z from 'zod'
import { defineJob, defineScheduledJob } from '../../platform/queue/contract.ts'

export const discoverySchedule = defineScheduledJob('discovery-schedule', { cadence: 'minutes', expireInSeconds: 60 })

/** Idempotent: what is listed already stays as it is. */
export const discovery = defineJob('discovery', z.object({ source: z.string() }), {
  // The singleton key is the source: one run at a time, and at most one that waits.
  policy: 'stately',
  expireInSeconds: 1800,
  // The next run is the retry.
  retryLimit: 0,
  deleteAfterSeconds: 86_400,
})

/**
 * Idempotent: queries a server that announced itself, and lists it if it answers. The next announcement is the retry.
 */
export const announcement = defineJob('announcement', z.object({ address: z.string(), queryPort: z.int() }), {
  // The singleton key is the address and query port: at most one query of a server waits.
  policy: 'stately',
  expireInSeconds: 120,
  retryLimit: 0,
  deleteAfterSeconds: 3600,
})

export const discoveryUpkeep = defineScheduledJob('discovery-upkeep', { cadence: 'hours', expireInSeconds: 600 })

export const jobs = { announcement, discovery, discoverySchedule, discoveryUpkeep }
