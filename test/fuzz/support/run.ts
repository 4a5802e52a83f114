// How long a fuzz run takes and what decides it.
import fc from 'fast-check'

/** Of what is generated; the rest of the run takes some seconds besides. */
export const FUZZ_SECONDS = Number(process.env.FUZZ_SECONDS)
export const FUZZ_SEED = Number(process.env.FUZZ_SEED)

/**
 * Runs a property for its share of the time: on a busy machine less often, down to not at all, and never less hostile.
 * @throws what the property threw first
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

/** FNV-1a with the run's seed, so that the parts of a run do not all try alike. */
function seedOf(part: string): number {
  let value = 0x811c9dc5 ^ FUZZ_SEED
  for (let n = 0; n < part.length; n++) value = Math.imul(value ^ part.charCodeAt(n), 0x01000193)
  return value | 0
}
