// How long a fuzz run takes, and its seed.
import fc from 'fast-check'

/** Duration of the generated part; the rest takes some seconds. */
export const FUZZ_SECONDS = Number(process.env.FUZZ_SECONDS)
export const FUZZ_SEED = Number(process.env.FUZZ_SEED)
/** Of a test that runs for a share of the time: on a busy machine the preparation of each part takes as long again. */
export const FUZZ_TIMEOUT = { timeout: (3 * FUZZ_SECONDS + 300) * 1_000 }

/**
 * Runs a property for its share of the time: on a busy machine fewer times, but with the same requests.
 * @throws the property's first error
 */
export async function runFor(part: string, share: number, property: fc.IAsyncProperty<unknown>): Promise<void> {
  const { errorInstance, counterexample } = await fc.check(property, {
    seed: seedOf(part),
    numRuns: Number.MAX_SAFE_INTEGER,
    interruptAfterTimeLimit: share * FUZZ_SECONDS * 1_000,
    markInterruptAsFailure: false,
    endOnFailure: true,
  })
  if (errorInstance)
    throw new Error(`${part}, FUZZ_SEED=${FUZZ_SEED}: ${fc.stringify(counterexample)}`, { cause: errorInstance })
}

/** FNV-1a with the run's seed, so that the parts of a run differ. */
function seedOf(part: string): number {
  let value = 0x811c9dc5 ^ FUZZ_SEED
  for (let n = 0; n < part.length; n++) value = Math.imul(value ^ part.charCodeAt(n), 0x01000193)
  return value | 0
}
