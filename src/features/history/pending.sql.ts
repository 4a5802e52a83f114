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

/** @returns the ids of the oldest pending batches after this one */
export async function findPending(db: Db, limit: number, after = 0): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>({
    name: 'history-find-pending',
    text: 'select id from player_history_pending where id > $2 order by id limit $1',
    values: [limit, after],
  })
  return rows.map(({ id }) => id)
}

/** Appends the samples of these batches to the recent ones of their servers. */
export async function appendPending(db: Db, ids: number[]): Promise<void> {
  await db.query({ name: 'history-append-pending', text: appendWhere('true'), values: [ids] })
}

const appendWhere = (condition: string) => `
  insert into player_history_recent as recent (server_id, samples)
  select server_id, string_agg(player_history_sample(polled_at, sample.players, sample.max_players), '')
  from player_history_pending as pending,
    unnest(server_ids, pending.players, pending.max_players) as sample (server_id, players, max_players)
  where id = any($1::bigint[]) and ${condition}
  group by server_id
  order by server_id
  on conflict (server_id) do update set samples = recent.samples || excluded.samples`

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

/** Valid only in a distributed database. $2: shards. */
const IS_IN_SHARDS = `get_shard_id_for_distribution_column('player_history_recent', server_id) = any($2::bigint[])`

/** Appends the samples of these batches, without those of servers in these shards of player_history_recent. */
export async function appendPendingOutsideShards(db: Db, ids: number[], shards: number[]): Promise<void> {
  await db.query({
    name: 'history-append-pending-outside-shards',
    text: appendWhere(`not ${IS_IN_SHARDS}`),
    values: [ids, shards],
  })
}

/**
 * Leaves only the samples of servers in these shards in these batches. Call it in the transaction that appends the
 * others.
 * @returns number of samples that were removed
 */
export async function keepPendingOfShards(db: Db, ids: number[], shards: number[]): Promise<number> {
  const { rows } = await db.query<{ samples: number }>({
    name: 'history-keep-pending-of-shards',
    text: `
      with kept as (
        select id, array_agg(server_id) as server_ids, array_agg(sample.players) as players,
          array_agg(sample.max_players) as max_players
        from player_history_pending as pending,
          unnest(server_ids, pending.players, pending.max_players) as sample (server_id, players, max_players)
        where id = any($1::bigint[]) and ${IS_IN_SHARDS}
        group by id),
      reduced as (
        update player_history_pending as pending
        set server_ids = kept.server_ids, players = kept.players, max_players = kept.max_players
        from kept, player_history_pending as before
        where pending.id = kept.id and before.id = kept.id and cardinality(before.server_ids) > cardinality(kept.server_ids)
        returning cardinality(before.server_ids) - cardinality(kept.server_ids) as samples),
      emptied as (
        delete from player_history_pending where id = any($1::bigint[]) and id not in (select id from kept)
        returning cardinality(server_ids) as samples)
      select coalesce(sum(samples), 0) as samples from (select samples from reduced union all select samples from emptied) as removed`,
    values: [ids, shards],
  })
  return rows[0]?.samples ?? 0
}

/**
 * @returns the newest batch that is a minute old: older ones, of transactions that commit late, are not expected any
 * more
 */
export async function findNewestBatchOlderThanAMinute(db: Db): Promise<number> {
  const { rows } = await db.query<{ id: number }>(
    `select id from player_history_pending where polled_at < now() - interval '1 minute' order by id desc limit 1`,
  )
  return rows[0]?.id ?? 0
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
