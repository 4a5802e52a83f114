// Adds the players of finished hours to the scores of their servers, each hour once, however often and
// concurrently this runs.
import type { Deps } from '../../deps.ts'
import type { Pool } from '../../platform/db/pool.ts'
import { readInBatches } from '../../platform/db/read-in-batches.ts'
import { HOUR_MS } from '../../platform/durations.ts'
import { findPlayersOfHour, readHoursTo } from '../history/index.ts'
import { addPlayed, readPlayedTo } from './playing.sql.ts'
import { playedVotes } from './score.ts'

/** Older hours are no longer in the table of hours. */
const HOURS_BACK = 4 * 24
/** Votes for these servers wait while their statement commits. */
const BATCH = 500

/** @returns number of hours added to servers */
export async function addPlayedHours(pool: Pool, limit = BATCH): Promise<number> {
  const to = await readHoursTo(pool)
  if (!to) return 0
  const playedTo = (await readPlayedTo(pool))?.getTime() ?? 0
  // The last hour again: a run that was killed may have added it to some servers only.
  const firstHour = Math.max(playedTo - HOUR_MS, to.getTime() - HOURS_BACK * HOUR_MS)
  let added = 0
  for (let hour = firstHour; hour < to.getTime(); hour += HOUR_MS) added += await addHour(pool, new Date(hour), limit)
  return added
}

async function addHour(pool: Pool, hour: Date, limit: number): Promise<number> {
  let added = 0
  const batches = readInBatches(limit, (last?: { serverId: string }) =>
    findPlayersOfHour(pool, { hour, after: last?.serverId ?? null, limit }),
  )
  for await (const servers of batches) {
    const played = servers.filter(({ players }) => players > 0)
    if (played.length > 0)
      added += await addPlayed(
        pool,
        hour,
        played.map(({ serverId, players }) => ({ serverId, votes: playedVotes(players) })),
      )
  }
  return added
}

/** Handler of `votes-playing`. */
export async function runVotesPlaying({ pool, log }: Pick<Deps, 'pool' | 'log'>): Promise<void> {
  log.info({ hours: await addPlayedHours(pool) }, 'playing added to scores')
}
