// Operations of the list of notifications and of subscriptions to servers.
import { validate as isUuid } from 'uuid'
import { ApiError } from '../../platform/http/errors.ts'
import { operation } from '../../platform/http/operation.ts'
import { SUCCESS, Success } from '../../platform/http/success.ts'
import { noSuchServer, ServerIdParams } from '../servers/index.ts'
import {
  Notifications,
  NotificationsQuery,
  ReadRequest,
  ReadResult,
  Subscription,
  SubscriptionRequest,
} from './notifications.schema.ts'
import { findNotifications, markRead } from './notifications.store.ts'
import { deleteSubscription, findSubscription, upsertSubscription } from './subscriptions.store.ts'

/** Each subscription may cause mail. */
const MAX_SUBSCRIPTIONS = 1_000

const common = { tag: 'Notifications', access: 'user' } as const
const subscription = { ...common, path: '/servers/{id}/notifications' } as const

export const notificationsOperations = [
  operation({
    ...common,
    method: 'get',
    scope: 'read',
    path: '/user/notifications',
    operationId: 'listNotifications',
    summary: 'List your notifications, latest first',
    description: 'An event that repeats before you have read its notification is counted in the same notification.',
    query: NotificationsQuery,
    returns: Notifications,
    handle: ({ db, actor, query }) => findNotifications(db, actor.userId, query),
  }),
  operation({
    ...common,
    method: 'post',
    scope: 'servers:write',
    path: '/user/notifications/read',
    operationId: 'readNotifications',
    summary: 'Mark notifications as read',
    description: 'Ids of other users’ notifications and unknown ids are ignored.',
    body: ReadRequest,
    returns: ReadResult,
    async handle({ tx, actor, body: { ids } }) {
      const known = ids.filter((id) => isUuid(id))
      return { success: true, updated: await markRead(tx, actor.userId, known) }
    },
  }),
  operation({
    ...subscription,
    method: 'get',
    scope: 'read',
    operationId: 'getServerSubscription',
    summary: 'Get the events of a server that you are subscribed to',
    params: ServerIdParams,
    returns: Subscription,
    errors: [404],
    async handle({ db, actor, params }) {
      const events = await findSubscription(db, actor.userId, params.id)
      if (!events) throw noSuchServer()
      return { events }
    },
  }),
  operation({
    ...subscription,
    method: 'put',
    scope: 'servers:write',
    operationId: 'subscribeToServer',
    summary: 'Subscribe to events of a server, replacing your previous subscription',
    description:
      `At most ${MAX_SUBSCRIPTIONS} servers. Your notification preferences decide whether messages are sent by mail and chat; ` +
      'the subscription alone decides about which events. Owners are notified about their own servers without a subscription, ' +
      'as their preferences say.',
    params: ServerIdParams,
    body: SubscriptionRequest,
    returns: Subscription,
    errors: [404],
    codes: ['too_many_subscriptions'],
    async handle({ tx, actor: { userId }, params: { id: serverId }, body: { events } }) {
      const entry = { userId, serverId, events, max: MAX_SUBSCRIPTIONS }
      const { isListed, isSubscribed } = await upsertSubscription(tx, entry)
      if (!isListed) throw noSuchServer()
      if (!isSubscribed)
        throw new ApiError(
          400,
          'too_many_subscriptions',
          `You are subscribed to ${MAX_SUBSCRIPTIONS} servers, the maximum.`,
        )
      return { events }
    },
  }),
  operation({
    ...subscription,
    method: 'delete',
    scope: 'servers:write',
    operationId: 'unsubscribeFromServer',
    summary: 'End your subscription to a server; succeeds if there was none',
    params: ServerIdParams,
    returns: Success,
    errors: [404],
    async handle({ tx, actor, params }) {
      if (!(await deleteSubscription(tx, actor.userId, params.id))) throw noSuchServer()
      return SUCCESS
    },
  }),
]
