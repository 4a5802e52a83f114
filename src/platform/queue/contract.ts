// A job's contract: its queue's name, its payload's schema and the queue's options, without the handler.
import type { Queue } from 'pg-boss'
import * as z from 'zod'

export interface JobContract<Payload extends object = object> {
  queue: string
  payload: z.ZodType<Payload>
  options: Omit<Queue, 'name'>
  /** Whether the job keeps what its handler returns, for the request that waits for it. */
  keepsResult?: true
}

/**
 * Declares a job in a feature's `<feature>.jobs.ts`. Delivery is at least once, so handlers must be idempotent. Unless
 * the contract says otherwise, workers are notified of new jobs and send heartbeats: without one, a job of a killed
 * worker waits until it expires.
 */
export function defineJob<Payload extends object>(
  queue: string,
  payload: z.ZodType<Payload>,
  options: Omit<Queue, 'name'>,
): JobContract<Payload> {
  return { queue, payload, options: { notify: true, heartbeatSeconds: 30, ...options } }
}

/**
 * Options of a job whose request waits for it. The request has been answered by the time that the job could be retried.
 */
export const AWAITED_JOB = { expireInSeconds: 60, retryLimit: 0, retentionSeconds: 60, deleteAfterSeconds: 60 }

/**
 * How long a scheduled run waits to be started. Without a handler, as on a restored copy until it is adopted, runs
 * would pile up, and one at a time would take hours.
 */
const MAX_WAIT_SECONDS = { minutes: 300, hours: 86_400 }

/**
 * Declares a scheduled job without payload, of which one runs at a time. It is retried twice. Finished jobs are kept
 * for as long as an operator may look for them.
 * @param options.cadence `minutes`: retried after 5 s and kept for an hour. `hours`, also for daily jobs: after
 * a minute, for a week
 */
export const defineScheduledJob = (
  queue: string,
  { cadence, expireInSeconds }: { cadence: 'minutes' | 'hours'; expireInSeconds: number },
): JobContract => ({
  queue,
  payload: z.object({}),
  options: {
    policy: 'singleton',
    notify: true,
    heartbeatSeconds: 30,
    expireInSeconds,
    retryLimit: 2,
    retentionSeconds: MAX_WAIT_SECONDS[cadence],
    ...(cadence === 'minutes'
      ? { retryDelay: 5, deleteAfterSeconds: 3600 }
      : { retryDelay: 60, deleteAfterSeconds: 7 * 86_400 }),
  },
})
