// The operations of alerts on favorites; an API key may use them too.
import { validate as isUuid, v4 as uuidv4 } from 'uuid'
import { ApiError, notFound } from '../../platform/http/errors.ts'
import { operation } from '../../platform/http/operation.ts'
import { SUCCESS, Success } from '../../platform/http/success.ts'
import { listedServer, ServerIdParams } from '../servers/index.ts'
import { AlertList, AlertQuery, AlertSettings } from './alerts.schema.ts'
import {
  ALERT_KINDS,
  countAlerts,
  deleteAlert,
  deleteAlerts,
  findAlerts,
  findAllAlerts,
  lockFavorite,
  replaceAlerts,
} from './alerts.sql.ts'

/** Favorites of a user that have alerts. */
const MAX_FAVORITES = 100
/** All alerts of a server: each of its polls reads them. */
const MAX_ON_SERVER = 10_000

const common = { tag: 'Favorites', access: 'user' } as const
const ofFavorite = { ...common, path: '/servers/{id}/favorite/alerts' } as const

const noSuchFavorite = () => notFound('This server is not one of your favorites.')

export const alertsOperations = [
  operation({
    ...ofFavorite,
    method: 'get',
    scope: 'read',
    operationId: 'getAlerts',
    summary: 'Get the alerts of a favorite',
    resource: listedServer(),
    returns: AlertSettings,
    async handle({ db, actor: { userId }, serverId }) {
      const alerts = await findAlerts(db, { userId, serverId })
      if (!alerts) throw noSuchFavorite()
      return alerts
    },
  }),
  operation({
    ...ofFavorite,
    method: 'put',
    scope: 'servers:write',
    operationId: 'setAlerts',
    summary: 'Choose the alerts of a favorite, replacing your previous choice',
    description:
      'Alerts become notifications, which are also sent by mail and chat as your notification preferences say, and by push to your ' +
      'browsers (`addPushBrowser`). An alert fires when the server reaches what it is about, and again only after the server was far from ' +
      'it for ten minutes: a tenth of the number of people, at least two; at most once in three hours. Each message ends its alert with ' +
      `one click. At most ${MAX_FAVORITES} favorites with alerts, and ${MAX_ON_SERVER} alerts of a server.`,
    resource: listedServer({ lock: 'share' }),
    body: AlertSettings,
    returns: AlertSettings,
    codes: ['too_many_alerts'],
    async handle({ tx, actor: { userId }, serverId, body }) {
      const favorite = { userId, serverId }
      if (!(await lockFavorite(tx, favorite))) throw noSuchFavorite()
      const wanted = ALERT_KINDS.flatMap((kind) => {
        const choice = body[kind]
        if (choice === null || choice === false) return []
        return [{ id: uuidv4(), kind, threshold: choice === true ? null : choice }]
      })
      const { favorites, onServer } = await countAlerts(tx, favorite)
      if (wanted.length && favorites >= MAX_FAVORITES)
        throw new ApiError(
          400,
          'too_many_alerts',
          `You already have alerts on ${MAX_FAVORITES} favorites, the maximum.`,
        )
      if (onServer + wanted.length > MAX_ON_SERVER)
        throw new ApiError(400, 'too_many_alerts', 'This server already has as many alerts as a server can have.')
      await replaceAlerts(tx, favorite, wanted)
      return body
    },
  }),
  operation({
    ...ofFavorite,
    method: 'delete',
    scope: 'servers:write',
    operationId: 'removeAlerts',
    summary: 'End the alerts of a favorite; succeeds if there are none',
    params: ServerIdParams,
    returns: Success,
    async handle({ tx, actor: { userId }, params: { id: serverId } }) {
      await deleteAlerts(tx, { userId, serverId })
      return SUCCESS
    },
  }),
  operation({
    ...common,
    method: 'get',
    scope: 'read',
    path: '/user/alerts',
    operationId: 'listAlerts',
    summary: 'List the favorites that have alerts',
    returns: AlertList,
    handle: async ({ db, actor }) => ({ alerts: await findAllAlerts(db, actor.userId) }),
  }),
  operation({
    tag: 'Favorites',
    method: 'post',
    path: '/alerts/off',
    operationId: 'endAlert',
    summary: 'End an alert by the id in its messages',
    description: 'One click, without logging in. Bodies are ignored. Doing it again changes nothing.',
    query: AlertQuery,
    unknownInput: 'ignored',
    returns: Success,
    async handle({ tx, query: { id } }) {
      if (isUuid(id)) await deleteAlert(tx, id)
      return SUCCESS
    },
  }),
]
