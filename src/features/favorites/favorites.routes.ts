// The endpoints of favorites; the owner of an API key may keep them too.
import { Reply, type Route, route } from '../../platform/http/route.ts'
import { DONE, Success } from '../../platform/http/success.ts'
import { ServerParams } from '../directory/index.ts'
import { Favorite, Favorites } from './favorites.schema.ts'
import { type FavoritesService, MAX_FAVORITES } from './favorites.service.ts'

const common = { tag: 'Favorites', access: 'user' } as const

export function favoritesRoutes(favorites: FavoritesService): Route[] {
  return [
    route({
      ...common,
      method: 'post',
      path: '/servers/{id}/favorite',
      operationId: 'addFavorite',
      summary: 'Makes a server your favorite; 200 when it is already',
      description: `At most ${MAX_FAVORITES}.`,
      params: ServerParams,
      status: 201,
      alsoStatus: 200,
      returns: Favorite,
      errors: [404],
      codes: ['too_many_favorites'],
      async handle({ actor, params }) {
        const { favorite, isNew } = await favorites.add(actor.userId, params.id)
        return new Reply(favorite, { status: isNew ? 201 : 200 })
      },
    }),
    route({
      ...common,
      method: 'delete',
      path: '/servers/{id}/favorite',
      operationId: 'removeFavorite',
      summary: 'Makes a server your favorite no more; a success too when it was none',
      params: ServerParams,
      returns: Success,
      errors: [404],
      async handle({ actor, params }) {
        await favorites.remove(actor.userId, params.id)
        return DONE
      },
    }),
    route({
      ...common,
      method: 'get',
      path: '/user/favorites',
      operationId: 'listFavorites',
      summary: 'Your favorite servers, last added first',
      returns: Favorites,
      handle: async ({ actor }) => ({ favorites: await favorites.list(actor.userId) }),
    }),
  ]
}
