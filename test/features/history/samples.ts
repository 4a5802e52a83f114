// Polls for tests of history: inserted, and counted one by one.
import type { Pool } from '../../../src/platform/db/pool.ts'
import { emptyTables } from '../../support/database.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export interface Sample {
  serverId: string
  at: Date
  /** null: a missed poll. */
  players: number | null
  maxPlayers: number
}

export async function insertPolls(pool: Pool, samples: readonly Sample[]): Promise<void> {
  await pool.query(
    `insert into player_history_recent as recent (server_id, samples)
     select server_id, string_agg(player_history_sample(at, players, max_players), '')
     from unnest($1::uuid[], $2::timestamptz[], $3::integer[], $4::integer[]) as polled (server_id, at, players, max_players)
     group by server_id
     on conflict (server_id) do update set samples = recent.samples || excluded.samples`,
    [
      samples.map(({ serverId }) => serverId),
      samples.map(({ at }) => at),
      samples.map(({ players }) => players),
      samples.map(({ maxPlayers }) => maxPlayers),
    ],
  )
}

export async function forgetHistory(pool: Pool): Promise<void> {
  await emptyTables(
    pool,
    'player_history_pending',
    'player_history_recent',
    'player_history_open',
    'player_history_chunks',
    'player_history_hours',
    'player_history_daily',
    'player_history_rolled_days',
    'player_history_months',
    'player_history_unreadable',
  )
  await pool.query('update player_history_progress set rolled_to = null')
}

/** The expected answer of `GET /servers/{id}/player-history`, from one server's samples. */
export function historyOf(samples: readonly Sample[], rangeMs: number, bucketMs: number, now: Date) {
  const end = Math.ceil((now.getTime() + 1) / bucketMs) * bucketMs
  const inTime = samples
    .filter(({ at }) => at.getTime() >= end - rangeMs && at.getTime() < end)
    .sort((a, b) => a.at.getTime() - b.at.getTime())
  const points = []
  for (let at = end - rangeMs; at < end; at += bucketMs) {
    const within = inTime.filter((sample) => sample.at.getTime() >= at && sample.at.getTime() < at + bucketMs)
    points.push({ at: new Date(at).toISOString(), players: mean(within, 0), maxPlayers: slots(inTime, at, bucketMs) })
  }
  const answered = answers(inTime)
  return {
    points,
    peak: answered.length ? Math.max(...answered) : null,
    average: mean(inTime, 2),
    uptime: uptimeOf(inTime),
  }
}

/** The mean of each hour's share of answered polls. */
function uptimeOf(samples: readonly Sample[]): number | null {
  const hours = [...Map.groupBy(samples, ({ at }) => Math.floor(at.getTime() / HOUR)).values()]
  const shares = hours.map((polls) => answers(polls).length / polls.length)
  return shares.length ? Number((shares.reduce((sum, share) => sum + share, 0) / shares.length).toFixed(4)) : null
}

const answers = (samples: readonly Sample[]) => samples.flatMap(({ players }) => (players === null ? [] : [players]))

function mean(samples: readonly Sample[], digits: number): number | null {
  const answered = answers(samples)
  if (!answered.length) return null
  const average = answered.reduce((sum, players) => sum + players, 0) / answered.length
  return digits ? Number(average.toFixed(digits)) : Math.round(average)
}

/** The maximum of the last bucket up to this one with polls; before the first, the first's. */
function slots(samples: readonly Sample[], at: number, bucketMs: number): number {
  const before = samples.filter((sample) => sample.at.getTime() < at + bucketMs)
  const nearest = before.at(-1) ?? samples[0]
  if (!nearest) return 0
  const bucket = Math.floor(nearest.at.getTime() / bucketMs)
  const alike = samples.filter((sample) => Math.floor(sample.at.getTime() / bucketMs) === bucket)
  return Math.max(...alike.map(({ maxPlayers }) => maxPlayers))
}
