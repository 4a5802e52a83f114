// Cuts the database connection at a chosen statement.
import type pg from 'pg'
import type { Pool } from '../../../src/platform/db/pool.ts'

export interface Kill {
  /** The statement's text and its run. */
  text: string
  run: number
  /** `after`: the database executed the statement, but its answer was lost. */
  when: 'before' | 'after'
}

interface Cuttable {
  connection: { stream: { destroy(): void } }
}

/** A pool whose connection is cut at a statement; `seen` counts statements. */
export function cutAt(pool: Pool, kill: Kill | undefined, seen = new Map<string, number>()): Pool {
  const through = async <T>(query: unknown, run: () => Promise<T>, cut: () => void): Promise<T> => {
    const text = typeof query === 'string' ? query : (query as { text: string }).text
    const count = (seen.get(text) ?? 0) + 1
    seen.set(text, count)
    if (kill?.text !== text || kill.run !== count) return run()
    if (kill.when === 'after') await run()
    cut()
    throw new Error('killed')
  }
  return {
    enlist: pool.enlist,
    async openSession() {
      const session = await pool.openSession()
      const query = session.query.bind(session) as (...args: unknown[]) => Promise<unknown>
      const cut = () => (session as unknown as Cuttable).connection.stream.destroy()
      session.query = ((...args: unknown[]) => through(args[0], () => query(...args), cut)) as typeof session.query
      return session
    },
    query: (...query: [string]) =>
      through(
        query[0],
        () => pool.query(...query),
        () => undefined,
      ),
    async connect() {
      const client = (await pool.connect()) as pg.PoolClient & Cuttable
      return {
        on: client.on.bind(client),
        off: client.off.bind(client),
        release: client.release.bind(client),
        query: (...query: [string]) =>
          through(
            query[0],
            () => client.query(...query),
            () => client.connection.stream.destroy(),
          ),
      }
    },
  } as unknown as Pool
}
