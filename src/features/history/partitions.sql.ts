// SQL, because it is DDL: the partitions of player_history_chunks, one table per UTC day (c20261121), in a schema that
// migrations ignore.
import type { Sql } from '../../platform/db/pool.ts'
import { DAY_MS } from '../../platform/durations.ts'

const PARTITIONS = 'player_history_days'

export interface PartitionState {
  table: string
  /** False for a table that is not, or no longer, a partition. */
  attached: boolean
  /** A `detach … concurrently` was started and did not finish. */
  detaching: boolean
}

/** @returns those of the UTC days (`20261121`) that have no partition. Takes no lock on the parent. */
export async function findMissingDays(db: Sql, days: string[]): Promise<string[]> {
  const { rows } = await db.query<{ day: string }>(
    `select day from unnest($1::text[]) as day
     where not exists (
       select from pg_inherits
       join pg_class on pg_class.oid = inhrelid
       where inhparent = 'player_history_chunks'::regclass and relnamespace = $2::regnamespace
         and relname = 'c' || day)
     order by day`,
    [days, PARTITIONS],
  )
  return rows.map(({ day }) => day)
}

/** Tables of days that ended at or before `now - retentionDays`. */
export async function findOldPartitions(db: Sql, now: Date, retentionDays: number): Promise<PartitionState[]> {
  const { rows } = await db.query<PartitionState>(
    `select relname as "table", inhrelid is not null as attached, coalesce(inhdetachpending, false) as detaching
     from pg_class
     left join pg_inherits on inhrelid = pg_class.oid and inhparent = 'player_history_chunks'::regclass
     where relnamespace = $3::regnamespace and relkind = 'r' and relname ~ '^c[0-9]{8}$'
       and (to_date(substr(relname, 2), 'YYYYMMDD') + interval '1 day') at time zone 'utc'
         <= $1::timestamptz - make_interval(days => $2::integer)
     order by relname`,
    [now, retentionDays, PARTITIONS],
  )
  return rows
}

/**
 * Creates the table of a day, unattached, which locks nothing that others use. A table that was detached by hand is
 * kept.
 */
export async function createDayTable(db: Sql, day: string): Promise<void> {
  await db.query(`create table if not exists ${PARTITIONS}.c${day} (like player_history_chunks including all)`)
}

/**
 * Takes a share update exclusive lock on the parent: unlike `create table … partition of`, it blocks no inserts and
 * reads.
 */
export async function attachDayTable(db: Sql, day: string): Promise<void> {
  const start = day.replace(/^(....)(..)(..)$/, '$1-$2-$3')
  const end = new Date(Date.parse(start) + DAY_MS).toISOString().slice(0, 10)
  await db.query(
    `alter table player_history_chunks attach partition ${PARTITIONS}.c${day} for values from ('${start}') to ('${end}')`,
  )
}

/** Runs outside a transaction block. Waits for the table's current users without blocking others. */
export async function detachConcurrently(db: Sql, table: string): Promise<void> {
  await db.query(`alter table player_history_chunks detach partition ${PARTITIONS}.${table} concurrently`)
}

/** Waits for the users of all days, and new ones wait for it. */
export async function detach(db: Sql, table: string): Promise<void> {
  await db.query(`alter table player_history_chunks detach partition ${PARTITIONS}.${table}`)
}

/** Completes an interrupted `detachConcurrently`. */
export async function finalizeDetach(db: Sql, table: string): Promise<void> {
  await db.query(`alter table player_history_chunks detach partition ${PARTITIONS}.${table} finalize`)
}

/** Drops a detached table: takes no lock on the parent. */
export async function dropDayTable(db: Sql, table: string): Promise<void> {
  await db.query(`drop table if exists ${PARTITIONS}.${table}`)
}
