// When a failed delivery is retried: the schedule and the receiver's Retry-After.

const MINUTE = 60
const HOUR = 60 * MINUTE
/** About three days in total. A delivery whose attempt after the last wait fails is dead. */
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

/** Spreads the retries of deliveries that failed at the same time. */
const JITTER = 0.2
const MAX_RETRY_AFTER_SECONDS = 24 * HOUR

export interface FailedAttempt {
  /** 1 for the first. */
  attempt: number
  /** The response's Retry-After header. */
  retryAfter?: string | undefined
}

/**
 * @param scale WEBHOOK_RETRY_SCALE: multiplies the waits of the schedule, but not Retry-After
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
  return Math.max(scheduled, retryAfterSeconds(retryAfter, now))
}

/** @returns ages of a delivery, in seconds, at which the schedule tries it again */
export function retryAges(scale: number): number[] {
  let age = 0
  return WAITS_SECONDS.map((wait) => {
    age += wait * scale
    return age
  })
}

/**
 * Deliveries that wait for each other are tried again at the ages of the schedule, regardless of earlier attempts,
 * since a delivery is also tried when another one of its endpoint is due.
 * @param ageSeconds of the delivery
 * @returns as `secondsToNextAttempt`, of whose number of attempts it makes at least as many
 */
export function secondsToNextAge(ageSeconds: number, failed: FailedAttempt, scale: number): number | undefined {
  const next = retryAges(scale).find((age) => age > ageSeconds)
  return next === undefined ? secondsToNextAttempt(failed, scale) : next - ageSeconds
}

/** RFC 9110 §10.2.3: seconds or a date; 0 for anything else. */
function retryAfterSeconds(retryAfter: string | undefined, now: number): number {
  if (!retryAfter) return 0
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - now) / 1000
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(seconds, 0), MAX_RETRY_AFTER_SECONDS)
}
