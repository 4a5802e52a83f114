// Which wake job's span an attempt belongs to: a job wakes an endpoint, whose deliveries may come
// from several requests.
import { LRUCache } from 'lru-cache'

/** More jobs than wait for a lease at a time. An attempt whose job is no longer known belongs to the request's span. */
const MAX_JOBS = 1_000

export type WakeSpans = ReturnType<typeof createWakeSpans>

export function createWakeSpans() {
  const jobs = new LRUCache<string, string>({ max: MAX_JOBS })
  const keyOf = (endpointId: string, traceparent: string) => `${endpointId} ${traceparent.split('-')[1]}`
  return {
    /** @param traceparent of the job's span; undefined while traces are off */
    note(endpointId: string, traceparent: string | undefined): void {
      if (traceparent) jobs.set(keyOf(endpointId, traceparent), traceparent)
    },
    /**
     * @param traceparent of the span that caused the delivery.
     * @returns that of the job of the same trace, if there is one
     */
    parentOf: (endpointId: string, traceparent: string | null): string | null =>
      traceparent && (jobs.get(keyOf(endpointId, traceparent)) ?? traceparent),
  }
}
