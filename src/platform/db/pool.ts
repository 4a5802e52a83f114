// The connection pool and transactions, for SQL (`query`) and for Prisma's models (`prisma`) on the same connections.
import pg from 'pg'
import type { Log } from '../observability/log.ts'
import { createModelAccess, type ModelAccess, type Models } from './models.ts'

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

export type Pool = pg.Pool & Db & Pick<ModelAccess, 'enlist'>

const INT8 = 20
/** bigint columns are counters below 2^53, so plain numbers are exact. */
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format as 'text'),
} as pg.CustomTypesConfig

/** Connection options of every process: sessions are UTC, and timeouts end the wait for a server that hangs. */
export function connection(url: string, applicationName: string): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: applicationName,
    options: '-c TimeZone=UTC',
    connectionTimeoutMillis: 5_000,
    query_timeout: 30_000,
    keepAlive: true,
    types,
  }
}

/** @param applicationName shown in pg_stat_activity, so that operators see which process holds a connection */
export function createPool(options: {
  url: string
  max: number
  applicationName: string
  log: Log
  requireVerified?: boolean
}): Pool {
  const pool = new pg.Pool({ ...connection(options.url, options.applicationName), max: options.max })
  // Without a listener, a broken idle connection ends the process. The next query opens another.
  // Only the message is logged: the error itself holds the whole client.
  pool.on('error', ({ message }) => options.log.warn({ reason: message }, 'idle database connection lost'))
  const { models, enlist } = createModelAccess(pool)
  const { requireVerified = false } = options
  return Object.assign(pool, { prisma: models, enlist, requireVerified })
}

export interface TransactionOptions {
  /** `false`: the commit does not wait for the disk, so a crash of PostgreSQL may lose the last commits. */
  durable?: boolean
}

/** Runs `work` in one transaction: commits when it resolves, rolls back when it throws. */
export async function inTransaction<T>(
  pool: Pool,
  work: (tx: Db) => Promise<T>,
  { durable = true }: TransactionOptions = {},
): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  // The pool listens to idle connections only, and an unhandled error event ends the process. The next statement fails
  // anyway.
  const note = (error: Error) => {
    broken = error
  }
  client.on('error', note)
  const { tx, end } = transactionHandle(pool, client)
  try {
    await client.query(durable ? 'begin' : 'begin; set local synchronous_commit = off')
    const result = await work(tx)
    end()
    await client.query('commit')
    return result
  } catch (error) {
    end()
    await client.query('rollback').catch(note)
    throw error
  } finally {
    client.off('error', note)
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
