// SQL, because it reads an hour of all servers in batches.
import type { Sql } from '../../platform/db/pool.ts'

/** The end of the last hour that is rolled up; null if there is none. */
export async function readHoursTo(db: Sql): Promise<Date | null> {
  const { rows } = await db.query<{ to: Date | null }>({
    name: 'history-hours-to',
    text: 'select rolled_to as "to" from player_history_progress',
  })
  return rows[0]?.to ?? null
}

/**
 * Average players of servers in an hour, from polls that were answered, by server id.
 * @param after the last server of the previous batch; null: the first batch
 */
export async function findPlayersOfHour(
  db: Sql,
  { hour, after, limit }: { hour: Date; after: string | null; limit: number },
): Promise<{ serverId: string; players: number }[]> {
  const { rows } = await db.query<{ serverId: string; players: number }>({
    name: 'history-players-of-hour',
    text: `
      select server_id as "serverId", round(players_sum::float8 / answered)::float8 as players
      from player_history_hours
      where hour = $1 and answered > 0 and ($2::uuid is null or server_id > $2)
      order by server_id
      limit $3`,
    values: [hour, after, limit],
  })
  return rows
}
