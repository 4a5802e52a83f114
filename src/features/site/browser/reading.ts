// Reads a live page's data again and again, one read at a time, while the page is visible.
import { ApiError } from './api.ts'

const TICK_MS = 1_000
const HOUR_MS = 3_600_000
/** The time between reads by default: all visitors of an IP address share 1,000 requests an hour. */
const CALM_MS = 15_000
/** Maximum urgent reads in an hour, if something changes all the time; further reads are `calmMs` apart. */
const MAX_URGENT_PER_HOUR = 100

interface Pace {
  calmMs?: number
  /** The time between reads while something is about to change; undefined: nothing is about to. */
  urgentMs?(): number | undefined
}

/** @param read if it rejects, the next read is when one is due, but not before a `Retry-After` is over */
export function readAgain(read: () => Promise<unknown>, { calmMs = CALM_MS, urgentMs }: Pace = {}): void {
  const startedAt = performance.now()
  let readAt = startedAt
  let notBefore = startedAt
  let isReading = false
  let hour = 0
  let urgentReads = 0

  async function readOnce(): Promise<void> {
    isReading = true
    try {
      await read()
    } catch (error) {
      if (error instanceof ApiError) notBefore = performance.now() + error.retryAfterMs
    }
    readAt = performance.now()
    isReading = false
  }

  setInterval(() => {
    const now = performance.now()
    if (document.hidden || isReading || now < notBefore) return
    const currentHour = Math.floor((now - startedAt) / HOUR_MS)
    if (currentHour > hour) [hour, urgentReads] = [currentHour, 0]
    const isCalm = now - readAt >= calmMs
    const urgent = urgentReads < MAX_URGENT_PER_HOUR ? urgentMs?.() : undefined
    if (!isCalm && (urgent === undefined || now - readAt < urgent)) return
    if (!isCalm) urgentReads++
    void readOnce()
  }, TICK_MS)
}
