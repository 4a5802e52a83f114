// SQL, because it works on sets: the hours of days and of months.
import type { Db, Sql } from '../../platform/db/pool.ts'
import { STATEMENT_TIMEOUT } from '../../platform/db/statement-timeout.ts'
import { HOUR_MS } from '../../platform/durations.ts'
import type { Bucket } from './points.ts'

/** The hours of a server on a day, as columns of player_history_daily; zeros for hours without polls. */
export interface DayOfHours {
  serverId: string
  /** `2026-11-21`. */
  day: string
  polls: number[]
  answered: number[]
  playersSum: number[]
  playersMax: number[]
  maxPlayers: number[]
}

const DAY_OF_HOURS = `
  select server_id as "serverId", to_char(day, 'YYYY-MM-DD') as day, hour_polls as polls, hour_answered as answered,
    hour_players_sum as "playersSum", hour_players_max as "playersMax", hour_max_players as "maxPlayers"
  from player_history_daily
  where hour_polls is not null`

/** Those of its hours that have polls. */
export function hoursOf({ day, polls, answered, playersSum, playersMax, maxPlayers }: DayOfHours): Bucket[] {
  const start = Date.parse(day)
  return polls.flatMap((count, hour) =>
    count
      ? {
          at: new Date(start + hour * HOUR_MS),
          polls: count,
          answered: answered[hour] ?? 0,
          playersSum: playersSum[hour] ?? 0,
          playersMax: playersMax[hour] ?? 0,
          maxPlayers: maxPlayers[hour] ?? 0,
        }
      : [],
  )
}

/** The hours of a server on some days, which are read one page each. */
export async function findDaysOfHours(db: Sql, serverId: string, days: string[]): Promise<DayOfHours[]> {
  const { rows } = await db.query<DayOfHours>({
    name: 'history-days-of-hours',
    text: `${DAY_OF_HOURS} and server_id = $1 and day = any($2::date[])`,
    values: [serverId, days],
  })
  return rows
}

/** A rolled-up day whose hours are not in player_history_months, or not its last ones. */
export interface UnpackedDay {
  day: string
  /** Changes when the day is rolled up again. */
  version: string
}

export async function findUnpackedDays(db: Db): Promise<UnpackedDay[]> {
  const { rows } = await db.query<UnpackedDay>(
    `select to_char(day, 'YYYY-MM-DD') as day, xmin::text as version from player_history_rolled_days
     where not in_months
     order by 1`,
  )
  return rows
}

/** Records that days are in their months, but those that were rolled up again since their version was read. */
export async function markPacked(db: Db, days: UnpackedDay[]): Promise<void> {
  await db.query(
    `update player_history_rolled_days as rolled set in_months = rolled.xmin::text = packed.version
     from unnest($1::date[], $2::text[]) as packed (day, version)
     where rolled.day = packed.day`,
    [days.map(({ day }) => day), days.map(({ version }) => version)],
  )
}

/** Opens a cursor over the hours of days by server. Its session must be in a transaction. */
export async function openHoursCursor(session: Sql, days: UnpackedDay[]): Promise<void> {
  await session.query({
    text: `
      declare days no scroll cursor for ${DAY_OF_HOURS} and day in (${days.map(({ day }) => `'${day}'`).join()})
      order by server_id`,
    ...STATEMENT_TIMEOUT,
  })
}

export async function fetchHours(session: Sql, limit: number): Promise<DayOfHours[]> {
  const { rows } = await session.query<DayOfHours>({ text: `fetch ${limit} from days`, ...STATEMENT_TIMEOUT })
  return rows
}

export interface MonthOfHours {
  serverId: string
  hours: Buffer
}

/** @param month its first day */
export async function findMonths(db: Db, month: string, serverIds: string[]): Promise<MonthOfHours[]> {
  const { rows } = await db.query<MonthOfHours>({
    name: 'history-find-months',
    text: `
      select server_id as "serverId", hours from player_history_months
      where server_id = any($1::uuid[]) and month = $2::date`,
    values: [serverIds, month],
  })
  return rows
}

export async function upsertMonths(db: Db, month: string, servers: MonthOfHours[]): Promise<void> {
  await db.query({
    name: 'history-put-months',
    text: `
      insert into player_history_months (server_id, month, hours)
      select server_id, $2::date, hours from unnest($1::uuid[], $3::bytea[]) as packed (server_id, hours)
      on conflict (server_id, month) do update set hours = excluded.hours`,
    values: [servers.map(({ serverId }) => serverId), month, servers.map(({ hours }) => hours)],
  })
}

/** Deletes months that ended `keepDays` ago or earlier. @returns number of rows */
export async function deleteOldMonths(db: Db, now: Date, keepDays: number): Promise<number> {
  const { rowCount } = await db.query({
    text: `
      delete from player_history_months
      where month < date_trunc('month', $1::timestamptz at time zone 'utc' - make_interval(days => $2::integer))`,
    values: [now, keepDays],
    ...STATEMENT_TIMEOUT,
  })
  return rowCount ?? 0
}
