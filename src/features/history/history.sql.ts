// SQL, because a batch of polls is written in one statement.
import type { Db } from '../../platform/db/pool.ts'

/** The results of one batch of polls, as columns of equal length. */
export interface Samples {
  serverIds: string[]
  /** One time for the whole batch, so that it goes to one partition. A repeated batch must pass the same time. */
  polledAt: Date
  /** null: the server did not answer. */
  players: (number | null)[]
  maxPlayers: number[]
}

/** Appends one row per poll. A batch that is applied twice is stored once. The day's partition must exist. */
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
