// What is shown of player history.
import type { Pool } from '../../platform/db/pool.ts'
import type { Directory } from '../directory/index.ts'
import { findBuckets, type RolledUp, readRolledUp } from './player-history.sql.ts'
import { type PlayerHistory, type Range, toHistory, type Window, windowOf } from './points.ts'

const HOUR_MS = 3_600_000

export interface PlayerHistoryService {
  /** @throws ApiError 404 for a server that is not listed, 503 while the directory is too old */
  history(id: string, range: Range): Promise<PlayerHistory>
}

export interface PlayerHistoryOptions {
  pool: Pool
  directory: Pick<Directory, 'shown'>
  /** Stands in for the database's clock. */
  now?: () => Date
}

export function createPlayerHistory({ pool, directory, now }: PlayerHistoryOptions): PlayerHistoryService {
  return {
    async history(id, range) {
      const { snapshot, slot } = directory.shown.find(id)
      const shownMaxPlayers = snapshot.columns.maxPlayers[slot] ?? 0
      const rolledUp = await readRolledUp(pool)
      const window = windowOf(range, now?.() ?? rolledUp.now)
      const buckets = await findBuckets(pool, id, window, readFrom(window, rolledUp))
      return toHistory(window, buckets, shownMaxPlayers)
    },
  }
}

/** Up to when days and hours are read from their roll-ups. Buckets of less than an hour need the samples. */
function readFrom({ start, bucketMs }: Window, { daysTo, hoursTo }: RolledUp): { daysTo: Date; hoursTo: Date } {
  if (bucketMs < HOUR_MS) return { daysTo: start, hoursTo: start }
  const days = later(start, daysTo)
  return { daysTo: days, hoursTo: later(days, hoursTo) }
}

const later = (first: Date, second: Date | null): Date => (second && second > first ? second : first)
