// Places in finished months. SQL, because it reads many rows in the order of an index.
import { NIL } from 'uuid'
import type { Sql } from '../../platform/db/pool.ts'

/** The place of a server in a month. */
export interface ServerPlace {
  serverId: string
  place: number
}

export interface PlaceOfMonth extends ServerPlace {
  /** Null if the server has another game now. */
  placeInGame: number | null
}

/**
 * Best first, in batches.
 * @param month `2026-10`
 * @param after the last one of the previous batch; null: the first batch
 */
export async function findPlacesOfMonth(
  db: Sql,
  { month, after, limit }: { month: string; after: ServerPlace | null; limit: number },
): Promise<PlaceOfMonth[]> {
  const { rows } = await db.query<Omit<PlaceOfMonth, 'place'> & { place: number | null }>({
    name: 'votes-places-of-month',
    text: `
      select server_id as "serverId", place, case when months.game = servers.game then place_in_game end as "placeInGame"
      from server_vote_months as months join servers on id = server_id
      where month = $1 and (place, server_id) > ($2, $3::uuid)
      order by place, server_id
      limit $4`,
    values: [`${month}-01`, after?.place ?? 0, after?.serverId ?? NIL, limit],
  })
  return rows.flatMap(({ place, ...row }) => (place === null ? [] : [{ ...row, place }]))
}
