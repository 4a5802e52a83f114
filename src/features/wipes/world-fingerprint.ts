// What a server reports about its world from poll to poll, and which changes mean that a new world has started.

/** Fields that the server did not report are missing. */
export interface WorldFingerprint {
  /** Age of the world in in-game days. */
  day?: number
  /** When the world was created. */
  bornAt?: Date
  map?: string
  /** The seed that the world was generated from. */
  seed?: string
}

export interface SeenWipe {
  kind: 'full' | 'map'
  /** When the world was created, if the game reports it. */
  wipedAt?: Date
}

/** Two clocks, or a save that is written again, may differ by this. */
const SAME_WORLD_MS = 60_000

/**
 * Decides by the most reliable field: the creation time, then the day counter, then the seed. A world that is older
 * than before was restored from a backup, which is no wipe; neither is a counter that drops a little.
 * @param before undefined if there is none, which shows no wipe
 */
export function detectWipe(before: WorldFingerprint | undefined, now: WorldFingerprint): SeenWipe | undefined {
  if (!before) return undefined
  const isOtherMap = differ(before.map, now.map)
  if (before.bornAt && now.bornAt) {
    const isLater = now.bornAt.getTime() - before.bornAt.getTime() > SAME_WORLD_MS
    // Games do not report whether players kept their progress.
    return isLater ? { kind: 'map', wipedAt: now.bornAt } : undefined
  }
  if (before.day !== undefined && now.day !== undefined) {
    // Half, because restored saves are hours or days old, and a new world starts at day 1.
    if (now.day * 2 > before.day) return undefined
    return { kind: isOtherMap ? 'map' : 'full' }
  }
  // Games that report neither day nor creation time start a new world on every map.
  if (now.day === undefined && (differ(before.seed, now.seed) || isOtherMap)) return { kind: 'map' }
  return undefined
}

const differ = (before: string | undefined, now: string | undefined): boolean =>
  before !== undefined && now !== undefined && before !== now
