// Detects a connection pooler (PgBouncer) at the start, before anything relies on sessions, which poolers do not keep.
import pg from 'pg'
import { type ProcessSettings, SettingsError } from '../config/settings.ts'
import { connectionOptions } from './pool.ts'

export type DatabaseSettings = Pick<ProcessSettings, 'DATABASE_URL' | 'DATABASE_DIRECT_URL'>

/** The server itself: LISTEN, session locks, session settings, migrations and pg-boss need it (docs/decisions/0029). */
export const directUrlOf = ({ DATABASE_URL, DATABASE_DIRECT_URL }: DatabaseSettings): string =>
  DATABASE_DIRECT_URL ?? DATABASE_URL

/** @throws SettingsError if a pooler is where the server has to be, or the two addresses lead to different databases */
export async function requireDirectUrl(settings: DatabaseSettings): Promise<void> {
  const { DATABASE_URL, DATABASE_DIRECT_URL } = settings
  if (await isPooler(directUrlOf(settings)))
    throw new SettingsError(
      DATABASE_DIRECT_URL
        ? 'bad setting: DATABASE_DIRECT_URL leads to a connection pooler: set it to the PostgreSQL server itself'
        : 'bad setting: DATABASE_URL leads to a connection pooler: set DATABASE_DIRECT_URL to the PostgreSQL server itself as well',
    )
  if (DATABASE_DIRECT_URL && (await identifyDatabase(DATABASE_URL)) !== (await identifyDatabase(DATABASE_DIRECT_URL)))
    throw new SettingsError('bad setting: DATABASE_URL and DATABASE_DIRECT_URL lead to different databases')
}

/**
 * A pooler with one idle connection lends it to both clients; with many, they meet or one is moved in far fewer rounds.
 */
const ROUNDS = 10

/** SQLSTATE of `unsupported startup parameter: options`, with which PgBouncer refuses a connection in any mode. */
const PROTOCOL_VIOLATION = '08P01'

/**
 * Whether session options are refused, or clients share or change their server connection. An address with none of
 * these keeps sessions, as some poolers in session mode do.
 */
export async function isPooler(url: string): Promise<boolean> {
  const config = connectionOptions(url, 'start')
  const sharesConnections = withClient(config, (first) =>
    withClient(config, async (second) => {
      const seen = [new Set<number>(), new Set<number>()] as const
      for (let round = 0; round < ROUNDS; round++) {
        seen[0].add(await backendOf(first))
        seen[1].add(await backendOf(second))
        if (seen[0].size > 1 || seen[1].size > 1 || !seen[0].isDisjointFrom(seen[1])) return true
      }
      return false
    }),
  )
  return await sharesConnections.catch((error: pg.DatabaseError) => {
    if (error.code === PROTOCOL_VIOLATION) return true
    throw error
  })
}

async function backendOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}

/** The cluster and the database in it. */
export async function identifyDatabase(url: string): Promise<string | undefined> {
  const { options: _, ...config } = connectionOptions(url, 'start')
  return await withClient(config, async (client) => {
    const { rows } = await client.query<{ identity: string }>(`
      select (select system_identifier from pg_control_system()) || '/' || oid as identity
      from pg_database where datname = current_database()`)
    return rows[0]?.identity
  })
}

async function withClient<T>(config: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(config)
  client.on('error', () => undefined) // the statement under way fails
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end()
  }
}
