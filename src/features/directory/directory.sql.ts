// SQL, because the change feed reads PostgreSQL's snapshots: where the database stands, and each table's rows that a
// reader has not seen.
import type { Db, Sql } from '../../platform/db/pool.ts'
import type { CountersRow, ServerRow, StatusRow, UptimeRow } from './engine/rows.ts'

/** The position of a read: what it could see, and in which life of which tables. */
export interface Position {
  /** pg_snapshot as text. */
  snapshot: string
  /** Increases from read to read, unless the database went back in time. */
  xmax: bigint
  /**
   * Changes if another server took over (a failover or a restored backup starts a new timeline) or the table was
   * emptied or restored (its file changes): then positions can't be compared.
   */
  incarnation: string
  /**
   * The snapshot for `parsePgSnapshot`. On a standby, which does not know the open transactions, it covers only those before
   * all of them.
   */
  seen: string
  /** Differs between databases, and changes after a crash, which may lose the last commits and reuse their ids. */
  life: string
}

/** What to read of a table: everything, or what `since` could not see plus these servers' rows of any age. */
export type Scope = 'all' | { since: Position; servers: readonly string[] }

/** Starts a transaction in which every statement sees the same state. */
export const beginRead = (db: Sql) => db.query('begin isolation level repeatable read read only')
export const endRead = (db: Sql) => db.query('commit')

export const listenForChanges = (db: Sql) => db.query('listen directory_changed')

/** Notifies every API process of the changes in the caller's transaction, after its commit. */
export const notifyDirectory = async (db: Sql): Promise<void> => {
  await db.query(`select pg_notify('directory_changed', '')`)
}

export async function readPosition(db: Sql): Promise<Position> {
  const { rows } = await db.query<Omit<Position, 'xmax'> & { xmax: string }>(`
    select pg_current_snapshot()::text as snapshot,
           case when pg_is_in_recovery()
             then pg_snapshot_xmin(pg_current_snapshot()) || ':' || pg_snapshot_xmin(pg_current_snapshot()) || ':'
             else pg_current_snapshot()::text end as seen,
           -- a crash resets these statistics, a clean restart keeps them
           concat_ws(' ', (select system_identifier from pg_control_system()),
             (select oid from pg_database where datname = current_database()),
             pg_stat_get_bgwriter_stat_reset_time()) as life,
           pg_snapshot_xmax(pg_current_snapshot())::text as xmax,
           case when pg_is_in_recovery() then '' else substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) end
             || ' ' || pg_relation_filenode('servers') as incarnation`)
  const [row] = rows
  if (!row) throw new Error('the database returned no position')
  return { ...row, xmax: BigInt(row.xmax) }
}

/**
 * Rows written by transactions that $1, the previous read's snapshot, could not see. Transaction ids are assigned
 * before the commit, so "greater than the greatest seen" would miss a transaction that commits late; this misses none.
 * - The first line makes it an index range; the last excludes what that read did see while an older transaction stays
 * open.
 *   A standby does not know which transactions were open, so there it is read again.
 * - The upper bound excludes rows of a restored dump, whose ids this database has not reached.
 */
const NOT_SEEN = `changed_in >= pg_snapshot_xmin($1::pg_snapshot)
  and changed_in < pg_snapshot_xmax(pg_current_snapshot())
  and (pg_is_in_recovery() or not pg_visible_in_snapshot(changed_in, $1::pg_snapshot))`

/** See `ChangedIn`: rows of a restored dump have no usable transaction id. */
const CHANGED_IN = `case when changed_in < pg_snapshot_xmax(pg_current_snapshot()) then changed_in::text::int8 else 0 end`

const epochMs = (column: string) => `round(extract(epoch from ${column})::float8 * 1000)`

/**
 * Which rows of `servers` are listed: the single rule of visibility.
 * @param requireVerified placeholder for whether a server is listed only after its owner has verified it
 */
export const isListed = (requireVerified: `$${number}`): string =>
  `deleted_at is null and hidden_at is null and (is_verified or not ${requireVerified}::boolean)`

