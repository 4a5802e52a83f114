// Favorites. SQL, because adding one decides a race and counts in the same statement, and the list joins what the
// poller writes.
import type * as z from 'zod'
import type { Db } from '../../platform/db/pool.ts'
import { listedIn } from '../servers/index.ts'
import type { Favorite, FavoriteServer } from './favorites.schema.ts'

/**
 * Adds a favorite unless the user has it. Of parallel requests one adds the row, and all get it.
 * @param favorite.max the maximum per user, not counting removed servers; parallel requests may
 * exceed it by their number
 * @returns undefined if the user has too many; the given id if the row is new
 */
export async function upsertFavorite(
  db: Db,
  favorite: { id: string; userId: string; serverId: string; max: number },
): Promise<z.output<typeof Favorite> | undefined> {
  const { rows } = await db.query<z.output<typeof Favorite>>({
    name: 'favorites-upsert',
    // `do update` instead of `do nothing`, which would not return the existing row.
    text: `
      insert into favorites (id, user_id, server_id)
      select $1, $2, $3
      where (
          select count(*) from favorites join servers on servers.id = favorites.server_id
          where user_id = $2 and deleted_at is null) < $4
        or exists (select from favorites where user_id = $2 and server_id = $3)
      on conflict (user_id, server_id) do update set server_id = excluded.server_id
      returning id, user_id as "userId", server_id as "serverId", created_at as "createdAt"`,
    values: [favorite.id, favorite.userId, favorite.serverId, favorite.max],
  })
  return rows[0]
}

/** @returns whether the favorite existed or the server is listed; a hidden server is not revealed to others */
export async function deleteFavorite(db: Db, favorite: { userId: string; serverId: string }): Promise<boolean> {
  const { rows } = await db.query<{ isKnown: boolean }>({
    name: 'favorites-delete',
    text: `
      with removed as (delete from favorites where user_id = $1 and server_id = $2 returning id)
      select exists (select from removed) or exists (select from servers where id = $2 and ${listedIn(db)}) as "isKnown"`,
    values: [favorite.userId, favorite.serverId],
  })
  return rows[0]?.isKnown ?? false
}

/** Listed servers, last added first. */
export async function findFavorites(db: Db, userId: string): Promise<FavoriteServer[]> {
  const { rows } = await db.query<FavoriteServer>({
    name: 'favorites-find',
    text: `
      select servers.id, name, ip_address as "ipAddress", game_port as "gamePort", current_players as "currentPlayers",
        max_players as "maxPlayers", is_online as "isOnline", map
      from favorites
      join servers on servers.id = favorites.server_id
      join server_status on server_status.server_id = servers.id
      where user_id = $1 and ${listedIn(db)}
      order by favorites.created_at desc, favorites.id desc`,
    values: [userId],
  })
  return rows
}
