// The retry schedule: the published waits with a jitter of a fifth, or what a receiver asks for.
import { describe, expect, it } from 'vitest'
import { secondsToNextAttempt } from '../../../src/features/webhooks/retry-schedule.ts'

const MINUTE = 60
const HOUR = 3_600
const NOW = Date.UTC(2026, 10, 20, 12)
const next = (attempt: number, retryAfter?: string, scale = 1, random = 0.5) =>
  secondsToNextAttempt({ attempt, retryAfter }, scale, { now: NOW, random })

describe('the wait for the next attempt', () => {
  it('is 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h, and there is no attempt after the tenth', () => {
    const waits = Array.from({ length: 10 }, (_, n) => next(n + 1))
    const hours = [2, 5, 10, 14, 20, 24].map((count) => count * HOUR)
    expect(waits.slice(0, 9)).toEqual([5, 5 * MINUTE, 30 * MINUTE, ...hours].map((wait) => expect.closeTo(wait, 6)))
    expect(waits[9]).toBeUndefined()
    expect(next(11)).toBeUndefined()
    expect(next(10, '60')).toBeUndefined()
  })

  it('varies by a fifth either way, and is scaled', () => {
    expect(next(1, undefined, 1, 0)).toBeCloseTo(4)
    expect(next(1, undefined, 1, 1)).toBeCloseTo(6)
    expect(next(2, undefined, 0.01)).toBeCloseTo(3)
    expect(next(9, undefined, 0)).toBe(0)
  })

  it.each([
    ['120', 120],
    ['Fri, 20 Nov 2026 12:02:00 GMT', 120],
    ['99999999', 24 * HOUR],
    ['9'.repeat(400), 24 * HOUR],
    ['Sun, 20 Nov 2050 12:02:00 GMT', 24 * HOUR],
  ])('is as long as Retry-After %s says, a day at most, whatever the scale', (retryAfter, seconds) => {
    expect(next(1, retryAfter)).toBe(seconds)
    expect(next(1, retryAfter, 0)).toBe(seconds)
  })

  it.each(['1', '0', '-5', '', 'soon', 'Fri, 20 Nov 2020 12:00:00 GMT', '1e9'])(
    'is the schedule’s when Retry-After is %j',
    (retryAfter) => {
      expect(next(1, retryAfter)).toBeCloseTo(5)
    },
  )
})