/** The same rule as an SQL condition, for a handle that knows the setting. */
export const listedIn = ({ requireVerified }: Pick<Db, 'requireVerified'>): string =>
  `deleted_at is null and hidden_at is null${requireVerified ? ' and is_verified' : ''}`

/** The columns that the rule reads, as a Prisma selection. */
export const LISTING_FIELDS = { deletedAt: true, hiddenAt: true, isVerified: true } as const

/** The same rule for a row that was read. */
export const isListedServer = (
  { requireVerified }: Pick<Db, 'requireVerified'>,
  server: { deletedAt: Date | null; hiddenAt: Date | null; isVerified: boolean },
): boolean => !server.deletedAt && !server.hiddenAt && (server.isVerified || !requireVerified)

/** @param requireVerified whether a server is listed only after its owner has verified it */
export function readServers(
  db: Sql,
  scope: Scope,
  requireVerified: boolean,
  take: (rows: ServerRow[]) => void,
): Promise<number> {
  const select = (listed: string) => `select id, ${CHANGED_IN}, ${listed}, name, description, ip_address, game_port,
      query_port, coalesce(game_mode, ''), region, array_to_string(tags, ','), website, chat_url, banner_url, rates, mods,
      is_verified, is_featured, ${epochMs('last_wipe_at')}, ${epochMs('created_at')}, ${epochMs('updated_at')}, game
    from servers`
  if (scope === 'all') return stream(db, `${select('true')} where ${isListed('$1')}`, [requireVerified], take)
  const changed = `${select(isListed('$2'))} where ${NOT_SEEN}`
  return stream(db, changed, [scope.since.snapshot, requireVerified], take)
}

export function readStatuses(db: Sql, scope: Scope, take: (rows: StatusRow[]) => void): Promise<number> {
  return readDetails(
    db,
    'server_status',
    `is_online, current_players, max_players, map, version, consecutive_failures,
     ${epochMs('last_polled_at')}, ${epochMs('fresh_until')}, country, query_ms`,
    scope,
    take,
  )
}

/** Months are counted as in `monthOf`. */
export function readCounters(db: Sql, scope: Scope, take: (rows: CountersRow[]) => void): Promise<number> {
  return readDetails(
    db,
    'server_counters',
    `total_votes, monthly_votes, (extract(year from votes_month) * 12 + extract(month from votes_month) - 1)::integer`,
    scope,
    take,
  )
}

export function readUptimes(db: Sql, scope: Scope, take: (rows: UptimeRow[]) => void): Promise<number> {
  return readDetails(db, 'server_uptime', 'day, week, month', scope, take)
}

function readDetails<Row extends unknown[]>(
  db: Sql,
  table: string,
  columns: string,
  scope: Scope,
  take: (rows: Row[]) => void,
): Promise<number> {
  const select = `select server_id, ${CHANGED_IN}, ${columns} from ${table}`
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
     where not (${isListed('$1')}) and changed_in < pg_snapshot_xmax(pg_current_snapshot())
     order by changed_in desc limit $2`,
    [requireVerified, limit],
  )
  return rows.map(({ id, changedIn }) => ({ id, changedIn: Number(changedIn) }))
}

const BATCH = 1000

/**
 * Reads a result of any size in batches in the caller's transaction, so that memory stays bounded. The next batch is
 * fetched while one is processed.
 * @returns the number of rows
 */
async function stream<Row extends unknown[]>(
  db: Sql,
  select: string,
  values: unknown[],
  take: (rows: Row[]) => void,
): Promise<number> {
  await db.query(`declare changes no scroll cursor for ${select}`, values)
  const fetch = () => db.query<Row>({ text: `fetch ${BATCH} from changes`, rowMode: 'array' })
  let count = 0
  let batch = await fetch()
  while (batch.rows.length === BATCH) {
    const next = fetch()
    next.catch(() => undefined) // reported by the await below, unless `take` throws first
    take(batch.rows)
    count += batch.rows.length
    batch = await next
  }
  take(batch.rows)
  await db.query('close changes')
  return count + batch.rows.length
}
