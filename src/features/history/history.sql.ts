// SQL, because a batch of polls is written in one statement.
import type { Db } from '../../platform/db/pool.ts'

/** The results of one batch of polls, as columns of equal length, in the order of `serverIds`. */
export interface PolledSamples {
  serverIds: string[]
  polledAt: Date
  /** null: the server did not answer. */
  players: (number | null)[]
  maxPlayers: number[]
}

/**
 * Appends a sample to each server's recent ones. Sorted by server id, so that batches wait for each other and for a
 * roll-up instead of deadlocking.
 */
export async function insertSamples(
  db: Db,
  { serverIds, polledAt, players, maxPlayers }: PolledSamples,
): Promise<void> {
  await db.query({
    name: 'history-insert-samples',
    text: `
      insert into player_history_recent as recent (server_id, samples)
      select server_id, player_history_sample($2, players, max_players)
      from unnest($1::uuid[], $3::integer[], $4::integer[]) as sample (server_id, players, max_players)
      order by server_id
      on conflict (server_id) do update set samples = recent.samples || excluded.samples`,
    values: [serverIds, polledAt, players, maxPlayers],
  })
}
