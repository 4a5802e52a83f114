// Reads again what a live page shows, one read after the other, while the page is seen.
import { ApiError } from './api.ts'

const TICK_MS = 1_000
const HOUR_MS = 3_600_000
/** All visitors of an address share 1,000 requests an hour with their pages. */
const CALM_MS = 15_000
/** Where something changes all the time, reads beyond these in an hour are as far apart as calm ones. */
const MAX_URGENT_PER_HOUR = 100

interface Pace {
  calmMs?: number
  /** The time between reads while something is about to change; undefined: nothing is. */
  urgentMs?(): number | undefined
}

/** @param read that rejects is repeated when the next one is due, not before a `Retry-After` is over */
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
