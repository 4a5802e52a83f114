// SQL, because a batch is set aside at once: bytes of history that can't be decoded.
import type { Db } from '../../platform/db/pool.ts'
import { DAY_MS } from '../../platform/durations.ts'

export interface Unreadable {
  serverId: string
  /** The table they were in, without its prefix. */
  source: 'recent' | 'open' | 'months'
  /** The day, or the month's first; null: polls that were not rolled up. */
  day: string | null
  bytes: Buffer
}

/** Keeps bytes that are taken out of their table in the same transaction. */
export async function insertUnreadable(db: Db, unreadable: Unreadable[]): Promise<void> {
  if (!unreadable.length) return
  await db.query(
    `insert into player_history_unreadable (server_id, source, day, bytes)
     select * from unnest($1::uuid[], $2::text[], $3::date[], $4::bytea[])`,
    [
      unreadable.map(({ serverId }) => serverId),
      unreadable.map(({ source }) => source),
      unreadable.map(({ day }) => day),
      unreadable.map(({ bytes }) => bytes),
    ],
  )
}

/** What was set aside since the last call. */
export async function markUnreadableReported(
  db: Db,
): Promise<{ serverId: string; source: string; day: string | null }[]> {
  const { rows } = await db.query<{ serverId: string; source: string; days: number | null }>(
    // Citus allows no to_char in `returning`.
    `update player_history_unreadable set is_reported = true where not is_reported
     returning server_id as "serverId", source, day - date '1970-01-01' as days`,
  )
  return rows.map(({ serverId, source, days }) => ({
    serverId,
    source,
    day: days === null ? null : dayAfter1970(days),
  }))
}

const dayAfter1970 = (days: number) => new Date(days * DAY_MS).toISOString().slice(0, 10)

/** @returns how much is set aside, of how many servers, and since when; null: nothing */
export async function readUnreadable(db: Db): Promise<{ chunks: number; servers: number; since: Date } | null> {
  const { rows } = await db.query<{ chunks: number; servers: number; since: Date | null }>(
    `select count(*) as chunks, count(distinct server_id) as servers, min(found_at) as since from player_history_unreadable`,
  )
  const [row] = rows
  return row?.since ? { ...row, since: row.since } : null
}
