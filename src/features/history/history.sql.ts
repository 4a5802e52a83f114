// Statements over the samples and their hours.
import type { Db } from '../../platform/db/pool.ts'

/** The results of one batch of polls, as columns of equal length. */
export interface Samples {
  serverIds: string[]
  /** One instant for the whole batch, so that it lands in one partition. A repeated batch must name the same instant. */
  polledAt: Date
  /** null: the server did not answer. */
  players: (number | null)[]
  maxPlayers: number[]
}

/** Appends one row a poll. A batch that is applied twice is kept once. The day's partition must exist. */
export async function insertSamples(db: Db, { serverIds, polledAt, players, maxPlayers }: Samples): Promise<void> {
  await db.query({
    name: 'history-insert-samples',
    text: `
      insert into player_history (server_id, polled_at, players, max_players)
      select server_id, $2, players, max_players
      from unnest($1::uuid[], $3::integer[], $4::integer[]) as sample (server_id, players, max_players)
      on conflict do nothing`,
    values: [serverIds, polledAt, players, maxPlayers],
  })
}
