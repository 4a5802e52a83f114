// SQL, because it works on sets: rolls hours up to uptimes, and deletes old ones.
import type { Db } from '../../platform/db/pool.ts'
import { PATIENCE } from './patience.ts'
import { OLDEST_ROWS } from './row-history.sql.ts'

/** Advisory lock of writers of roll-ups; the number is arbitrary but unique. */
const ROLL_UP_LOCK = 727_073_692
/** The month's uptime reads 30 days of hours; older hours are in their days' rows. */
export const HOURS_KEPT_DAYS = 32
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
 * @returns number of deleted rows of one hour: the oldest that began `keepDays` ago or earlier, is rolled up to its
 * day and can't be rolled up again from rows of player_history; 0 if there is none
 */
export async function deleteOldestHour(db: Db, now: Date | null, keepDays: number): Promise<number> {
  const { rowCount } = await db.query({
    text: `
      delete from player_history_hours
      where hour = (select min(hour) from player_history_hours)
        and hour <= coalesce($1::timestamptz, now()) - make_interval(days => $2::integer)
        and hour < coalesce(${OLDEST_ROWS}, 'infinity')
        and exists (select from player_history_rolled_days where day = (hour at time zone 'utc')::date)`,
    values: [now, keepDays],
    ...PATIENCE,
  })
  return rowCount ?? 0
}
