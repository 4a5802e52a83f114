// Which servers have a running placement, for pages that are made from memory.
import pTimeout from 'p-timeout'
import type { Deps } from '../../deps.ts'
import { findPlacedServers } from './placements.sql.ts'

/** Pages are not delayed longer by a database that is slow or away. */
const WAIT_MS = 500

/**
 * @returns a function that reads the servers' ids, the best places first; without an answer of the database, as of the
 * last one. Read for each page that is rendered: a page that is rendered because a placement began must show it.
 */
export function createPlacedServersReader({ pool }: Pick<Deps, 'pool'>): () => Promise<readonly string[]> {
  let known: readonly string[] = []

  async function read(): Promise<void> {
    known = await findPlacedServers(pool)
  }

  return async () => {
    const reading = read().catch(() => undefined) // the feed of the directory logs that the database is away
    await pTimeout(reading, { milliseconds: WAIT_MS, fallback: () => undefined })
    return known
  }
}
