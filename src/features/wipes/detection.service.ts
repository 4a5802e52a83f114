// Detects wipes from what servers report when they are polled.
import type { Db } from '../../platform/db/pool.ts'
import type { Jobs } from '../../platform/queue/jobs.ts'
import { recordWipe } from './recording.ts'
import { exchangeFingerprints, type Sighting } from './wipes.sql.ts'
import { detectWipe } from './world-fingerprint.ts'

/**
 * Stores the fingerprints of polled servers in the transaction that writes the poll results, and records the wipes that
 * changed fingerprints show. Runs one statement unless there is a wipe. A server's first fingerprint shows no wipe.
 * @param at time of the polls
 * @returns ids of the servers that were wiped
 */
export async function noteFingerprints(
  tx: Db,
  options: { jobs: Pick<Jobs, 'enqueue'>; justWipedDays: number },
  sightings: readonly Sighting[],
  at: Date,
): Promise<string[]> {
  if (!sightings.length) return []
  // In id order, so that concurrent batches wait for each other instead of deadlocking.
  const ordered = [...sightings].sort((a, b) => (a.serverId < b.serverId ? -1 : 1))
  const before = await exchangeFingerprints(tx, ordered)
  const wiped: string[] = []
  for (const { serverId, fingerprint } of ordered) {
    const seen = detectWipe(before.get(serverId), fingerprint)
    if (!seen) continue
    const wipedAt = seen.wipedAt && seen.wipedAt < at ? seen.wipedAt : at
    const recorded = await recordWipe(tx, options, { serverId, wipedAt, kind: seen.kind })
    if (recorded?.isNew) wiped.push(serverId)
  }
  return wiped
}
