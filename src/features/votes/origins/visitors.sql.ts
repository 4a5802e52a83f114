// SQL, because it aggregates the votes of the last hours by visitor.
import type { Sql } from '../../../platform/db/pool.ts'
import type { Batch } from '../upkeep.sql.ts'

/** Browsers keep a cookie this long; an unused visitor id of this site expires earlier. */
const KEPT_DAYS = 400

/**
 * Records the first and the last vote of the visitors who voted since the last call. Cooldowns are read, because they
 * are the votes of the last two days.
 * @returns number of visitors
 */
export async function recordVisitors(db: Sql): Promise<number> {
  const { rowCount } = await db.query({
    name: 'votes-record-visitors',
    text: `
      insert into vote_visitors as known (visitor_key, first_voted_at, last_voted_at)
      select visitor_key(visitor_id), min(last_voted_at), max(last_voted_at)
      from vote_cooldowns
      where last_voted_at >= coalesce((select max(last_voted_at) from vote_visitors), '-infinity') - interval '10 minutes'
      group by visitor_id
      order by 1
      on conflict (visitor_key) do update set
        first_voted_at = least(known.first_voted_at, excluded.first_voted_at),
        last_voted_at = greatest(known.last_voted_at, excluded.last_voted_at)`,
  })
  return rowCount ?? 0
}

/** Deletes up to `limit` visitors who have not voted for a long time. @returns number of deleted rows */
export async function deleteOldVisitors(db: Sql, { now, limit }: Batch): Promise<number> {
  const { rowCount } = await db.query(
    `delete from vote_visitors where visitor_key in (
       select visitor_key from vote_visitors
       where last_voted_at < coalesce($1::timestamptz, now()) - make_interval(days => $3)
       order by last_voted_at
       limit $2)`,
    [now, limit, KEPT_DAYS],
  )
  return rowCount ?? 0
}
