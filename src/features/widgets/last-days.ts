// The players of servers in the last 24 hours, which banners and cards show, remembered for a minute.
import type { Clock } from '../../deps.ts'
import type { Sql } from '../../platform/db/pool.ts'
import { createMemo } from '../../platform/memo.ts'
import type { Directory } from '../directory/index.ts'
import { type PlayerHistory, readPlayerHistory } from '../history/index.ts'

const TTL_MS = 60_000
const MAX_DAYS = 2_000

/** Reads the player history of the last day, in hours. */
export type ReadLastDay = (db: Sql, serverId: string) => Promise<PlayerHistory>

export function createLastDayReader({
  directory,
  clock,
}: {
  directory: Pick<Directory, 'lookup'>
  clock: Clock
}): ReadLastDay {
  const lastDays = createMemo<PlayerHistory>({ max: MAX_DAYS }, { ttlMs: TTL_MS, clock })
  return (db, serverId) => lastDays(serverId, () => readPlayerHistory({ db, directory }, serverId, 'day by hour'))
}
