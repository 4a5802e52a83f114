// Images of a server for other sites, forums and READMEs.
import * as z from 'zod'
import { operation } from '../../platform/http/operation.ts'
import { Language } from '../../platform/language.ts'
import { HistoryQuery } from '../history/index.ts'
import { ServerIdParams } from '../servers/index.ts'
import { CARD_SIZE } from './card.ts'
import { type CardsOptions, createCards } from './cards.service.ts'
import { createLastDayReader } from './last-days.ts'
import { createWidgetsService } from './widgets.service.ts'

const common = {
  method: 'get',
  tag: 'Directory',
  crossOrigin: true,
  params: ServerIdParams,
  returns: z.string().meta({ description: 'An SVG image' }),
  produces: 'image/svg+xml',
  // Pages that show an image add parameters against caches: `badge.svg?v=2`.
  unknownInput: 'ignored',
} as const

export function widgetsOperations(options: CardsOptions) {
  const readLastDay = createLastDayReader(options)
  const widgets = createWidgetsService(options, readLastDay)
  const card = createCards(options, readLastDay)
  return [
    operation({
      ...common,
      path: '/public/servers/{id}/badge.svg',
      operationId: 'getServerBadge',
      summary: 'Get a badge image with the server’s name, status and players',
      handle: ({ params }) => widgets.badge(params.id),
    }),
    operation({
      ...common,
      path: '/servers/{id}/chart.svg',
      operationId: 'getServerChart',
      summary: 'Get an image of the players of a server over time',
      description:
        'The line is the mean of each interval, the area reaches its peak, and intervals without an answered poll are gaps, up to the last poll. ' +
        'Light or dark as the viewer’s system is; at most 20 kB; drawn at most once a minute.',
      query: HistoryQuery.extend({ lang: Language.default('en').describe('Language of the texts') }),
      reads: 'standby',
      handle: ({ db, params, query }) => widgets.chart(db, params.id, query.range, query.lang),
    }),
    operation({
      ...common,
      path: '/servers/{id}/banner.svg',
      operationId: 'getServerBanner',
      summary: 'Get a banner image with the server’s name, game, map, address and players',
      description:
        'A small line shows the players of the last 24 hours. Light or dark as the viewer’s system is; at most 20 kB.',
      reads: 'standby',
      handle: ({ db, params }) => widgets.banner(db, params.id),
    }),
    operation({
      ...common,
      path: '/servers/{id}/card.png',
      operationId: 'getServerCard',
      summary: 'Get the image that chats show for a link to the server’s page',
      description:
        `${CARD_SIZE.width} × ${CARD_SIZE.height} pixels: logo, name, game, players, their line of the last 24 hours, and the banner. Drawn at ` +
        'most once a minute, and for one client at most ten new ones in ten seconds.',
      returns: z.string().meta({ description: 'A PNG image' }),
      produces: 'image/png',
      reads: 'standby',
      handle: ({ db, params, clientKey }) => card(db, params.id, clientKey),
    }),
  ]
}
