// The players of servers in the last 24 hours, which banners and cards show, remembered for a minute.
import type { Clock } from '../../deps.ts'
import type { Settings } from '../../platform/config/settings.ts'
import type { Sql } from '../../platform/db/pool.ts'
import { createMemo } from '../../platform/memo.ts'
import type { Directory } from '../directory/index.ts'
import { type PlayerHistory, readPlayerHistory } from '../history/index.ts'

const TTL_MS = 60_000
const MAX_DAYS = 2_000

/** Reads the player history of the last day, in hours or longer intervals. */
export type ReadLastDay = (db: Sql, serverId: string) => Promise<PlayerHistory>

export function createLastDayReader({
  directory,
  settings,
  clock,
}: {
  directory: Pick<Directory, 'lookup'>
  settings: Pick<Settings, 'POLL_INTERVAL_SECONDS'>
  clock: Clock
}): ReadLastDay {
  const lastDays = createMemo<PlayerHistory>({ max: MAX_DAYS }, { ttlMs: TTL_MS, clock })
  return (db, serverId) =>
    lastDays(serverId, () => readPlayerHistory({ db, directory, settings }, serverId, 'day by hour'))
}
