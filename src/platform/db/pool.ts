// The connection pool and transactions, for SQL (`query`) and for Prisma's models (`prisma`) on the same connections.
import pg from 'pg'
import type { Log } from '../observability/log.ts'
import { createModelAccess, type ModelAccess, type Models } from './models.ts'
import { isStatementTimeout } from './pg-errors.ts'

/** Runs SQL: the pool, a transaction or a single connection. */
export type Sql = Pick<pg.ClientBase, 'query'>

/** A row of the optional side of an outer join: all columns are null if no row matches. */
export type Optional<Row> = { [Column in keyof Row]: Row[Column] | null }

/** The pool or a transaction: SQL and models. Comes first in every function that accesses the database. */
export interface Db extends Sql {
  prisma: Models
  /** Setting LISTING_REQUIRES_VERIFICATION: whether a server is listed only once its owner has proved it. */
  requireVerified: boolean
}

export type Pool = pg.Pool &
  Db &
  Pick<ModelAccess, 'enlist'> & {
    /** Opens a connection to the server itself, for session locks and settings. The caller ends it. */
    openSession(): Promise<pg.Client>
  }

const INT8 = 20
/** bigint columns are counters below 2^53, so plain numbers are exact. */
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format as 'text'),
} as pg.CustomTypesConfig

/** Where DATABASE_URL leads: to the server, or to a transaction pooler in front of it. */
export interface DatabaseAddress {
  url: string
  /** The server itself. If it is set, `url` is a transaction pooler (docs/decisions/0029). */
  directUrl?: string | undefined
}

const IN_UTC = '-c TimeZone=UTC'

/**
 * Options of direct connections: sessions are UTC, and timeouts end the wait for a server that hangs.
 * @param settings more settings of the session, as `-c name=value`
 */
export function connectionOptions(url: string, applicationName: string, settings = '') {
  const options = `${IN_UTC} ${settings}`.trimEnd()
  return {
    connectionString: withOption(url, options),
    application_name: applicationName,
    options,
    connectionTimeoutMillis: 5_000,
    query_timeout: 30_000,
    keepAlive: true,
    types,
  }
}

/** Adds to the session options that an address has, because pg then ignores those beside it. */
function withOption(url: string, option: string): string {
  if (!/[?&]options=/.test(url)) return url
  const address = new URL(url)
  address.searchParams.set('options', `${address.searchParams.get('options')} ${option}`)
  return address.href
}

/** Options of a pool, which needs no state of the session between transactions. */
export function poolConfig({ url, directUrl }: DatabaseAddress, applicationName: string): pg.PoolConfig {
  const { options, ...pooled } = connectionOptions(url, applicationName)
  return directUrl ? { ...pooled, connectionString: url, onConnect: adaptToPooler } : { ...pooled, options }
}

/** A pooler may refuse `options` on connecting, and runs one client's transactions on several server connections. */
async function adaptToPooler(client: pg.ClientBase): Promise<void> {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  // A named statement would be prepared on one of the pooler's connections and executed on another.
  const queryUnnamed = (statement: string | pg.QueryConfig, ...rest: unknown[]) =>
    query(typeof statement === 'string' ? statement : { ...statement, name: undefined }, ...rest)
  client.query = queryUnnamed as typeof client.query
  await client.query(`set timezone to 'UTC'`) // PgBouncer keeps this setting per client
}

/** @param options.applicationName shown in pg_stat_activity, so that operators see which process holds a connection */
export function createPool(
  options: DatabaseAddress & {
    max: number
    applicationName: string
    log: Log
    requireVerified?: boolean
    /** Time limit of a statement, if not the usual one. */
    answerMs?: number
  },
): Pool {
  const { url, directUrl = url, applicationName } = options
  const pool = new pg.Pool({
    ...poolConfig(options, applicationName),
    ...(options.answerMs && { query_timeout: options.answerMs }),
    max: options.max,
  })
  // Without a listener, a broken idle connection ends the process. The next query opens another.
  // Only the message is logged: the error itself holds the whole client.
  pool.on('error', ({ message }) => options.log.warn({ reason: message }, 'idle database connection lost'))
  // The pool listens to idle connections only. One in use that is lost between two statements would end the process
  // too; its next statement fails instead.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const { models, enlist } = createModelAccess(pool)
  const { requireVerified = false } = options
  const openSession = async () => {
    const session = new pg.Client(connectionOptions(directUrl, applicationName))
    session.on('error', () => undefined) // without a listener it ends the process; the next statement fails instead
    await session.connect()
    return session
  }
  return Object.assign(pool, { prisma: models, enlist, openSession, requireVerified })
}

/**
 * Runs `work` in one transaction: commits when it resolves, rolls back when it throws.
 * @param options.durable `false`: the commit does not wait for the disk, so a crash of PostgreSQL may
 * lose the last commits
 */
export async function inTransaction<T>(
  pool: Pool,
  work: (tx: Db) => Promise<T>,
  { durable = true }: { durable?: boolean } = {},
): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  const { tx, end } = transactionHandle(pool, client)
  try {
    await client.query(durable ? 'begin' : 'begin; set local synchronous_commit = off')
    const result = await work(tx)
    end()
    await client.query('commit')
    return result
  } catch (error) {
    end()
    // A connection still runs the statement that took too long: a rollback would wait for it. Closing the
    // connection rolls back too.
    if (isStatementTimeout(error)) broken = error
    else
      await client.query('rollback').catch((failure: Error) => {
        broken = failure
      })
    throw error
  } finally {
    client.release(broken)
  }
}

/**
 * A handle that rejects statements after the transaction has ended, because its connection then belongs to other work.
 */
function transactionHandle(pool: Pool, client: pg.PoolClient): { tx: Db; end(): void } {
  let hasEnded = false
  const query = ((...args: Parameters<pg.PoolClient['query']>) => {
    if (hasEnded) throw new Error('the transaction has ended')
    return client.query(...args)
  }) as pg.PoolClient['query']
  const { models, release } = pool.enlist({ query })
  return {
    tx: { query, prisma: models, requireVerified: pool.requireVerified },
    end() {
      hasEnded = true
      release()
    },
  }
}
