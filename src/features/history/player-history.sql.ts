// SQL, because reads span tables and batches: the hours and samples of servers, and how far they are rolled up.
import type { Sql } from '../../platform/db/pool.ts'
import { decodeHours } from './hour-bytes.ts'
import { decodeUnlessDamaged } from './packed-numbers.ts'
import type { Bucket } from './points.ts'
import { decodeSamples, type Sample } from './sample-bytes.ts'

/** Up to when history is rolled up, by the database's clock. */
export interface RolledUp {
  now: Date
  /** End of the last rolled-up day; null if there is none. */
  daysTo: Date | null
  /** Rolled-up days whose hours are not in their months, `2026-11-21`. */
  unpacked: string[]
}

export async function readRolledUp(db: Sql): Promise<RolledUp> {
  const { rows } = await db.query<RolledUp>({
    name: 'history-rolled-up',
    text: `
      select now() as now,
        (select (max(day) + 1)::timestamp at time zone 'utc' from player_history_rolled_days) as "daysTo",
        array(select to_char(day, 'YYYY-MM-DD') from player_history_rolled_days where not in_months) as unpacked`,
  })
  if (!rows[0]) throw new Error('the database returned no time')
  return rows[0]
}

/**
 * Hours of a server that its months have, from the first to the last month of this time; none of a month that can't be
 * decoded.
 */
export async function findHours(db: Sql, serverId: string, from: Date, to: Date): Promise<Bucket[]> {
  const { rows } = await db.query<{ hours: Buffer }>({
    name: 'history-hours',
    text: FIND_HOURS,
    values: [serverId, from, to],
  })
  return rows.flatMap(({ hours }) => decodeUnlessDamaged(decodeHours, hours) ?? [])
}

/** Exported for a test that counts the pages it reads. */
export const FIND_HOURS = `
  select hours from player_history_months
  where server_id = $1 and month >= date_trunc('month', $2::timestamptz at time zone 'utc')
    and month < $3::timestamptz at time zone 'utc'`

/**
 * Samples of servers from `from` until before `to`, in any order, by server id in lower case; without bytes that can't
 * be decoded. Reads three tables in one snapshot: a roll-up may move samples between them at any time.
 */
export async function findSamples(
  db: Sql,
  serverIds: readonly string[],
  from: Date,
  to: Date,
): Promise<Map<string, Sample[]>> {
  const { rows } = await db.query<{ serverId: string; samples: Buffer }>({
    name: 'history-samples',
    text: FIND_SAMPLES,
    values: [serverIds, from, to],
  })
  const [first, end] = [from.getTime() / 1000, to.getTime() / 1000]
  const found = new Map<string, Sample[]>()
  for (const { serverId, samples } of rows) {
    const inTime = (decodeUnlessDamaged(decodeSamples, samples) ?? []).filter(({ at }) => at >= first && at < end)
    const known = found.get(serverId)
    if (known) known.push(...inTime)
    else found.set(serverId, inTime)
  }
  return found
}

/** Exported for a test that counts the pages it reads. */
export const FIND_SAMPLES = `
  select server_id as "serverId", samples from player_history_recent
  where server_id = any($1::uuid[])
  union all
  select server_id, samples from player_history_open
  where server_id = any($1::uuid[]) and day >= ($2::timestamptz at time zone 'utc')::date
  union all
  select server_id, samples from player_history_chunks
  where server_id = any($1::uuid[])
    and day >= ($2::timestamptz at time zone 'utc')::date and day <= ($3::timestamptz at time zone 'utc')::date`

/** The end of the last hour that is rolled up; null if there is none. */
export async function readHoursTo(db: Sql): Promise<Date | null> {
  const { rows } = await db.query<{ to: Date | null }>({
    name: 'history-hours-to',
    text: 'select rolled_to as "to" from player_history_progress',
  })
  return rows[0]?.to ?? null
}

/**
 * Average players of servers in an hour, from polls that were answered, by server id.
 * @param after the last server of the previous batch; null: the first batch
 */
export async function findPlayersOfHour(
  db: Sql,
  { hour, after, limit }: { hour: Date; after: string | null; limit: number },
): Promise<{ serverId: string; players: number }[]> {
  const { rows } = await db.query<{ serverId: string; players: number }>({
    name: 'history-players-of-hour',
    text: `
      select server_id as "serverId", round(players_sum::float8 / answered)::float8 as players
      from player_history_hours
      where hour = $1 and answered > 0 and ($2::uuid is null or server_id > $2)
      order by server_id
      limit $3`,
    values: [hour, after, limit],
  })
  return rows
}

/**
 * Average players of servers in each of the last whole hours, from polls that were answered.
 * @returns `to`: the end of the last hour that is rolled up; null if there is none
 */
export async function findPlayersByHour(
  db: Sql,
  serverIds: readonly string[],
  hours: number,
): Promise<{ to: Date | null; rows: { serverId: string; hour: Date; players: number }[] }> {
  const to = await readHoursTo(db)
  if (!to || !serverIds.length) return { to, rows: [] }
  const { rows } = await db.query<{ serverId: string; hour: Date; players: number }>({
    name: 'history-players-by-hour',
    text: `
      select server_id as "serverId", hour, round(players_sum::float8 / answered)::float8 as players
      from player_history_hours
      where server_id = any($1::uuid[]) and hour >= $2::timestamptz - make_interval(hours => $3) and hour < $2 and answered > 0`,
    values: [serverIds, to, hours],
  })
  return { to, rows }
}
