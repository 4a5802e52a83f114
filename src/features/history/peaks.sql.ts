// SQL, because it aggregates: the highest player counts of the last 24 hours.
import type { Db } from '../../platform/db/pool.ts'

/**
 * Highest player count in the last 24 hours by server id in lower case; servers without answered polls are absent.
 * Reads whole hours from their roll-ups, because a server's samples of one day lie in as many pages.
 */
export async function findPeaks(db: Db, ids: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await db.query<{ id: string; peak: number }>({
    name: 'history-find-peaks',
    // The bounds are separate subqueries, so that they are known when partitions are pruned.
    text: `
      with day as (select now() - interval '24 hours' as begins),
      whole as (
        select begins, date_trunc('hour', begins) + interval '1 hour' as first_hour,
          greatest(date_trunc('hour', begins) + interval '1 hour',
            (select max(hour) + interval '1 hour' from player_history_hours)) as rolled_to
        from day)
      select server_id as id, max(players) as peak
      from (
        select server_id, players_max as players
        from player_history_hours
        where server_id = any($1::uuid[]) and answered > 0
          and hour >= (select first_hour from whole) and hour < (select rolled_to from whole)
        union all
        select server_id, players
        from player_history
        where server_id = any($1::uuid[]) and players is not null
          and polled_at > (select begins from whole) and polled_at < (select first_hour from whole)
        union all
        select server_id, players
        from player_history
        where server_id = any($1::uuid[]) and players is not null and polled_at >= (select rolled_to from whole)) as seen
      group by server_id`,
    values: [ids],
  })
  return new Map(rows.map(({ id, peak }) => [id, peak]))
}
