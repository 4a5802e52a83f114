// Prisma's models on pg's connections (docs/decisions/0001). How one transaction serves both SQL and models:
// 1. pool.ts alone opens connections, begins, commits and rolls back; Prisma does none of these.
// 2. A transaction's first call of a model starts a Prisma transaction, which stays open until pool.ts releases it.
// 3. The driver adapter starts that transaction on the connection that pool.ts has begun on, which an AsyncLocalStorage
//    carries to it through Prisma, so SQL and models see each other's rows.
// 4. The adapter's commit and rollback do nothing, because those of pool.ts decide.
// 5. `tx.prisma` is an object whose models open Prisma when they are called, so SQL alone never loads it.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { SqlDriverAdapter, Transaction } from '@prisma/driver-adapter-utils'
import type pg from 'pg'
import type { Prisma, PrismaClient } from '../../generated/prisma/client.ts'

/** The tables as models. Raw SQL and transactions are left out: use `query` and `inTransaction`. */
export type Models = Pick<PrismaClient, Uncapitalize<Prisma.ModelName>>

/** Where models run their statements. */
type Connection = Pick<pg.ClientBase, 'query'>

export type ModelAccess = ReturnType<typeof createModelAccess>

/** Longer than any transaction: Prisma would end its own after 5 s. */
const NO_TIMEOUT = { maxWait: 60_000, timeout: 2 ** 31 - 1 }

/** Creates the models of one pool. A process that calls no model does not load Prisma. */
export function createModelAccess(pool: pg.Pool) {
  let opened: Promise<PrismaClient> | undefined
  const open = () => {
    opened ??= openClient(pool)
    return opened
  }

  return {
    /** Models on the pool, for calls that need one statement. */
    models: lazyModels(open),
    /** Models on a transaction's connection. Call `release` before the transaction is committed or rolled back. */
    enlist(connection: Connection) {
      const released = Promise.withResolvers<void>()
      let enlisted: Promise<Models> | undefined
      const enlistOnce = () => {
        enlisted ??= new Promise<Models>((resolve, reject) => {
          // Prisma's transaction stays open until ours ends. Its commit only means that no more calls follow.
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

/** Carries a connection through `$transaction` to the adapter's `startTransaction`; Prisma ignores it. */
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

/** Prisma's pg driver on a given connection. With `usePhantomQuery` Prisma calls `commit` instead of sending COMMIT. */
function transactionOn(connection: Connection, adapter: SqlDriverAdapter): Transaction {
  const onConnection = Object.create(adapter, { client: { value: connection } }) as SqlDriverAdapter
  return Object.assign(onConnection, {
    options: { usePhantomQuery: true },
    commit: async () => undefined,
    rollback: async () => undefined,
  })
}

/** Wraps pg's error on its way through Prisma, which would replace an error that has a `code`. */
class StatementError extends Error {
  constructor(cause: unknown) {
    super('statement failed', { cause })
  }
}

type Method = (args: unknown) => Promise<unknown>

/** Models whose client the first call opens. Statements fail with pg's own errors. */
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

/**
 * An object whose properties are created when they are read. It has no `then`, so `await` does not take it for a
 * promise.
 */
function byName<T>(make: (name: string) => T): object {
  return new Proxy({}, { get: (_, name) => (typeof name === 'string' && name !== 'then' ? make(name) : undefined) })
}
