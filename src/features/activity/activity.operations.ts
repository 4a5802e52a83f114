// What visitors did with a server, for its owner; and the counting of what the server can't see: copied
// addresses and joins.
import * as z from 'zod'
import { toCsv } from '../../platform/csv.ts'
import { operation } from '../../platform/http/operation.ts'
import { SUCCESS, Success } from '../../platform/http/success.ts'
import { CURRENCY } from '../auctions/index.ts'
import type { Directory } from '../directory/index.ts'
import { managedServer, noSuchServer, ServerIdParams } from '../servers/index.ts'
import { ActivityQuery, CountAction, KEPT_DAYS, PlacementReach, ServerActivity } from './activity.schema.ts'
import { type DayOfServer, findActivity, findPlacementEffects, findReach } from './activity.sql.ts'
import type { createActivityCounter } from './activity-counter.ts'

const MAX_PLACEMENTS = 20
/** A visitor does not copy more addresses than this. */
const ACTIONS_PER_MINUTE = 30

const read = { method: 'get', tag: 'Server management', access: 'user', scope: 'read' } as const

const COLUMNS = ['day', 'views', 'crawlerViews', 'copies', 'joins', 'votes', 'favorites'] as const

const toTable = (days: DayOfServer[]): string =>
  toCsv(
    COLUMNS,
    days.map((day) => COLUMNS.map((column) => day[column])),
  )

interface ActivityOptions {
  directory: Pick<Directory, 'lookup'>
  activity: Pick<ReturnType<typeof createActivityCounter>, 'count'>
}

export function activityOperations({ directory, activity }: ActivityOptions) {
  return [
    operation({
      method: 'get',
      tag: 'Placements',
      path: '/placement-reach',
      operationId: 'listPlacementReach',
      summary: 'List page views during placements of the last week, by location',
      description:
        'By location, over all servers there, without crawlers. A location without a placement in that week is left out.',
      crossOrigin: true,
      returns: PlacementReach,
      handle: async ({ db }) => ({ places: await findReach(db) }),
    }),
    operation({
      ...read,
      path: '/servers/{id}/activity',
      operationId: 'getServerActivity',
      summary: 'Get views, copied addresses, joins, votes and favorites of your server by day',
      description:
        'Counted without cookies: one view of a client in a minute, and nothing about the client is stored. ' +
        `Up to a minute late, and kept for ${KEPT_DAYS} days. With the placements of the server and the views of their days.`,
      resource: managedServer({ right: 'read' }),
      query: ActivityQuery,
      returns: ServerActivity,
      handle: async ({ db, server, query }) => ({
        days: await findActivity(db, server.id, query.days),
        placements: (await findPlacementEffects(db, server.id, MAX_PLACEMENTS)).map((effect) => ({
          ...effect,
          currency: CURRENCY,
        })),
      }),
    }),
    operation({
      ...read,
      path: '/servers/{id}/activity.csv',
      operationId: 'getServerActivityCsv',
      summary: 'Get a server’s activity by day as CSV',
      description: 'RFC 4180 with a header row. The columns are the fields of `days`.',
      resource: managedServer({ right: 'read' }),
      query: ActivityQuery,
      returns: z.string().meta({ description: 'A table' }),
      produces: 'text/csv',
      handle: async ({ db, server, query }) => toTable(await findActivity(db, server.id, query.days)),
    }),
    operation({
      method: 'post',
      path: '/servers/{id}/activity',
      operationId: 'countServerActivity',
      tag: 'Directory',
      summary: 'Count a copied address or a click on the join link',
      description: 'Pages of the site call it. It succeeds also if the action is not counted.',
      params: ServerIdParams,
      body: CountAction,
      limit: { name: 'activity', limit: ACTIONS_PER_MINUTE, windowSeconds: 60, per: 'client' },
      returns: Success,
      errors: [404],
      transaction: false,
      handle({ params: { id }, body: { action }, clientKey, req }) {
        if (directory.lookup.requireFresh().snapshot.slotOf(id) === undefined) throw noSuchServer()
        activity.count({ serverId: id, action, clientKey, userAgent: req.headers['user-agent'] })
        return SUCCESS
      },
    }),
  ]
}
