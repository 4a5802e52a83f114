// Erases what a server's former owner sent: hidden at once, deleted in batches, because a log may
// have millions of rows.
import type { Db, Sql } from '../../platform/db/pool.ts'
import { lockRewardSettings } from './settings.sql.ts'

interface Erasure {
  serverId: string
  /** Of rewards that ended until then, commands and answers are hidden. */
  settledUntil: Date
}

/** A place in the order of a server's rewards. */
export interface LogPlace {
  createdAt: Date
  voteId: string
}

/** SQL: whether the commands and the answer of `reward` are hidden; join the server's `erasure`. */
export const IS_ERASED = 'coalesce(reward.settled_at <= erasure.settled_until, false)'

/**
 * Hides the commands and answers of a server's rewards, which the next owner must not read. The rows stay, because they
 * make a reward happen once. Call it in the transaction that transfers the server.
 */
export async function eraseRewardRecords(db: Db, serverId: string): Promise<void> {
  await lockRewardSettings(db, serverId) // until the server has its next owner, for whom the commands are not valid
  // One that is running stores no answer if it has no commands.
  await db.query(
    `update vote_rewards set commands = '{}' where server_id = $1 and settled_at is null and commands <> '{}'`,
    [serverId],
  )
  await db.query(
    `insert into vote_reward_erasures (server_id, settled_until)
     select $1, clock_timestamp() where exists (select from vote_rewards where server_id = $1)
     on conflict (server_id) do update set settled_until = excluded.settled_until`,
    [serverId],
  )
}

export async function findErasures(db: Sql): Promise<Erasure[]> {
  const { rows } = await db.query<Erasure>(
    `select server_id as "serverId", settled_until as "settledUntil" from vote_reward_erasures order by settled_until`,
  )
  return rows
}

/**
 * Deletes commands and answers of the server's next rewards.
 * @param after the last reward of the batch before
 * @returns the last of this batch, undefined if it was the last one, and of how many rewards something was deleted
 */
export async function eraseBatch(
  db: Sql,
  { serverId, settledUntil }: Erasure,
  { after, limit }: { after: LogPlace; limit: number },
): Promise<{ last: LogPlace | undefined; erased: number }> {
  const { rows } = await db.query<LogPlace & { isErased: boolean }>(
    `with batch as (
       select created_at, vote_id from vote_rewards
       where server_id = $1 and (created_at, vote_id) > ($3, $4)
       order by created_at, vote_id
       limit $5
     ),
     erased as (
       update vote_rewards as reward set commands = '{}', answer = null
       from batch
       where reward.vote_id = batch.vote_id and settled_at <= $2 and commands <> '{}'
       returning reward.vote_id
     )
     select created_at as "createdAt", vote_id as "voteId", vote_id in (select vote_id from erased) as "isErased"
     from batch
     order by created_at, vote_id`,
    [serverId, settledUntil, after.createdAt, after.voteId, limit],
  )
  return {
    last: rows.length === limit ? rows.at(-1) : undefined,
    erased: rows.filter(({ isErased }) => isErased).length,
  }
}

/** Does nothing if the server has been given to another owner since. */
export async function endErasure(db: Sql, { serverId, settledUntil }: Erasure): Promise<void> {
  await db.query('delete from vote_reward_erasures where server_id = $1 and settled_until = $2', [
    serverId,
    settledUntil,
  ])
}
