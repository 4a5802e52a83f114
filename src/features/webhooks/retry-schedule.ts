// When a delivery that failed is tried again: the schedule, and what a receiver asked for.

const MINUTE = 60
const HOUR = 60 * MINUTE
/** About three days together; a delivery whose attempt after the last wait fails is dead. */
const WAITS_SECONDS = [
  5,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const

/** Receivers that fail together must not be tried again together. */
const JITTER = 0.2
const LONGEST_ASKED_SECONDS = 24 * HOUR

export interface FailedAttempt {
  /** 1 for the first. */
  attempt: number
  /** The answer's Retry-After. */
  retryAfter?: string | undefined
}

/**
 * @param scale WEBHOOK_RETRY_SCALE: what the schedule's waits are multiplied by; a receiver's own wish is not
 * @param random 0 to 1
 * @returns seconds from now; undefined after the last attempt
 */
export function secondsToNextAttempt(
  { attempt, retryAfter }: FailedAttempt,
  scale: number,
  { now = Date.now(), random = Math.random() }: { now?: number; random?: number } = {},
): number | undefined {
  const wait = WAITS_SECONDS[attempt - 1]
  if (wait === undefined) return undefined
  const scheduled = wait * scale * (1 - JITTER + 2 * JITTER * random)
  return Math.max(scheduled, secondsAsked(retryAfter, now))
}

/** RFC 9110 §10.2.3: seconds, or a date. What is neither counts as nothing. */
function secondsAsked(retryAfter: string | undefined, now: number): number {
  if (!retryAfter) return 0
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - now) / 1000
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(seconds, 0), LONGEST_ASKED_SECONDS)
}
