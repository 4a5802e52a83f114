// SQL over player_history, where releases before chunks stored a row per poll (docs/decisions/0035). Nothing is added to it
// but by workers of the previous release during an update.
import type { Db, Sql } from '../../platform/db/pool.ts'
import type { RecentSamples } from './fold.sql.ts'
import { PATIENCE } from './patience.ts'

/** The start of the oldest partition of player_history; null if there is none. */
export const OLDEST_ROWS = `(
  select min(to_date(substr(relname, 2), 'YYYYMMDD'))::timestamp at time zone 'utc'
  from pg_inherits
  join pg_class on pg_class.oid = inhrelid
  where inhparent = 'player_history'::regclass)`

/**
 * Hours before `cutoff` without a roll-up, oldest first, from the oldest partition on. Includes hours without polls; the
 * block range index makes it cheap to check them again.
 */
export async function findRowHoursToRollUp(db: Db, cutoff: Date): Promise<Date[]> {
  const { rows } = await db.query<{ hour: Date }>(
    `select hours.hour
     from generate_series(${OLDEST_ROWS}, $1::timestamptz - interval '1 hour', interval '1 hour') as hours (hour)
     where not exists (select from player_history_hours as done where done.hour = hours.hour)
     order by hours.hour`,
    [cutoff],
  )
  return rows.map((row) => row.hour)
}

/**
 * Rolls the rows of one hour up unless that is done. One statement, so an hour is complete or absent.
 * @returns number of servers polled in that hour
 */
export async function insertHourOfRows(db: Db, hour: Date): Promise<number> {
  const { rowCount } = await db.query({
    // A sum above 2^31 comes from servers that report false player counts. It must not stop the roll-up of the others.
    text: `
      insert into player_history_hours (server_id, hour, polls, answered, players_sum, players_max, max_players)
      select server_id, $1, count(*), count(players),
        least(coalesce(sum(players), 0), 2147483647), coalesce(max(players), 0), max(max_players)
      from player_history
      where polled_at >= $1 and polled_at < $1::timestamptz + interval '1 hour'
        and not exists (select from player_history_hours where hour = $1)
      group by server_id
      on conflict do nothing`,
    values: [hour],
    ...PATIENCE,
  })
  return rowCount ?? 0
}

/** How far the conversion to chunks is: all rows before `hour`, and those of that hour of servers up to `server`. */
export interface Converted {
  hour: Date
  server: string
}

export const NO_SERVER = '00000000-0000-0000-0000-000000000000'

/**
 * Where to continue; null if no rows are left that were rolled up and are older than an hour, which the transactions
 * that insert rows never last.
 */
export async function findNextToConvert(db: Db, now: Date): Promise<Converted | null> {
  const { rows } = await db.query<Converted>(
    `select hour, case when hour = converted_to then converted_server else $2::uuid end as server
     from player_history_progress, lateral (select greatest(converted_to, ${OLDEST_ROWS}) as hour) as next
     where ${OLDEST_ROWS} is not null and hour + interval '1 hour' <= rolled_to
       and hour + interval '1 hour' <= $1::timestamptz - interval '1 hour'`,
    [now, NO_SERVER],
  )
  return rows[0] ?? null
}

/** The hour before which all rows are converted; null if none is. */
export async function readConvertedTo(db: Db): Promise<Date | null> {
  const { rows } = await db.query<{ hour: Date | null }>('select converted_to as hour from player_history_progress')
  return rows[0]?.hour ?? null
}

/** Opens a cursor over the rows of an hour by server, as bytes. Its session must be in a transaction. */
export async function openRows(session: Sql, { hour, server }: Converted): Promise<void> {
  await session.query({
    text: `
      declare rows no scroll cursor for
      select server_id as "serverId", string_agg(player_history_sample(polled_at, players, max_players), '') as samples
      from player_history
      where polled_at >= '${hour.toISOString()}' and polled_at < timestamptz '${hour.toISOString()}' + interval '1 hour'
        and server_id > '${server}'
      group by server_id
      order by server_id`,
    ...PATIENCE,
  })
}

export async function fetchRows(session: Sql, limit: number): Promise<RecentSamples[]> {
  const { rows } = await session.query<RecentSamples>({ text: `fetch ${limit} from rows`, ...PATIENCE })
  return rows
}

/** Moves the mark. @returns false if another process has moved it from where this one expects it */
export async function markConverted(db: Db, from: Converted, to: Converted): Promise<boolean> {
  const { rowCount } = await db.query(
    `update player_history_progress set converted_to = $1, converted_server = $2
     where (converted_to, converted_server) = ($3, $4::uuid) or converted_to is null or converted_to < $3`,
    [to.hour, to.server, from.hour, from.server],
  )
  return rowCount === 1
}
