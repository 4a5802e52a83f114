// The jobs of sources: one that enqueues the runs that are due, the run of a source, and the hourly upkeep.
import * as z from 'zod'
import { defineJob, defineMaintenance } from '../../platform/queue/contract.ts'

export const discoverySchedule = defineMaintenance('discovery-schedule', { cadence: 'minutes', expireInSeconds: 60 })

/** Idempotent: what is listed already stays as it is. */
export const discovery = defineJob('discovery', z.object({ source: z.string() }), {
  // The singleton key is the source: one run at a time, and at most one that waits.
  policy: 'stately',
  expireInSeconds: 1800,
  // The next run is the retry.
  retryLimit: 0,
  deleteAfterSeconds: 86_400,
})

export const discoveryUpkeep = defineMaintenance('discovery-upkeep', { cadence: 'hours', expireInSeconds: 600 })

export const jobs = { discovery, discoverySchedule, discoveryUpkeep }
