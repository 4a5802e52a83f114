// The connection pool and transactions over plain pg.
import pg from 'pg'
import type { Log } from '../observability/log.ts'

/** What a statement needs: a pool, or a transaction's client. Comes first in every *.sql.ts function. */
export type Db = Pick<pg.ClientBase, 'query'>
export type Pool = pg.Pool

const INT8 = 20
/** bigint columns are counters below 2^53, so plain numbers are exact. */
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format as 'text'),
} as pg.CustomTypesConfig

/** Connection options every process uses: sessions are UTC, and a frozen server is given up on rather than waited for. */
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

/** @param applicationName shown in pg_stat_activity, so that an operator sees who holds a connection */
export function createPool(options: { url: string; max: number; applicationName: string; log: Log }): Pool {
  const pool = new pg.Pool({ ...connection(options.url, options.applicationName), max: options.max })
  // An idle connection that breaks (the server restarted) must not end the process; the next query opens another.
  // Its message only: the error itself carries the whole client.
  pool.on('error', ({ message }) => options.log.warn({ reason: message }, 'idle database connection lost'))
  return pool
}

export interface TransactionOptions {
  /** `false`: the commit does not wait for the disk, so a crash of PostgreSQL may lose the last moment's. */
  durable?: boolean
}

/** Runs `work` in one transaction on one client: committed when it resolves, rolled back when it throws. */
export async function inTransaction<T>(
  pool: Pool,
  work: (tx: pg.PoolClient) => Promise<T>,
  { durable = true }: TransactionOptions = {},
): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  // The pool listens only to idle connections, and an error nobody listens to ends the process. What runs, or is asked next, fails.
  const note = (error: Error) => {
    broken = error
  }
  client.on('error', note)
  try {
    await client.query(durable ? 'begin' : 'begin; set local synchronous_commit = off')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(note)
    throw error
  } finally {
    client.off('error', note)
    client.release(broken)
  }
}
