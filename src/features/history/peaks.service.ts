// The highest player counts of the last 24 hours, from all samples of that time.
import type { Sql } from '../../platform/db/pool.ts'
import { readRolledUp } from './player-history.sql.ts'
import { findSamples } from './samples.sql.ts'

const DAY_MS = 86_400_000

/** Highest player count in the last 24 hours by server id in lower case; servers without answered polls are absent. */
export async function findPeaks(db: Sql, ids: readonly string[]): Promise<Map<string, number>> {
  const { now } = await readRolledUp(db)
  const samples = await findSamples(db, ids, new Date(now.getTime() - DAY_MS), new Date(now.getTime() + 1_000))
  const peaks = new Map<string, number>()
  for (const [id, ofServer] of samples) {
    const answered = ofServer.flatMap(({ players }) => players ?? [])
    if (answered.length) peaks.set(id, Math.max(...answered))
  }
  return peaks
}
