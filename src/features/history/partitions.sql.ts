// SQL, because it is DDL: partitions of player_history, one table per UTC day (d20261121), in a schema that migrations
// ignore.
import type { Sql } from '../../platform/db/pool.ts'

export const PARTITIONS = 'player_history_days'

export interface Day {
  /** Table name, `d20261121`. */
  table: string
  /** The start of the day and of the next day, as timestamptz literals. */
  start: string
  end: string
}

export interface PartitionState {
  table: string
  /** False for a table that is not, or no longer, a partition. */
  attached: boolean
  /** A `detach … concurrently` was started and did not finish. */
  detaching: boolean
}

/**
 * The UTC days from `from` on (null: yesterday, by the database's clock) without a partition.
 * Takes no lock on player_history.
 */
export async function findMissingDays(db: Sql, from: Date | null, days: number): Promise<Day[]> {
  const { rows } = await db.query<Day>(
    `select to_char(day, '"d"YYYYMMDD') as "table", to_char(day, 'YYYY-MM-DD"T00:00:00Z"') as "start",
       to_char(day + interval '1 day', 'YYYY-MM-DD"T00:00:00Z"') as "end"
     from generate_series(0, $2::integer - 1) as ahead,
       lateral (select date_trunc('day', coalesce($1::timestamptz, now() - interval '1 day') at time zone 'utc')
         + ahead * interval '1 day' as day) as days
     where not exists (
       select from pg_inherits
       join pg_class on pg_class.oid = inhrelid
       where inhparent = 'player_history'::regclass and relnamespace = $3::regnamespace
         and relname = to_char(day, '"d"YYYYMMDD'))
     order by day`,
    [from, days, PARTITIONS],
  )
  return rows
}

/** Tables of days that ended at or before `now - retentionDays` (`now` null: the database's clock). */
export async function findOldPartitions(db: Sql, now: Date | null, retentionDays: number): Promise<PartitionState[]> {
  const { rows } = await db.query<PartitionState>(
    `select relname as "table", inhrelid is not null as attached, coalesce(inhdetachpending, false) as detaching
     from pg_class
     left join pg_inherits on inhrelid = pg_class.oid and inhparent = 'player_history'::regclass
     where relnamespace = $3::regnamespace and relkind = 'r' and relname ~ '^d[0-9]{8}$'
       and (to_date(substr(relname, 2), 'YYYYMMDD') + interval '1 day') at time zone 'utc'
         <= coalesce($1::timestamptz, now()) - make_interval(days => $2::integer)
     order by relname`,
    [now, retentionDays, PARTITIONS],
  )
  return rows
}

/**
 * Creates the table of a day, unattached, which locks nothing that polls use. A table that was detached by hand is
 * kept.
 */
export async function createDayTable(db: Sql, { table }: Day): Promise<void> {
  await db.query(`create table if not exists ${PARTITIONS}.${table} (like player_history including all)`)
}

/**
 * Rows arrive in time order, so a block range index finds an hour's rows at almost no cost to inserts.
 * The primary key starts with the server, so finding an hour by it would read the whole day.
 */
export async function createDayIndex(db: Sql, { table }: Day): Promise<void> {
  await db.query(
    `create index if not exists ${table}_polled_at_idx on ${PARTITIONS}.${table} using brin (polled_at) with (pages_per_range = 32, autosummarize = on)`,
  )
}

/**
 * Takes a share update exclusive lock on player_history: unlike `create table … partition of`, it blocks no inserts and
 * reads.
 */
export async function attachDayTable(db: Sql, { table, start, end }: Day): Promise<void> {
  await db.query(
    `alter table player_history attach partition ${PARTITIONS}.${table} for values from ('${start}') to ('${end}')`,
  )
}

/** Runs outside a transaction block. Waits for the table's current users without blocking others. */
export async function detachConcurrently(db: Sql, table: string): Promise<void> {
  await db.query(`alter table player_history detach partition ${PARTITIONS}.${table} concurrently`)
}

/** Completes an interrupted `detachConcurrently`. */
export async function finalizeDetach(db: Sql, table: string): Promise<void> {
  await db.query(`alter table player_history detach partition ${PARTITIONS}.${table} finalize`)
}

/** For a detached table: takes no lock on player_history. */
export async function dropDayTable(db: Sql, table: string): Promise<void> {
  await db.query(`drop table if exists ${PARTITIONS}.${table}`)
}
