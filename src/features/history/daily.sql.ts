// SQL, because it works on sets: rolls hours up to days and deletes what is past its retention.
import type { Db } from '../../platform/db/pool.ts'
import { STATEMENT_TIMEOUT } from '../../platform/db/statement-timeout.ts'
import { findOldestHour } from './roll-up.sql.ts'

/**
 * Days that ended by then, whose hours are complete and that are not rolled up, oldest first, as far back as hours
 * exist.
 */
export async function findDaysToRollUp(db: Db, endedBy: Date): Promise<string[]> {
  const { rows } = await db.query<{ day: string }>(
    `select to_char(days.day, 'YYYY-MM-DD') as day
     from generate_series(
       date_trunc('day', $2::timestamptz at time zone 'utc'),
       $1::timestamptz at time zone 'utc' - interval '1 day',
       interval '1 day') as days (day)
     where not exists (select from player_history_rolled_days as done where done.day = days.day)
       and days.day + interval '1 day' <= (select rolled_to from player_history_progress) at time zone 'utc'
     order by 1`,
    [endedBy, await findOldestHour(db)],
  )
  return rows.map(({ day }) => day)
}

/**
 * Rolls up the hours of a day: one row per polled server with its 24 hours in order, zeros for hours without polls.
 * Updates a day that exists already, for hours that were rolled up late.
 */
export async function upsertDay(db: Db, day: string): Promise<void> {
  await db.query({
    text: `
      insert into player_history_daily (server_id, day, polls, answered, players_sum, players_max, max_players,
        uptime_hours, uptime_shares, hour_polls, hour_answered, hour_players_sum, hour_players_max, hour_max_players)
      select server_id, $1::date, sum(polls), sum(answered), sum(players_sum), max(players_max), max(max_players),
        count(*) filter (where polls > 0), sum(answered::real / nullif(polls, 0)),
        array_agg(least(polls, 32767)::smallint order by hour), array_agg(least(answered, 32767)::smallint order by hour),
        array_agg(players_sum order by hour), array_agg(players_max order by hour), array_agg(max_players order by hour)
      from (
        -- all 24 hours for every server, so that the index in the arrays is the hour
        select polled.server_id, day.hour, coalesce(polls, 0) as polls, coalesce(answered, 0) as answered,
          coalesce(players_sum, 0) as players_sum, coalesce(players_max, 0) as players_max,
          coalesce(max_players, 0) as max_players
        from (
          select distinct server_id from player_history_hours
          where hour >= $1::date::timestamp at time zone 'utc' and hour < ($1::date + 1)::timestamp at time zone 'utc') as polled
        cross join (
          select $1::date::timestamp at time zone 'utc' + n * interval '1 hour' as hour
          from generate_series(0, 23) as n) as day
        left join (
          select * from player_history_hours
          where hour >= $1::date::timestamp at time zone 'utc' and hour < ($1::date + 1)::timestamp at time zone 'utc') as hours
          on hours.server_id = polled.server_id and hours.hour = day.hour) as complete
      group by server_id
      on conflict (server_id, day) do update set
        polls = excluded.polls, answered = excluded.answered, players_sum = excluded.players_sum,
        players_max = excluded.players_max, max_players = excluded.max_players,
        uptime_hours = excluded.uptime_hours, uptime_shares = excluded.uptime_shares,
        hour_polls = excluded.hour_polls, hour_answered = excluded.hour_answered,
        hour_players_sum = excluded.hour_players_sum, hour_players_max = excluded.hour_players_max,
        hour_max_players = excluded.hour_max_players
      where player_history_daily.hour_polls is distinct from excluded.hour_polls`,
    values: [day],
    ...STATEMENT_TIMEOUT,
  })
}

/** @returns number of servers whose day is rolled up */
export async function countServersOf(db: Db, day: string): Promise<number> {
  const { rows } = await db.query<{ servers: number }>({
    text: 'select count(*) as servers from player_history_daily where day = $1::date',
    values: [day],
    ...STATEMENT_TIMEOUT,
  })
  return rows[0]?.servers ?? 0
}

/** @returns those of the days of these hours that are rolled up */
export async function findRolledDays(db: Db, hours: Date[]): Promise<Set<string>> {
  if (!hours.length) return new Set()
  const { rows } = await db.query<{ day: string }>(
    `select to_char(day, 'YYYY-MM-DD') as day from player_history_rolled_days where day = any($1::date[])`,
    [daysOf(hours)],
  )
  return new Set(rows.map(({ day }) => day))
}

const daysOf = (hours: Date[]) => [...new Set(hours.map((hour) => hour.toISOString().slice(0, 10)))]

/** Records that a day is rolled up. Call it in the same transaction. */
export async function markRolledUp(db: Db, day: string, servers: number): Promise<void> {
  await db.query(
    `insert into player_history_rolled_days (day, servers) values ($1::date, $2)
     on conflict (day) do update set servers = excluded.servers`,
    [day, servers],
  )
}

/** Marks the days of late hours for another roll-up, if they were rolled up without them. */
export async function unmarkRolledUp(db: Db, hours: Date[]): Promise<void> {
  await db.query('delete from player_history_rolled_days where day = any($1::date[])', [daysOf(hours)])
}

export interface ExpiredDay {
  day: string
  /** The rows of the day, or only their values of each hour. */
  expired: 'rows' | 'hours'
}

/**
 * How long the rows of a day keep the values of its hours, which uptimes read: a month, and the day in which it begins.
 */
const HOURS_OF_DAYS_KEPT_DAYS = 32

/**
 * Rolled-up days past their retention, oldest first: older than `keptDays`, or with hours that are in their months and
 * not needed otherwise.
 */
export async function findExpiredDays(db: Db, now: Date, keptDays: number): Promise<ExpiredDay[]> {
  const { rows } = await db.query<ExpiredDay>(
    `with today as (select ($1::timestamptz at time zone 'utc')::date as today)
     select to_char(day, 'YYYY-MM-DD') as day, case when day < today - $3::integer then 'rows' else 'hours' end as expired
     from player_history_rolled_days, today
     where day < today - $3::integer or (has_hours and in_months and day < today - $2::integer)
     order by 1`,
    [now, HOURS_OF_DAYS_KEPT_DAYS, keptDays],
  )
  return rows
}

/** Deletes the hours of a day and keeps its totals. */
export async function deleteHoursOfDay(db: Db, day: string): Promise<void> {
  await db.query({
    text: `
      update player_history_daily
      set hour_polls = null, hour_answered = null, hour_players_sum = null, hour_players_max = null, hour_max_players = null
      where day = $1::date and hour_polls is not null`,
    values: [day],
    ...STATEMENT_TIMEOUT,
  })
  await db.query('update player_history_rolled_days set has_hours = false where day = $1::date', [day])
}

export async function deleteDay(db: Db, day: string): Promise<void> {
  await db.query({ text: 'delete from player_history_daily where day = $1::date', values: [day], ...STATEMENT_TIMEOUT })
  await db.query('delete from player_history_rolled_days where day = $1::date', [day])
}
