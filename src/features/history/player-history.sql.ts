// SQL, because it aggregates over two tables: days from their rows, then hours.
import type { Db } from '../../platform/db/pool.ts'
import type { Bucket, Window } from './points.ts'

/** Up to when history is rolled up, by the database's clock. */
export interface RolledUp {
  now: Date
  /** End of the last rolled-up day; null if there is none. */
  daysTo: Date | null
  /** End of the last rolled-up hour. */
  hoursTo: Date | null
}

export async function readRolledUp(db: Db): Promise<RolledUp> {
  const { rows } = await db.query<RolledUp>({
    name: 'history-rolled-up',
    text: `
      select now() as now,
        (select (max(day) + 1)::timestamp at time zone 'utc' from player_history_rolled_days) as "daysTo",
        (select rolled_to from player_history_progress) as "hoursTo"`,
  })
  if (!rows[0]) throw new Error('the database returned no time')
  return rows[0]
}

/**
 * The buckets of a window of whole hours that have rolled-up polls: from days up to `daysTo`, from hours up to `hoursTo`.
 * Both are index-only scans.
 */
export async function findBuckets(
  db: Db,
  serverId: string,
  { start, bucketMs }: Window,
  { daysTo, hoursTo }: { daysTo: Date; hoursTo: Date },
): Promise<Bucket[]> {
  const { rows } = await db.query<Bucket>({
    name: 'history-buckets',
    text: FIND_BUCKETS,
    values: [serverId, start, daysTo, hoursTo, bucketMs / 1000],
  })
  return rows
}

/** Exported for a test that counts the pages it reads. */
export const FIND_BUCKETS = `
  with polled (at, polls, answered, players_sum, players_max, max_players) as (
    select day::timestamp at time zone 'utc' + (place - 1) * interval '1 hour', hours.polls, hours.answered, hours.players_sum,
      hours.players_max, hours.max_players
    from player_history_daily,
      unnest(hour_polls, hour_answered, hour_players_sum, hour_players_max, hour_max_players) with ordinality
        as hours (polls, answered, players_sum, players_max, max_players, place)
    where server_id = $1 and day >= ($2::timestamptz at time zone 'utc')::date and day < ($3::timestamptz at time zone 'utc')::date
    union all
    select hour, polls, answered, players_sum, players_max, max_players
    from player_history_hours
    where server_id = $1 and hour >= $3 and hour < $4
  )
  select date_bin(make_interval(secs => $5::float8), at, '1970-01-01Z') as at, sum(polls)::float8 as polls,
    sum(answered)::float8 as answered, sum(players_sum)::float8 as "playersSum", max(players_max) as "playersMax",
    max(max_players) as "maxPlayers"
  from polled
  where at >= $2 and polls > 0
  group by 1`
