// The operations of favorites; an API key may use them too.
import { v7 as uuidv7 } from 'uuid'
import * as z from 'zod'
import { ApiError } from '../../platform/http/errors.ts'
import { idParam, operation } from '../../platform/http/operation.ts'
import { Reply } from '../../platform/http/reply-kinds.ts'
import { SUCCESS, Success } from '../../platform/http/success.ts'
import { listedServer, noSuchServer } from '../servers/index.ts'
import { Favorite, Favorites } from './favorites.schema.ts'
import { deleteFavorite, findFavorites, upsertFavorite } from './favorites.store.ts'

/** Bounds the list, which is not paginated. */
const MAX_FAVORITES = 1_000
const common = { tag: 'Favorites', access: 'user' } as const

export const favoritesOperations = [
  operation({
    ...common,
    method: 'post',
    scope: 'servers:write',
    path: '/servers/{id}/favorite',
    operationId: 'addFavorite',
    summary: 'Add a server to your favorites; 200 if it already is one',
    description: `At most ${MAX_FAVORITES}.`,
    resource: listedServer({ lock: 'share' }),
    status: 201,
    alsoStatus: 200,
    returns: Favorite,
    codes: ['too_many_favorites'],
    async handle({ tx, actor: { userId }, serverId }) {
      const id = uuidv7()
      const favorite = await upsertFavorite(tx, { id, userId, serverId, max: MAX_FAVORITES })
      if (!favorite)
        throw new ApiError(400, 'too_many_favorites', `You already have ${MAX_FAVORITES} favorites, the maximum.`)
      return new Reply(favorite, { status: favorite.id === id ? 201 : 200 })
    },
  }),
  operation({
    ...common,
    method: 'delete',
    scope: 'servers:write',
    path: '/servers/{id}/favorite',
    operationId: 'removeFavorite',
    summary: 'Remove a server from your favorites; succeeds if it was not one',
    params: z.object({ id: idParam('Server id', noSuchServer().message) }),
    returns: Success,
    async handle({ tx, actor: { userId }, params }) {
      if (!(await deleteFavorite(tx, { userId, serverId: params.id }))) throw noSuchServer()
      return SUCCESS
    },
  }),
  operation({
    ...common,
    method: 'get',
    scope: 'read',
    path: '/user/favorites',
    operationId: 'listFavorites',
    summary: 'List your favorite servers, last added first',
    returns: Favorites,
    handle: async ({ db, actor }) => ({ favorites: await findFavorites(db, actor.userId) }),
  }),
]
