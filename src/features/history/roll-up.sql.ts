// SQL, because it works on sets: rolls samples up to hours, and hours up to uptimes.
import type { Db } from '../../platform/db/pool.ts'

/** Advisory lock of writers of roll-ups; the number is arbitrary but unique. */
const ROLL_UP_LOCK = 727_073_692
/** Rolling up a busy hour, a day or a month reads millions of rows; the pool's 30 s are for requests. */
export const PATIENCE = { query_timeout: 600_000 }
const HOUR_MS = 3_600_000

export interface Uptime {
  serverId: string
  /** Share of answered polls, 0..1, to four decimals; null if the window has no rolled-up hour. */
  day: number | null
  week: number | null
  month: number | null
}

/**
 * Waits for other writers of roll-ups, which would write the same rows in another order. Held until the transaction
 * ends.
 */
export async function lockRollUps(db: Db): Promise<void> {
  await db.query({ text: 'select pg_advisory_xact_lock($1)', values: [ROLL_UP_LOCK], ...PATIENCE })
}

/**
 * Complete hours without a roll-up, oldest first, from the oldest stored day to the last hour that ended `graceMinutes`
 * ago. Includes hours without polls; the block range index makes it cheap to check them again.
 * @param now null: the database's clock
 */
export async function findHoursToRollUp(db: Db, now: Date | null, graceMinutes: number): Promise<Date[]> {
  const { rows } = await db.query<{ hour: Date }>(
    `with oldest as (
       select min(to_date(substr(relname, 2), 'YYYYMMDD'))::timestamp at time zone 'utc' as day
       from pg_inherits
       join pg_class on pg_class.oid = inhrelid
       where inhparent = 'player_history'::regclass)
     select hours.hour
     from oldest, generate_series(
       oldest.day,
       coalesce($1::timestamptz, now()) - make_interval(hours => 1, mins => $2::integer),
       interval '1 hour') as hours (hour)
     where not exists (select from player_history_hours as done where done.hour = hours.hour)
     order by hours.hour`,
    [now, graceMinutes],
  )
  return rows.map((row) => row.hour)
}

/**
 * Rolls one hour up unless that is done. One statement, so an hour is complete or absent.
 * @returns number of servers polled in that hour
 */
export async function insertHour(db: Db, hour: Date): Promise<number> {
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

/** The start of the current hour. Uptimes cover the hours before it. @param now null: the database's clock */
export async function readCurrentHour(db: Db, now: Date | null): Promise<Date> {
  const { rows } = await db.query<{ hour: Date }>(
    `select date_trunc('hour', coalesce($1::timestamptz, now())) as hour`,
    [now],
  )
  if (!rows[0]) throw new Error('the database returned no time')
  return rows[0].hour
}

/**
 * The uptimes that differ from server_uptime: answered ÷ polls over the 24 hours, 7 days and 30 days before `hour`.
 * Reads only: a long transaction that writes would hold back the change feed's cursor.
 */
export async function findChangedUptimes(db: Db, hour: Date): Promise<Uptime[]> {
  const hoursBefore = (hours: number) => new Date(hour.getTime() - hours * HOUR_MS)
  const { rows } = await db.query<Uptime>({
    // The windows are parameters: computed in the statement they would prevent a parallel scan, which is 7 times
    // faster.
    text: `
      with rolled as (
        select server_id,
          sum(answered) filter (where hour >= $2) as day_answered,
          sum(polls) filter (where hour >= $2) as day_polls,
          sum(answered) filter (where hour >= $3) as week_answered,
          sum(polls) filter (where hour >= $3) as week_polls,
          sum(answered) as month_answered,
          sum(polls) as month_polls
        from player_history_hours
        where hour >= $4 and hour < $1
        group by server_id),
      uptime as (
        select server_id,
          round(day_answered / day_polls::numeric, 4)::real as day,
          round(week_answered / week_polls::numeric, 4)::real as week,
          round(month_answered / month_polls::numeric, 4)::real as month
        from rolled)
      select shown.server_id as "serverId", uptime.day, uptime.week, uptime.month
      from server_uptime as shown
      join servers on servers.id = shown.server_id and servers.deleted_at is null
      left join uptime on uptime.server_id = shown.server_id
      where (shown.day, shown.week, shown.month) is distinct from (uptime.day, uptime.week, uptime.month)
      order by shown.server_id`,
    values: [hour, hoursBefore(24), hoursBefore(7 * 24), hoursBefore(30 * 24)],
    ...PATIENCE,
  })
  return rows
}

/** Stores new uptimes. @returns number of servers whose row changed */
export async function updateUptimes(db: Db, uptimes: Uptime[]): Promise<number> {
  const { rowCount } = await db.query(
    `update server_uptime as shown set day = uptime.day, week = uptime.week, month = uptime.month
     from unnest($1::uuid[], $2::real[], $3::real[], $4::real[]) as uptime (server_id, day, week, month)
     where shown.server_id = uptime.server_id
       and (shown.day, shown.week, shown.month) is distinct from (uptime.day, uptime.week, uptime.month)`,
    [
      uptimes.map((uptime) => uptime.serverId),
      uptimes.map((uptime) => uptime.day),
      uptimes.map((uptime) => uptime.week),
      uptimes.map((uptime) => uptime.month),
    ],
  )
  return rowCount ?? 0
}

/**
 * @returns number of deleted rows of one hour: the oldest that began `keepDays` ago or earlier and is rolled up to its
 * day; 0 if there is none
 */
export async function deleteOldestHour(db: Db, now: Date | null, keepDays: number): Promise<number> {
  const { rowCount } = await db.query({
    text: `
      delete from player_history_hours
      where hour = (select min(hour) from player_history_hours)
        and hour <= coalesce($1::timestamptz, now()) - make_interval(days => $2::integer)
        and exists (select from player_history_rolled_days where day = (hour at time zone 'utc')::date)`,
    values: [now, keepDays],
    ...PATIENCE,
  })
  return rowCount ?? 0
}
