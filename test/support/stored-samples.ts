// The samples of polls, as they are written and as they are stored, wherever they are.
import { addPending, findSamples, movePendingSamples } from '../../src/features/history/index.ts'
import type { Pool } from '../../src/platform/db/pool.ts'

export interface StoredSample {
  serverId: string
  /** Seconds since 1970. */
  at: number
  players: number | null
  maxPlayers: number
}

/** Writes the samples of a batch as polls and then a worker do. */
export async function insertSamples(pool: Pool, batch: Parameters<typeof addPending>[1]): Promise<void> {
  await addPending(pool, batch)
  await movePendingSamples(pool)
}

/** All samples of these servers (default: of all that have any), by server and time. */
export async function storedSamples(pool: Pool, serverIds?: string[]): Promise<StoredSample[]> {
  await movePendingSamples(pool)
  const { rows } = await pool.query<{ ids: string[] }>(
    `select coalesce(array_agg(distinct server_id::text), '{}') as ids from (
       select server_id from player_history_recent union all select server_id from player_history_open
       union all select server_id from player_history_chunks) as stored`,
  )
  const ids = serverIds ?? rows[0]?.ids ?? []
  const found = await findSamples(pool, ids, new Date('1970-01-01'), new Date('2087-01-01'))
  return [...found]
    .flatMap(([serverId, samples]) => samples.map((sample) => ({ serverId, ...sample })))
    .sort((a, b) => (a.serverId < b.serverId ? -1 : a.serverId > b.serverId ? 1 : a.at - b.at))
}
