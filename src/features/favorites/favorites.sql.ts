// Statements over favorites. Only listed servers can become one or are shown; one that is hidden for a while comes back.
import type { Db } from '../../platform/db/pool.ts'
import { isListed } from '../directory/index.ts'
import type { FavoriteServer } from './favorites.schema.ts'

export interface FavoriteRow {
  id: string
  userId: string
  serverId: string
  createdAt: Date
}

/**
 * Adds a favorite unless it is one already: of requests at the same time one adds it and all get the same row.
 * @param favorite `max`: a user that has so many gets no more
 * @returns whether the server is listed, and the row unless it is not or there are too many; its id is the given one when it is new
 */
export async function upsertFavorite(
  db: Db,
  requireVerified: boolean,
  favorite: { id: string; userId: string; serverId: string; max: number },
): Promise<{ isListed: boolean; row: FavoriteRow | undefined }> {
  const { rows } = await db.query<{ isListed: boolean } & { [Key in keyof FavoriteRow]: FavoriteRow[Key] | null }>({
    name: 'favorites-upsert',
    // An update that changes nothing, since `do nothing` would not return the row that is there. The bound is not exact
    // for requests at the same time, which is good enough for keeping a list short.
    text: `
      with listed as (select id from servers where id = $4 and ${isListed('$1')}),
      kept as (
        insert into favorites (id, user_id, server_id)
        select $2, $3, listed.id
        from listed
        where (select count(*) from favorites where user_id = $3) < $5
          or exists (select from favorites where user_id = $3 and server_id = $4)
        on conflict (user_id, server_id) do update set server_id = excluded.server_id
        returning id, user_id as "userId", server_id as "serverId", created_at as "createdAt")
      select exists (select from listed) as "isListed", kept.*
      from (values (1)) as one
      left join kept on true`,
    values: [requireVerified, favorite.id, favorite.userId, favorite.serverId, favorite.max],
  })
  const [found] = rows
  if (!found) return { isListed: false, row: undefined }
  const { isListed: listed, id, userId, serverId, createdAt } = found
  return {
    isListed: listed,
    row: id && userId && serverId && createdAt ? { id, userId, serverId, createdAt } : undefined,
  }
}

/** @returns whether there was such a favorite, or could be: a server that nobody can see is not told of */
export async function deleteFavorite(
  db: Db,
  requireVerified: boolean,
  favorite: { userId: string; serverId: string },
): Promise<boolean> {
  const { rows } = await db.query<{ isKnown: boolean }>({
    name: 'favorites-delete',
    text: `
      with removed as (delete from favorites where user_id = $2 and server_id = $3 returning id)
      select exists (select from removed) or exists (select from servers where id = $3 and ${isListed('$1')}) as "isKnown"`,
    values: [requireVerified, favorite.userId, favorite.serverId],
  })
  return rows[0]?.isKnown ?? false
}

/** The listed ones, last added first. */
export async function findFavorites(db: Db, requireVerified: boolean, userId: string): Promise<FavoriteServer[]> {
  const { rows } = await db.query<FavoriteServer>({
    name: 'favorites-find',
    text: `
      select servers.id, name, ip_address as "ipAddress", game_port as "gamePort", current_players as "currentPlayers",
        max_players as "maxPlayers", is_online as "isOnline", map
      from favorites
      join servers on servers.id = favorites.server_id
      join server_status on server_status.server_id = servers.id
      where user_id = $2 and ${isListed('$1')}
      order by favorites.created_at desc, favorites.id desc`,
    values: [requireVerified, userId],
  })
  return rows
}
