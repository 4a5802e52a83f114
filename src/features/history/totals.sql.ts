// SQL, because it works on sets: sums the hours of all servers up to totals by game and country, and reads them.
import type { Db, Sql } from '../../platform/db/pool.ts'
import { STATEMENT_TIMEOUT } from '../../platform/db/statement-timeout.ts'
import { listedIn } from '../servers/index.ts'

const TOTALS_KEPT_DAYS = 32

/**
 * Sums up the rolled-up hours of the last day that have no totals yet. Servers that are not listed at this time do not
 * count. The result is the same if it is repeated, killed or run concurrently, because an hour is summed up once it is
 * complete.
 * @returns number of rows
 */
export async function insertTotals(db: Db, now: Date): Promise<number> {
  const { rowCount } = await db.query({
    text: `
      with missing as (
        select hours.hour
        from generate_series(1, 25) as ago,
          lateral (select date_trunc('hour', $1::timestamptz) - ago * interval '1 hour' as hour) as hours
        where hours.hour < (select rolled_to from player_history_progress)
          and not exists (select from player_history_totals as done where done.hour = hours.hour))
      insert into player_history_totals (hour, game, country, servers, online, players)
      select hour, game, country, count(*), count(*) filter (where answered > 0),
        least(round(sum(players_sum::float8 / polls)), 2147483647)
      from missing
      join player_history_hours using (hour)
      join servers on servers.id = server_id and ${listedIn(db)}
      join server_status using (server_id)
      group by hour, game, country
      on conflict do nothing`,
    values: [now],
    ...STATEMENT_TIMEOUT,
  })
  return rowCount ?? 0
}

export interface HourTotals {
  hour: Date
  /** Null: of all games. */
  game: string | null
  /** Null: of all countries. */
  country: string | null
  players: number
}

/** The totals of a time by hour, by hour and game, and by hour and country; hours without any are absent. */
export async function findTotals(db: Sql, from: Date, to: Date): Promise<HourTotals[]> {
  const { rows } = await db.query<HourTotals>({
    name: 'history-totals',
    text: `
      select hour, game, country, sum(players)::float8 as players
      from player_history_totals
      where hour >= $1 and hour < $2
      group by grouping sets ((hour), (hour, game), (hour, country))`,
    values: [from, to],
  })
  return rows
}

/** @returns number of rows */
export async function deleteOldTotals(db: Db, now: Date): Promise<number> {
  const { rowCount } = await db.query(
    'delete from player_history_totals where hour <= $1::timestamptz - make_interval(days => $2::integer)',
    [now, TOTALS_KEPT_DAYS],
  )
  return rowCount ?? 0
}
