// Cleanup after a file's tests, registered at any time: vitest drops an `afterAll` that a test or a hook calls.

const cleanUps: (() => unknown)[] = []

/** Cleanups run in reverse order of registration, after those of `afterAll`. */
export function atFileEnd(cleanUp: () => unknown): void {
  cleanUps.push(cleanUp)
}

/** For the setup file, which vitest loads for each test file. */
export async function endFile(): Promise<void> {
  const failures: unknown[] = []
  for (const cleanUp of cleanUps.splice(0).reverse())
    try {
      await cleanUp()
    } catch (error) {
      failures.push(error) // the remaining cleanups still run
    }
  if (failures.length) throw new AggregateError(failures, 'cleanup failed')
}
