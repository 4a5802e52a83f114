// How long a fuzz run takes and what decides it.

/** Of what is generated; the rest of the run takes some seconds besides. */
export const FUZZ_SECONDS = Number(process.env.FUZZ_SECONDS)
export const FUZZ_SEED = Number(process.env.FUZZ_SEED)

/** A property's settings for its share of the run; at the end of its time it has done as much as it could. */
export const forShare = (part: string, share: number) => ({
  seed: seedOf(part),
  numRuns: Number.MAX_SAFE_INTEGER,
  interruptAfterTimeLimit: share * FUZZ_SECONDS * 1_000,
  markInterruptAsFailure: false,
})

/** FNV-1a with the run's seed, so that the parts of a run do not all try alike. */
function seedOf(part: string): number {
  let value = 0x811c9dc5 ^ FUZZ_SEED
  for (let n = 0; n < part.length; n++) value = Math.imul(value ^ part.charCodeAt(n), 0x01000193)
  return value | 0
}
