// Keeps what statements over many votes found, so that frequent requests can't overload the database.
import { createMemo } from '../../platform/memo.ts'

const MAX_REMEMBERED = 1_000

/** @returns a memo that keeps what took 2 ms for 100 ms, what took 1 s for 50 s, and nothing for more than a minute */
export const createMemoByCost = <Value extends object>() =>
  createMemo<Value>(
    { max: MAX_REMEMBERED },
    { ttlMs: (findMs: number) => Math.min(50 * findMs, 60_000), clock: () => performance.now() },
  )
