// The cause of the running work: a request's id and span, stored with the jobs that it enqueues.
import { AsyncLocalStorage } from 'node:async_hooks'

export interface Cause {
  /** `X-Request-Id` of the request. */
  requestId?: string
  /** W3C trace context of the span that causes what is running; only while traces are on. */
  traceparent?: string
}

const running = new AsyncLocalStorage<Cause>()

export const currentCause = (): Cause => running.getStore() ?? {}

/** Runs `work`, and what it awaits, for a cause. */
export const withCause = <T>(cause: Cause, work: () => T): T => running.run(cause, work)
