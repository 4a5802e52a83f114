// Cleanup after a file's tests, registered at any time: vitest drops an `afterAll` that a test or a hook calls.
import { afterAll } from 'vitest'

const cleanUps: (() => void | Promise<void>)[] = []

afterAll(async () => {
  const failures: unknown[] = []
  for (const cleanUp of cleanUps.reverse())
    try {
      await cleanUp()
    } catch (error) {
      failures.push(error) // the remaining cleanups still run
    }
  if (failures.length) throw new AggregateError(failures, 'cleanup failed')
})

/** Cleanups run in reverse order of registration. */
export function atFileEnd(cleanUp: () => void | Promise<void>): void {
  cleanUps.push(cleanUp)
}
