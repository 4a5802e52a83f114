// The rules of favorites: of which servers, how many, and that adding or removing one twice is no mistake.
import { validate as isUuid, v7 as uuidv7 } from 'uuid'
import type * as z from 'zod'
import type { Pool } from '../../platform/db/pool.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { noSuchServer } from '../directory/index.ts'
import type { Favorite, FavoriteServer } from './favorites.schema.ts'
import { deleteFavorite, findFavorites, upsertFavorite } from './favorites.sql.ts'

/** The list is answered whole. */
export const MAX_FAVORITES = 1_000

export interface FavoritesService {
  /**
   * @returns the favorite, and whether it is new
   * @throws ApiError 404 for a server that is not listed; 400 too_many_favorites
   */
  add(userId: string, serverId: string): Promise<{ favorite: z.input<typeof Favorite>; isNew: boolean }>
  /** @throws ApiError 404 for a server that is not listed and no favorite */
  remove(userId: string, serverId: string): Promise<void>
  list(userId: string): Promise<FavoriteServer[]>
}

/** @param options.requireVerified setting LISTING_REQUIRES_VERIFICATION */
export function createFavoritesService(options: { pool: Pool; requireVerified: boolean }): FavoritesService {
  const { pool, requireVerified } = options
  return {
    async add(userId, serverId) {
      if (!isUuid(serverId)) throw noSuchServer()
      const id = uuidv7()
      const { isListed, row } = await upsertFavorite(pool, requireVerified, {
        id,
        userId,
        serverId,
        max: MAX_FAVORITES,
      })
      if (!isListed) throw noSuchServer()
      if (!row)
        throw new ApiError(400, 'too_many_favorites', `You have ${MAX_FAVORITES} favorites, the most there can be.`)
      return { favorite: { ...row, createdAt: row.createdAt.toISOString() }, isNew: row.id === id }
    },

    async remove(userId, serverId) {
      if (!(isUuid(serverId) && (await deleteFavorite(pool, requireVerified, { userId, serverId }))))
        throw noSuchServer()
    },

    list: (userId) => findFavorites(pool, requireVerified, userId),
  }
}
