// SQL, because it works on sets: rolls hours up to uptimes, and deletes old ones.
import { namedParameters } from '../../platform/db/named-parameters.ts'
import type { Db, Sql } from '../../platform/db/pool.ts'
import { limitStatements, STATEMENT_TIMEOUT } from '../../platform/db/statement-timeout.ts'
import { DAY_MS } from '../../platform/durations.ts'
import { HIGHEST_BELOW_ONE } from './points.ts'

/** Advisory lock of writers of roll-ups; the number is arbitrary but unique. */
const ROLL_UP_LOCK = 727_073_692
/** Hours of rolled-up days are in their days' rows; uptimes and totals read those of the last day. */
export const HOURS_RETENTION_DAYS = 4

export interface Uptime {
  serverId: string
  /** Mean of each hour's share of answered polls, 0..1, to four decimals; null if the window has no rolled-up hour. */
  day: number | null
  week: number | null
  month: number | null
}

/**
 * Waits for other writers of roll-ups, which would write the same rows in another order. Held until the transaction
 * ends, whose statements PostgreSQL therefore limits: one that the process no longer waits for would keep the lock.
 */
export async function lockRollUps(tx: Db): Promise<void> {
  await limitStatements(tx)
  await tx.query({ text: 'select pg_advisory_xact_lock($1)', values: [ROLL_UP_LOCK], ...STATEMENT_TIMEOUT })
}

/** The same for all of a session. */
export async function lockRollUpsOfSession(session: Sql): Promise<void> {
  await session.query({ text: 'select pg_advisory_lock($1)', values: [ROLL_UP_LOCK], ...STATEMENT_TIMEOUT })
}

/**
 * The uptimes that differ from server_uptime, over the 24 hours, 7 days and 30 days before `hour`: the mean of each
 * hour's share of answered polls, because a server that is down is polled less often. Whole days before `daysTo` are
 * read from their rows, a day in which a window begins from its hours there. Reads only: a long transaction that writes
 * would hold back the change feed's cursor.
 */
export async function findChangedUptimes(db: Db, hour: Date, daysTo: Date | null): Promise<Uptime[]> {
  const [dayFrom, weekFrom, monthFrom] = [1, 7, 30].map((days) => new Date(hour.getTime() - days * DAY_MS))
  const { rows } = await db.query<Uptime>(
    namedParameters({
      // The windows are parameters: computed in the statement they would prevent a parallel scan.
      text: `
      with parts as (
        select server_id, 1 as hours, answered::real / polls as shares, hour >= $dayFrom as in_day,
          hour >= $weekFrom and hour >= $daysTo as in_week, hour >= $monthFrom and hour >= $daysTo as in_month
        from player_history_hours
        where hour < $hour and (hour >= $dayFrom or hour >= $monthFrom and hour >= $daysTo)
        union all
        -- days that an earlier release rolled up have the polls only
        select server_id, coalesce(uptime_hours, 24) as hours, coalesce(uptime_shares, 24 * answered::real / polls) as shares,
          false as in_day, day >= $firstDayOfWeek::date as in_week, true as in_month
        from player_history_daily
        where day >= $firstDayOfMonth::date and day < ($daysTo at time zone 'utc')::date
        union all
        select server_id, hours, shares, false as in_day, is_week as in_week, not is_week as in_month
        from player_history_daily
        join (values (($weekFrom at time zone 'utc')::date, extract(hour from $weekFrom at time zone 'utc')::integer, true),
          (($monthFrom at time zone 'utc')::date, extract(hour from $monthFrom at time zone 'utc')::integer, false))
          as first_days (day, begins, is_week) using (day)
        cross join lateral (
          select count(*) as hours, sum(answered::real / polls) as shares
          from unnest(hour_polls[begins + 1:], hour_answered[begins + 1:]) as hour (polls, answered)
          where hour.polls > 0) as rest
        where begins > 0 and day < ($daysTo at time zone 'utc')::date),
      rolled as (
        select server_id,
          sum(shares) filter (where in_day) as day_shares, sum(hours) filter (where in_day) as day_hours,
          sum(shares) filter (where in_week) as week_shares, sum(hours) filter (where in_week) as week_hours,
          sum(shares) filter (where in_month) as month_shares, sum(hours) filter (where in_month) as month_hours
        from parts
        group by server_id),
      uptime as (
        select server_id,
          ${meanOf('day')}, ${meanOf('week')}, ${meanOf('month')}
        from rolled)
      select shown.server_id as "serverId", uptime.day, uptime.week, uptime.month
      from server_uptime as shown
      join servers on servers.id = shown.server_id and servers.deleted_at is null
      left join uptime on uptime.server_id = shown.server_id
      where (shown.day, shown.week, shown.month) is distinct from (uptime.day, uptime.week, uptime.month)
      order by shown.server_id`,
      values: {
        hour,
        dayFrom,
        weekFrom,
        monthFrom,
        daysTo: daysTo ?? monthFrom,
        firstDayOfWeek: firstDayFrom(weekFrom),
        firstDayOfMonth: firstDayFrom(monthFrom),
      },
      ...STATEMENT_TIMEOUT,
    }),
  )
  return rows
}

const meanOf = (window: 'day' | 'week' | 'month') =>
  `least(round((${window}_shares / nullif(${window}_hours, 0))::numeric, 4),
            case when ${window}_shares < ${window}_hours then ${HIGHEST_BELOW_ONE} end)::real as ${window}`

/** The first day that begins at this time or later. */
const firstDayFrom = (time: Date | undefined) =>
  new Date(Math.ceil((time?.getTime() ?? 0) / DAY_MS) * DAY_MS).toISOString().slice(0, 10)

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

/** @returns the oldest hour of any server; null: there is none */
export async function findOldestHour(db: Db): Promise<Date | null> {
  const { rows } = await db.query<{ hour: Date | null }>({
    text: 'select min(hour) as hour from player_history_hours',
    ...STATEMENT_TIMEOUT,
  })
  return rows[0]?.hour ?? null
}

/** @returns number of deleted rows */
export async function deleteHour(db: Db, hour: Date): Promise<number> {
  const { rowCount } = await db.query({
    text: 'delete from player_history_hours where hour = $1',
    values: [hour],
    ...STATEMENT_TIMEOUT,
  })
  return rowCount ?? 0
}
