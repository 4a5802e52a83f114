// SQL, because it works on batches: the outbox, where a poll's transaction leaves its samples (docs/decisions/0052).
import type { Db } from '../../platform/db/pool.ts'

/** The results of one batch of polls, as columns of equal length, in the order of `serverIds`. */
export interface PolledSamples {
  serverIds: string[]
  polledAt: Date
  /** null: the server did not answer. */
  players: (number | null)[]
  maxPlayers: number[]
}

/** Stores the samples of a batch as one row. Waits for nothing that history does. */
export async function addPending(db: Db, { serverIds, polledAt, players, maxPlayers }: PolledSamples): Promise<void> {
  await db.query({
    name: 'history-add-pending',
    text: `
      insert into player_history_pending (polled_at, server_ids, players, max_players)
      values ($1, $2::uuid[], $3::integer[], $4::integer[])`,
    values: [polledAt, serverIds, players, maxPlayers],
  })
}

/** @returns the ids of the oldest pending batches */
export async function findPending(db: Db, limit: number): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>({
    name: 'history-find-pending',
    text: 'select id from player_history_pending order by id limit $1',
    values: [limit],
  })
  return rows.map(({ id }) => id)
}

/** Appends the samples of these batches to the recent ones of their servers. */
export async function appendPending(db: Db, ids: number[]): Promise<void> {
  await db.query({
    name: 'history-append-pending',
    text: `
      insert into player_history_recent as recent (server_id, samples)
      select server_id, string_agg(player_history_sample(polled_at, sample.players, sample.max_players), '')
      from player_history_pending as pending,
        unnest(server_ids, pending.players, pending.max_players) as sample (server_id, players, max_players)
      where id = any($1::bigint[])
      group by server_id
      order by server_id
      on conflict (server_id) do update set samples = recent.samples || excluded.samples`,
    values: [ids],
  })
}

/** @returns number of samples in these batches; call it in the transaction that appends them */
export async function deletePending(db: Db, ids: number[]): Promise<number> {
  const { rows } = await db.query<{ samples: number }>({
    name: 'history-delete-pending',
    text: `
      with deleted as (
        delete from player_history_pending where id = any($1::bigint[]) returning cardinality(server_ids) as samples)
      select coalesce(sum(samples), 0) as samples from deleted`,
    values: [ids],
  })
  return rows[0]?.samples ?? 0
}

/** Deletes batches that were polled more than `hours` ago. @returns number of samples */
export async function deleteExpiredPending(db: Db, hours: number): Promise<number> {
  const { rows } = await db.query<{ samples: number }>(
    `with deleted as (
       delete from player_history_pending where polled_at < now() - make_interval(hours => $1)
       returning cardinality(server_ids) as samples)
     select coalesce(sum(samples), 0) as samples from deleted`,
    [hours],
  )
  return rows[0]?.samples ?? 0
}

/** @returns how long the oldest batch has been pending; 0: none is */
export async function readPendingSeconds(db: Db): Promise<number> {
  const { rows } = await db.query<{ seconds: number }>({
    name: 'history-pending-seconds',
    text: `
      select extract(epoch from greatest(now() - polled_at, '0'))::float8 as seconds
      from player_history_pending
      order by id
      limit 1`,
  })
  return rows[0]?.seconds ?? 0
}
