// Notifications: the list, subscriptions to servers, and the chat webhook. API keys may use the first two.
import { validate as isUuid } from 'uuid'
import type { Deps } from '../../deps.ts'
import { createSecretCipher } from '../../platform/config/secret-cipher.ts'
import { ApiError, validationFailed } from '../../platform/http/errors.ts'
import { operation } from '../../platform/http/operation.ts'
import { DONE, Success } from '../../platform/http/success.ts'
import { refusalOf } from '../../platform/target-url.ts'
import { requireLivingSession } from '../accounts/index.ts'
import { noSuchServer, ServerIdParams } from '../servers/index.ts'
import { deleteChatWebhook, findChatWebhook, putChatWebhook } from './chat-webhooks.store.ts'
import {
  ChatWebhook,
  ChatWebhookRequest,
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
const chat = {
  tag: 'Notifications',
  access: 'session',
  path: '/user/notification-preferences/chat-webhook',
} as const

export function notificationsOperations({ settings }: Pick<Deps, 'settings'>) {
  const secretCipher = createSecretCipher(settings)
  return [
    operation({
      ...common,
      method: 'get',
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
        const given = { userId, serverId, events, max: MAX_SUBSCRIPTIONS }
        const { isListed, isSubscribed } = await upsertSubscription(tx, given)
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
      operationId: 'unsubscribeFromServer',
      summary: 'End your subscription to a server; succeeds if there was none',
      params: ServerIdParams,
      returns: Success,
      errors: [404],
      async handle({ tx, actor, params }) {
        if (!(await deleteSubscription(tx, actor.userId, params.id))) throw noSuchServer()
        return DONE
      },
    }),
    operation({
      ...chat,
      method: 'get',
      operationId: 'getChatWebhook',
      summary: 'Get whether you have a chat webhook, and its host',
      returns: ChatWebhook,
      async handle({ db, actor }) {
        const encrypted = await findChatWebhook(db, actor.userId)
        // An address that neither APP_SECRET nor the previous secret can decrypt is unusable, so it counts as none.
        const url = encrypted === undefined ? undefined : secretCipher.decryptIfPossible('chat', encrypted)
        return { isSet: url !== undefined, host: url === undefined ? '' : new URL(url).host }
      },
    }),
    operation({
      ...chat,
      method: 'put',
      operationId: 'setChatWebhook',
      summary: 'Set your chat webhook',
      description:
        'An incoming webhook of Discord or a compatible service, which gets `{ "content": "…" }`. It is used while `chat` of your ' +
        'notification preferences is true, and deleted once it answers 404 or 410.',
      body: ChatWebhookRequest,
      returns: ChatWebhook,
      async handle({ tx, actor, body }) {
        const message = refusalOf(body.url, {
          requireHttps: settings.NODE_ENV === 'production',
          allowPrivate: settings.ALLOW_PRIVATE_TARGETS,
        })
        if (message) throw validationFailed([{ path: 'body.url', message }])
        await requireLivingSession(tx, actor)
        await putChatWebhook(tx, actor.userId, secretCipher.encrypt('chat', body.url))
        return { isSet: true, host: new URL(body.url).host }
      },
    }),
    operation({
      ...chat,
      method: 'delete',
      operationId: 'deleteChatWebhook',
      summary: 'Delete your chat webhook; succeeds if there is none',
      returns: Success,
      async handle({ tx, actor }) {
        await deleteChatWebhook(tx, actor.userId)
        return DONE
      },
    }),
  ]
}
