// Detects wipes in what servers show when they are polled.
import type { Db } from '../../platform/db/pool.ts'
import type { Jobs } from '../../platform/queue/jobs.ts'
import { recordWipe } from './recording.ts'
import { exchangeFingerprints, type Sighting } from './wipes.sql.ts'
import { detectWipe } from './world-fingerprint.ts'

/**
 * Takes in what polled servers showed of their worlds, in the transaction that writes their results, and records the wipes that tells of.
 * One statement, unless there is a wipe. The first time a server is seen says nothing.
 * @param at when they were polled
 * @returns ids of the servers found wiped
 */
export async function noteFingerprints(
  tx: Db,
  options: { jobs: Pick<Jobs, 'enqueue'>; justWipedDays: number },
  sightings: readonly Sighting[],
  at: Date,
): Promise<string[]> {
  if (!sightings.length) return []
  // One order for everybody, so that two batches wait for each other instead of deadlocking.
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
