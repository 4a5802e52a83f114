// SQL, because the change feed reads PostgreSQL's snapshots: the database's position, and each table's rows that a
// reader has not seen.
import { setImmediate } from 'node:timers/promises'
import type { QueryResultRow } from 'pg'
import type { Sql } from '../../platform/db/pool.ts'
import { DIRECTORY_CHANGED, everListedIn, listedIn } from '../servers/index.ts'
import {
  COUNTERS_COLUMNS,
  type CountersRow,
  type ServerRow,
  STATUS_COLUMNS,
  type StatusRow,
  selectList,
  serverColumns,
  UPTIME_COLUMNS,
  type UptimeRow,
} from './engine/rows.ts'

/** The position of a read: which transactions it saw, and what says whether two positions can be compared. */
export interface Position {
  /** pg_snapshot as text: every transaction that counts as seen here was seen. */
  snapshot: string
  /** Increases from read to read, unless the database went back in time. */
  xmax: bigint
  /** The read saw nothing in the log (WAL) after this position, in bytes. */
  lsn: number
  /**
   * Changes if another server took over (a failover or a restored backup starts a new timeline) or the table was
   * emptied or restored (its file changes): then positions can't be compared.
   */
  timelineAndFile: string
  /**
   * Differs between databases, and a new one begins with a crash of the primary, which may lose the last commits
   * and reuse their ids.
   */
  databaseEpoch: string
}

/** What to read of a table: everything, or what `since` could not see plus these servers' rows of any age. */
export type Scope = 'all' | { since: Position; servers: readonly string[] }

/** Starts a transaction in which every statement sees the same state. */
export const beginReadTransaction = (db: Sql) => db.query('begin isolation level repeatable read read only')
export const endReadTransaction = (db: Sql) => db.query('commit')

export const listenForChanges = (db: Sql) => db.query(`listen ${DIRECTORY_CHANGED}`)

// A crash resets these statistics, a clean restart keeps them.
const DATABASE_EPOCH = `concat_ws(' ', (select system_identifier from pg_control_system()),
  (select oid from pg_database where datname = current_database()), pg_stat_get_bgwriter_stat_reset_time())`

/** A standby that follows a new primary has the new timeline once its control file has: at the next restart point. */
const TIMELINE = `case when pg_is_in_recovery()
  then (select lpad(upper(to_hex(greatest(timeline_id, min_recovery_end_timeline))), 8, '0')
    from pg_control_checkpoint(), pg_control_recovery())
  else substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) end`

/** Equal for all database servers that write or replay the same log: only then positions in it can be compared. */
const LOG_TIMELINE = `(select system_identifier from pg_control_system()) || ' ' || ${TIMELINE}`

const bytesOfLog = (lsn: string) => `(${lsn} - '0/0'::pg_lsn)::float8`

/**
 * Call it after `beginReadTransaction`. On a standby, only `StandbyState.snapshot` says which transactions were seen.
 */
export async function readPosition(db: Sql): Promise<Position> {
  const { rows } = await db.query<Omit<Position, 'xmax'> & { xmax: string }>(`
    select pg_current_snapshot()::text as snapshot, ${DATABASE_EPOCH} as "databaseEpoch",
           pg_snapshot_xmax(pg_current_snapshot())::text as xmax,
           case when pg_is_in_recovery() then ${bytesOfLog('pg_last_wal_replay_lsn()')}
             else ${bytesOfLog('pg_current_wal_insert_lsn()')} end as lsn,
           ${TIMELINE} || ' ' || pg_relation_filenode('servers') as "timelineAndFile"`)
  const [row] = rows
  if (!row) throw new Error('the database returned no position')
  return { ...row, xmax: BigInt(row.xmax) }
}

/** How far the primary has written its log. */
export interface PrimaryState {
  /** The same as `Position.databaseEpoch`. */
  databaseEpoch: string
  logTimeline: string
  /** End of the log that is on disk: includes every acknowledged commit, except those that do not wait for the disk. */
  lsn: number
}

export async function readPrimary(db: Sql): Promise<PrimaryState> {
  const { rows } = await db.query<PrimaryState>(
    `select ${DATABASE_EPOCH} as "databaseEpoch", ${LOG_TIMELINE} as "logTimeline", ${bytesOfLog('pg_current_wal_flush_lsn()')} as lsn`,
  )
  if (!rows[0]) throw new Error('the primary returned no state')
  return rows[0]
}

/** How far a standby has replayed the log. */
export interface StandbyState {
  isStandby: boolean
  logTimeline: string
  /** End of the replayed log; null if the server never was a standby. */
  lsn: number | null
  /** A later read sees every transaction that this snapshot counts as visible. */
  snapshot: string
}

/**
 * A standby's pg_current_snapshot() does not list the running transactions, so each is asked for: first those that were
 * running in `since`, then those that began later. An id that the standby does not know counts as running.
 * @param since snapshot of an earlier read; undefined: there was none
 */
