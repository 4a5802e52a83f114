// Running placements and featured servers, and the administration of ad slots.
import type { Deps } from '../../deps.ts'
import { notFound } from '../../platform/http/errors.ts'
import { operation } from '../../platform/http/operation.ts'
import { pageLink } from '../../platform/http/page-link.ts'
import { bannerImageUrl } from '../faces/index.ts'
import { gameName } from '../games/index.ts'
import { listedServer } from '../servers/index.ts'
import { Featured, FeaturedServers, LocationParams, Placements } from './placements.schema.ts'
import { findFeatured, findIsFeatured, findRunning, isLocation, type PlacementRow } from './placements.sql.ts'
import { adSlotOperations } from './slots.operations.ts'

const common = { tag: 'Placements' } as const

export function placementsOperations({ settings }: Pick<Deps, 'settings'>) {
  const toPlacement = ({ website, bannerUrl, bannerHash, ...row }: PlacementRow) => ({
    ...row,
    imageUrl: bannerImageUrl(bannerHash, settings.PUBLIC_BASE_URL) ?? bannerUrl,
    linkUrl:
      website ||
      pageLink(settings, { page: `/servers/${row.serverId}`, operation: `/api/public/servers/${row.serverId}` }),
  })

  return [
    operation({
      ...common,
      method: 'get',
      path: '/ad-placements',
      operationId: 'listPlacements',
      summary: 'List running placements',
      crossOrigin: true,
      returns: Placements,
      handle: async ({ db }) => ({ placements: (await findRunning(db)).map(toPlacement) }),
    }),
    operation({
      ...common,
      method: 'get',
      path: '/ad-placements/{location}',
      operationId: 'listPlacementsOfLocation',
      summary: 'List running placements at a location',
      crossOrigin: true,
      params: LocationParams,
      returns: Placements,
      errors: [404],
      async handle({ db, params: { location } }) {
        if (!(await isLocation(db, location))) throw notFound('There is no such location.')
        return { placements: (await findRunning(db, { location })).map(toPlacement) }
      },
    }),
    operation({
      ...common,
      method: 'get',
      path: '/servers/featured',
      operationId: 'listFeaturedServers',
      summary: 'List featured servers, most votes first',
      crossOrigin: true,
      returns: FeaturedServers,
      handle: async ({ db }) => ({
        servers: (await findFeatured(db)).map((server) => ({ ...server, gameName: gameName(server.game) })),
      }),
    }),
    operation({
      ...common,
      method: 'get',
      path: '/servers/{id}/featured',
      operationId: 'getFeatured',
      summary: 'Get whether a server is featured, and for which placement',
      crossOrigin: true,
      resource: listedServer(),
      returns: Featured,
      async handle({ db, serverId }) {
        const isFeatured = await findIsFeatured(db, serverId)
        const [running] = isFeatured ? await findRunning(db, { serverId }) : []
        return { isFeatured, placement: running ? toPlacement(running) : null }
      },
    }),
    ...adSlotOperations,
  ]
}
