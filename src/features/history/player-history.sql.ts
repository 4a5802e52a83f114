// SQL, because it reads what is known of the roll-ups in one statement.
import type { Sql } from '../../platform/db/pool.ts'
import { decodeHours } from './hour-bytes.ts'
import { unlessDamaged } from './packed-numbers.ts'
import type { Bucket } from './points.ts'

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
  return rows.flatMap(({ hours }) => unlessDamaged(decodeHours, hours) ?? [])
}

/** Exported for a test that counts the pages it reads. */
export const FIND_HOURS = `
  select hours from player_history_months
  where server_id = $1 and month >= date_trunc('month', $2::timestamptz at time zone 'utc')
    and month < $3::timestamptz at time zone 'utc'`
