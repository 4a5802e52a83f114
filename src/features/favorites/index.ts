// The door of favorites: servers that a user keeps at hand.
import type { Deps } from '../../deps.ts'
import type { Route } from '../../platform/http/route.ts'
import { favoritesRoutes } from './favorites.routes.ts'
import { createFavoritesService } from './favorites.service.ts'

export interface Favorites {
  routes: Route[]
}

export function createFavorites({ pool, settings }: Pick<Deps, 'pool' | 'settings'>): Favorites {
  const service = createFavoritesService({ pool, requireVerified: settings.LISTING_REQUIRES_VERIFICATION })
  return { routes: favoritesRoutes(service) }
}
