// Detects wipes from what servers report about their worlds from poll to poll.
import type { Db } from '../../platform/db/pool.ts'
import type { JobQueue } from '../../platform/queue/jobs.ts'
import { recordWipe } from './recording.ts'
import { exchangeFingerprints, type PolledFingerprint, type WorldFingerprint } from './wipes.sql.ts'

/**
 * Stores the fingerprints of polled servers in the transaction that writes the poll results, and records the wipes that
 * changed fingerprints show. Runs one statement unless there is a wipe. A server's first fingerprint shows no wipe.
 * @param at time of the polls
 * @returns ids of the servers that were wiped
 */
export async function recordFingerprints(
  tx: Db,
  options: { jobs: JobQueue; justWipedDays: number },
  sightings: readonly PolledFingerprint[],
  at: Date,
): Promise<string[]> {
  if (!sightings.length) return []
  // Sightings are in id order, so that concurrent batches wait for each other instead of deadlocking.
  const ordered = [...sightings].sort((a, b) => (a.serverId < b.serverId ? -1 : 1))
  const before = await exchangeFingerprints(tx, ordered)
  const wiped: string[] = []
  for (const { serverId, fingerprint } of ordered) {
    const former = before.get(serverId)
    const seen = detectWipe(former, fingerprint)
    if (!former || !seen) continue
    const wipedAt = seen.wipedAt ? clampTime(seen.wipedAt, former.changedAt, at) : at
    const recorded = await recordWipe(tx, options, { serverId, wipedAt, kind: seen.kind })
    if (recorded?.isNew) wiped.push(serverId)
  }
  return wiped
}

/**
 * A world replaces the former one after that was first seen, so a server that lies about its creation has no
 * wipes of earlier years.
 */
const clampTime = (time: Date, earliest: Date, latest: Date): Date => {
  if (time < earliest) return earliest
  return time > latest ? latest : time
}

interface SeenWipe {
  kind: 'full' | 'map'
  /** When the world was created, if the game reports it. */
  wipedAt?: Date
}

/** Two clocks, or a save that is written again, may differ by this. */
const SAME_WORLD_MS = 60_000

/** A save that is restored is up to about a day old, and a day in the game takes about an hour. */
const RESTORED_DAYS = 24

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
  if (typeof before.day === 'number' && typeof now.day === 'number') {
    // Half, because a new world starts at day 1, and saves that are days old are restored to old worlds only.
    if (now.day * 2 > before.day) return undefined
    if (!isOtherMap && before.day - now.day < RESTORED_DAYS) return undefined
    return { kind: isOtherMap ? 'map' : 'full' }
  }
  // Games that report neither day nor creation time start a new world on every map.
  if (typeof now.day !== 'number' && (differ(before.seed, now.seed) || isOtherMap)) return { kind: 'map' }
  return undefined
}

const differ = (before: string | null | undefined, now: string | null | undefined): boolean =>
  typeof before === 'string' && typeof now === 'string' && before !== now
