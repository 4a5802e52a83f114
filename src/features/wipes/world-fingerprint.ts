// What a server shows of its world from poll to poll, and when that means that the world began anew.

/** Fields that are missing were not told. */
export interface WorldFingerprint {
  /** Days the world has seen, by its own clock. */
  day?: number
  /** When the world was made. */
  bornAt?: Date
  map?: string
  /** Whatever the world was generated from. */
  seed?: string
}

export interface SeenWipe {
  kind: 'full' | 'map'
  /** When the world was made, where the game says so. */
  wipedAt?: Date
}

/** Two clocks, or a save that is written anew, may differ by this. */
const SAME_WORLD_MS = 60_000

/**
 * What the game tells most surely decides: when the world was made, then its day counter, then what it was made from.
 * A world that is older than before was restored from a backup, and is no wipe; a counter that falls a little, neither.
 * @param before undefined: the server was never seen, which says nothing
 */
export function detectWipe(before: WorldFingerprint | undefined, now: WorldFingerprint): SeenWipe | undefined {
  if (!before) return undefined
  const isOtherMap = differ(before.map, now.map)
  if (before.bornAt && now.bornAt) {
    const isLater = now.bornAt.getTime() - before.bornAt.getTime() > SAME_WORLD_MS
    // Whether players kept what they had learnt is not told.
    return isLater ? { kind: 'map', wipedAt: now.bornAt } : undefined
  }
  if (before.day !== undefined && now.day !== undefined) {
    // Half, as saves that are restored are hours or days old, and a new world begins at day 1.
    if (now.day * 2 > before.day) return undefined
    return { kind: isOtherMap ? 'map' : 'full' }
  }
  // Those that tell neither day nor birth are of games where every map is a world of its own.
  if (now.day === undefined && (differ(before.seed, now.seed) || isOtherMap)) return { kind: 'map' }
  return undefined
}

const differ = (before: string | undefined, now: string | undefined): boolean =>
  before !== undefined && now !== undefined && before !== now
