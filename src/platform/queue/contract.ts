// A job's contract: its queue's name, the shape of its payload and the queue's options. Never its handler.
import type { Queue } from 'pg-boss'
import type * as z from 'zod'

export interface JobContract<Payload extends object = object> {
  queue: string
  payload: z.ZodType<Payload>
  options: Omit<Queue, 'name'>
}

/**
 * Declares a job in a feature's `<feature>.jobs.ts`.
 * Delivery is at least once, so the handler must be idempotent. The heartbeat is on unless the contract says otherwise:
 * without one, a job of a killed worker waits for its expiry.
 */
export function defineJob<Payload extends object>(
  queue: string,
  payload: z.ZodType<Payload>,
  options: Omit<Queue, 'name'>,
): JobContract<Payload> {
  return { queue, payload, options: { heartbeatSeconds: 30, ...options } }
}
