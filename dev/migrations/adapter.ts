// The connection of Prisma's schema engine: @prisma/adapter-pg with three fixes that migrations need.
import { randomUUID } from 'node:crypto'
import { PrismaPg } from '@prisma/adapter-pg'
import {
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils'
import pg from 'pg'
import { parseIntoClientConfig } from 'pg-connection-string'

/** PostgreSQL's internal one-byte type `"char"`. */
const CHAR = 18
const TEXT = 25
/** Marks a column of that type in what passes through the adapter. */
const CHAR_MARK = '\0char'

export interface MigrationConnections {
  factory: SqlMigrationAwareDriverAdapterFactory
  /** Ends the engine's sessions, which releases its advisory lock, and drops its shadow databases. */
  close(): Promise<void>
}

/** @param url the database; shadow databases are created on the same server and dropped afterwards */
export function openConnections(url: string): MigrationConnections {
  const config = parseIntoClientConfig(url) as pg.ClientConfig
  const closers = new Set<() => Promise<void>>()

  async function open(database?: string, afterClose?: () => Promise<void>): Promise<SqlDriverAdapter> {
    // One session, because the engine's advisory lock belongs to the session that took it.
    const pool = new pg.Pool({ ...config, ...(database ? { database } : {}), max: 1, idleTimeoutMillis: 0 })
    pool.on('error', () => {}) // the next statement fails with the error
    const adapter = await new PrismaPg(pool).connect()
    acceptChar(pool, adapter)
    // The adapter splits scripts at every `;`, even in a function's body. Unsplit, the server parses the script in one
    // transaction.
    adapter.executeScript = async (script) => {
      await pool.query(script)
    }
    const close = async () => {
      if (!closers.delete(close)) return
      await pool.end()
      await afterClose?.()
    }
    closers.add(close)
    adapter.dispose = close
    return adapter
  }

  return {
    factory: {
      provider: 'postgres',
      adapterName: '@prisma/adapter-pg',
      connect: () => open(),
      // In the adapter, a connection string takes precedence over the shadow database's name: migrations would run in
      // the real one.
      async connectToShadowDb() {
        const shadow = `shadow_${randomUUID().replaceAll('-', '')}`
        await runStandalone(config, `create database ${shadow}`)
        return await open(shadow, () => runStandalone(config, `drop database ${shadow} with (force)`))
      },
    },
    async close() {
      for (const close of [...closers]) await close()
    },
  }
}

/** The adapter rejects the type `"char"`, which catalog queries on a partitioned table return. */
function acceptChar(pool: pg.Pool, adapter: SqlDriverAdapter): void {
  const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<pg.QueryResult>
  const marking = async (...args: unknown[]) => {
    const result = await query(...args)
    for (const field of result.fields ?? [])
      if (field.dataTypeID === CHAR) Object.assign(field, { dataTypeID: TEXT, name: `${field.name}${CHAR_MARK}` })
    return result
  }
  pool.query = marking as typeof pool.query

  const queryRaw = adapter.queryRaw.bind(adapter)
  adapter.queryRaw = async (statement) => {
    const { columnNames, columnTypes, rows } = await queryRaw(statement)
    return {
      columnNames: columnNames.map((name) => name.replace(CHAR_MARK, '')),
      columnTypes: columnTypes.map((type, i) =>
        columnNames[i]?.endsWith(CHAR_MARK) ? ColumnTypeEnum.Character : type,
      ),
      rows,
    }
  }
}

async function runStandalone(config: pg.ClientConfig, statement: string): Promise<void> {
  const client = new pg.Client(config)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
