// Which servers have a running placement, for pages that are made from memory.
import type { Deps } from '../../deps.ts'
import { findPlacedServers } from './placements.sql.ts'

const FRESH_MS = 5_000

/** @returns a function that returns the servers' ids, the best places first: as of some seconds ago, or of before an outage */
export function createPlaced({ pool, clock }: Pick<Deps, 'pool' | 'clock'>): () => readonly string[] {
  let ids: readonly string[] = []
  let readAt = Number.NEGATIVE_INFINITY

  async function read(): Promise<void> {
    try {
      ids = await findPlacedServers(pool)
    } catch {} // pages show what is known; the feed of the directory logs that the database is away
  }

  return () => {
    if (clock() - readAt >= FRESH_MS) {
      readAt = clock()
      void read()
    }
    return ids
  }
}
