// Prisma's models on pg's connections. Prisma never opens, begins, commits or closes anything here: pool.ts does (docs/decisions/0001).
import { AsyncLocalStorage } from 'node:async_hooks'
import type { SqlDriverAdapter, Transaction } from '@prisma/driver-adapter-utils'
import type pg from 'pg'
import type { Prisma, PrismaClient } from '../../generated/prisma/client.ts'

/** The tables as models. Raw SQL and transactions are left out: those are `query` and `inTransaction`. */
export type Models = Pick<PrismaClient, Uncapitalize<Prisma.ModelName>>

/** What a statement runs on. */
type Connection = Pick<pg.ClientBase, 'query'>

export interface ModelAccess {
  /** Models on the pool, for calls that take one statement. */
  models: Models
  /** Models on a transaction's connection. Call `release` before the transaction is committed or rolled back. */
  enlist(connection: Connection): { models: Models; release(): void }
}

/** Prisma ends its own transactions after 5 s by default; ours end when their work does. */
const NO_TIMEOUT = { maxWait: 60_000, timeout: 2 ** 31 - 1 }

/** One for each pool. A process that calls no model does not load Prisma. */
export function createModelAccess(pool: pg.Pool): ModelAccess {
  let opened: Promise<PrismaClient> | undefined
  const open = () => {
    opened ??= openClient(pool)
    return opened
  }

  return {
    models: lazyModels(open),
    enlist(connection) {
      const released = Promise.withResolvers<void>()
      let enlisted: Promise<Models> | undefined
      const enlistOnce = () => {
        enlisted ??= new Promise<Models>((resolve, reject) => {
          // Prisma's transaction stays open until ours ends; its commit then only means "no more calls".
          const work = (models: Models) => {
            resolve(models)
            return released.promise
          }
          enlisting.run(connection, async () => (await open()).$transaction(work, NO_TIMEOUT)).catch(reject)
        })
        return enlisted
      }
      return { models: lazyModels(enlistOnce), release: released.resolve }
    },
  }
}

/** Carries a connection through `$transaction` to the adapter's `startTransaction`, and is read nowhere else. */
const enlisting = new AsyncLocalStorage<Connection>()

async function openClient(pool: pg.Pool): Promise<PrismaClient> {
  const [{ PrismaPg }, { PrismaClient }] = await Promise.all([
    import('@prisma/adapter-pg'),
    import('../../generated/prisma/client.ts'),
  ])
  return new PrismaClient({
    errorFormat: 'minimal',
    adapter: {
      provider: 'postgres',
      adapterName: '@prisma/adapter-pg',
      async connect() {
        const adapter = await new PrismaPg(pool).connect()
        return Object.assign(adapter, {
          onError(error: unknown) {
            throw new StatementError(error)
          },
          async startTransaction() {
            const connection = enlisting.getStore()
            if (!connection) throw new Error('a call of several statements needs inTransaction')
            return transactionOn(connection, adapter)
          },
        })
      },
    },
  })
}

/** Prisma's driver on another connection. With `usePhantomQuery` Prisma calls `commit` instead of sending COMMIT. */
function transactionOn(connection: Connection, adapter: SqlDriverAdapter): Transaction {
  const onConnection = Object.create(adapter, { client: { value: connection } }) as SqlDriverAdapter
  return Object.assign(onConnection, {
    options: { usePhantomQuery: true },
    commit: async () => undefined,
    rollback: async () => undefined,
  })
}

/** Wraps pg's error on its way through Prisma, which replaces any error that has a `code`. */
class StatementError extends Error {
  constructor(cause: unknown) {
    super('statement failed', { cause })
  }
}

type Method = (args: unknown) => Promise<unknown>

/** Models whose client is opened by the first call. Errors of statements arrive as pg threw them. */
function lazyModels(open: () => Promise<Models>): Models {
  const method = (model: string, name: string): Method => {
    return async (args) => {
      const models = (await open()) as unknown as Record<string, Record<string, Method>>
      try {
        return await models[model]?.[name]?.(args)
      } catch (error) {
        throw error instanceof StatementError ? error.cause : error
      }
    }
  }
  return byName((model) => byName((name) => method(model, name))) as Models
}

/** An object that makes its properties when they are read. It has no `then`, or `await` would take it for a promise. */
function byName<T>(make: (name: string) => T): object {
  return new Proxy({}, { get: (_, name) => (typeof name === 'string' && name !== 'then' ? make(name) : undefined) })
}
