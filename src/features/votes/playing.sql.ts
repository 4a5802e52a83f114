// SQL, because it works on sets: adds what was played in an hour to the scores of servers.
import type { Sql } from '../../platform/db/pool.ts'

/** @returns the end of the last hour that any score counts; null: of none */
export async function readPlayedTo(db: Sql): Promise<Date | null> {
  const { rows } = await db.query<{ playedTo: Date | null }>('select max(played_to) as "playedTo" from server_counters')
  return rows[0]?.playedTo ?? null
}

/**
 * Adds an hour to the scores of these servers, unless they count it already. Locks in id order to avoid deadlocks with
 * votes, and reads what it adds to under the lock.
 * @param played what the hour adds, in votes
 * @returns number of servers
 */
export async function addPlayed(
  db: Sql,
  hour: Date,
  played: readonly { serverId: string; votes: number }[],
): Promise<number> {
  const { rowCount } = await db.query({
    name: 'votes-add-played',
    text: `
      with locked as (
        select server_id, play_score, played_to
        from server_counters
        where server_id = any($2::uuid[])
        order by server_id
        for no key update)
      update server_counters as counters
      set play_score = locked.play_score + round(vote_weight($1) * votes::numeric), played_to = $1::timestamptz + interval '1 hour'
      from unnest($2::uuid[], $3::float8[]) as played (server_id, votes) join locked using (server_id)
      where counters.server_id = played.server_id and (locked.played_to is null or locked.played_to <= $1)`,
    values: [hour, played.map(({ serverId }) => serverId), played.map(({ votes }) => votes)],
  })
  return rowCount ?? 0
}