export async function readStandby(db: Sql, since: string | undefined): Promise<StandbyState> {
  const { rows } = await db.query<StandbyState>({
    text: `
      with earlier as (
        select coalesce($1::pg_snapshot, concat_ws(':', xmin, xmin, '')::pg_snapshot) as snapshot
        from pg_snapshot_xmin(pg_current_snapshot()) as xmin),
      later as (
        select greatest(pg_snapshot_xmax(snapshot)::text::int8, pg_snapshot_xmax(pg_current_snapshot())::text::int8) as xmax
        from earlier),
      running as (
        select xid::text::int8 as xid
        from (
          select pg_snapshot_xip(snapshot) from earlier
          union all
          select id::text::xid8
          from earlier, later, generate_series(pg_snapshot_xmax(snapshot)::text::int8, xmax - 1) as id) as known (xid)
        where case when xid < pg_snapshot_xmax(pg_current_snapshot()) then pg_xact_status(xid) = 'in progress' else true end)
      select pg_is_in_recovery() as "isStandby", ${LOG_TIMELINE} as "logTimeline", ${bytesOfLog('pg_last_wal_replay_lsn()')} as lsn,
        (select concat_ws(':', coalesce(min(xid), xmax), xmax, coalesce(string_agg(xid::text, ',' order by xid), ''))
          from later left join running on true group by xmax) as snapshot`,
    values: [since],
  })
  if (!rows[0]) throw new Error('the standby returned no state')
  return rows[0]
}

/**
 * Rows written by transactions that $1, the previous read's snapshot, could not see. Transaction ids are assigned
 * before the commit, so "greater than the greatest seen" would miss a transaction that commits late; this misses none.
 * - The first line makes it an index range; the last excludes what that read did see while an older transaction stays
 * open.
 * - The upper bound excludes rows of a restored dump, whose ids this database has not reached.
 */
const NOT_SEEN = `changed_in >= pg_snapshot_xmin($1::pg_snapshot)
  and changed_in < pg_snapshot_xmax(pg_current_snapshot())
  and not pg_visible_in_snapshot(changed_in, $1::pg_snapshot)`

/** @param since undefined: reads all listed servers */
export function readServers(
  db: Sql,
  since: Position | undefined,
  requireVerified: boolean,
  take: (row: ServerRow) => void,
): Promise<number> {
  const select = (listed: string) =>
    `select ${selectList(serverColumns(listed))} from servers left join server_profiles on server_id = id`
  const listed = listedIn({ requireVerified })
  if (!since) return stream(db, `${select('true')} where ${listed}`, [], take)
  return stream(
    db,
    `${select(listed)} where ${NOT_SEEN} and ${everListedIn({ requireVerified })}`,
    [since.snapshot],
    take,
  )
}

export const readStatuses = (db: Sql, scope: Scope, take: (row: StatusRow) => void): Promise<number> =>
  readDetails(db, `select ${selectList(STATUS_COLUMNS)} from server_status`, scope, take)

export const readCounters = (db: Sql, scope: Scope, take: (row: CountersRow) => void): Promise<number> =>
  readDetails(db, `select ${selectList(COUNTERS_COLUMNS)} from server_counters`, scope, take)

export const readUptimes = (db: Sql, scope: Scope, take: (row: UptimeRow) => void): Promise<number> =>
  readDetails(db, `select ${selectList(UPTIME_COLUMNS)} from server_uptime`, scope, take)

/** @param select rows by `server_id` */
function readDetails<Row extends QueryResultRow>(
  db: Sql,
  select: string,
  scope: Scope,
  take: (row: Row) => void,
): Promise<number> {
  if (scope === 'all') return stream(db, select, [], take)
  return stream(
    db,
    `${select} where (${NOT_SEEN}) or server_id = any($2::uuid[])`,
    [scope.since.snapshot, scope.servers],
    take,
  )
}

/**
 * The servers that left the directory last, as far as their rows still exist.
 * @returns ids with the transaction that last wrote them, latest first
 */
export async function readRemoved(
  db: Sql,
  requireVerified: boolean,
  limit: number,
): Promise<{ id: string; changedIn: number }[]> {
  const { rows } = await db.query<{ id: string; changedIn: string }>(
    `select id, changed_in::text as "changedIn" from servers
     where not (${listedIn({ requireVerified })}) and ${everListedIn({ requireVerified })} and changed_in < pg_snapshot_xmax(pg_current_snapshot())
     order by changed_in desc limit $1`,
    [limit],
  )
  return rows.map(({ id, changedIn }) => ({ id, changedIn: Number(changedIn) }))
}

/** With 250 rows, the reading of a large directory takes a tenth more CPU time. */
const BATCH = 1000

/** Thousands of new names take a tenth of a second: after this time, waiting requests are answered first. */
const ANSWER_REQUESTS_AFTER_MS = 4

/**
 * Reads a result of any size in batches in the caller's transaction, so that memory stays bounded. The next batch is
 * fetched while one is processed.
 * @returns the number of rows
 */
async function stream<Row extends QueryResultRow>(
  db: Sql,
  select: string,
  values: unknown[],
  take: (row: Row) => void,
): Promise<number> {
  await db.query(`declare changes no scroll cursor for ${select}`, values)
  const fetch = () => db.query<Row>(`fetch ${BATCH} from changes`)
  let count = 0
  let batch = await fetch()
  while (batch.rows.length === BATCH) {
    const next = fetch()
    next.catch(() => undefined) // reported by the await below, unless `take` throws first
    await takeAll(batch.rows, take)
    count += batch.rows.length
    batch = await next
  }
  await takeAll(batch.rows, take)
  await db.query('close changes')
  return count + batch.rows.length
}

async function takeAll<Row>(rows: Row[], take: (row: Row) => void): Promise<void> {
  let since = performance.now()
  for (const row of rows) {
    take(row)
    if (performance.now() - since < ANSWER_REQUESTS_AFTER_MS) continue
    await setImmediate()
    since = performance.now()
  }
}
