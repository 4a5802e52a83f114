// What is done after a file's tests, asked for at any time: an `afterAll` that a test or a hook calls is dropped by vitest.
import { afterAll } from 'vitest'

const cleanUps: (() => void | Promise<void>)[] = []

afterAll(async () => {
  const failures: unknown[] = []
  for (const cleanUp of cleanUps.reverse())
    try {
      await cleanUp()
    } catch (error) {
      failures.push(error) // the others must not be left running for it
    }
  if (failures.length) throw new AggregateError(failures, 'not everything could be ended')
})

/** Last come, first done. */
export function atFileEnd(cleanUp: () => void | Promise<void>): void {
  cleanUps.push(cleanUp)
}
