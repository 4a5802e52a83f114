// The endpoints of notifications. News and subscriptions are there for keys, too; where chat messages go, for sessions only.
import { type Route, route } from '../../platform/http/route.ts'
import { DONE, Success } from '../../platform/http/success.ts'
import { ServerParams } from '../directory/index.ts'
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
import { MAX_SUBSCRIPTIONS, type NotificationsService } from './notifications.service.ts'

const news = { tag: 'Notifications', access: 'user' } as const
const subscription = {
  ...news,
  path: '/servers/{id}/notifications',
  params: ServerParams,
  errors: [404],
} as const
const chat = {
  tag: 'Notifications',
  access: 'session',
  path: '/user/notification-preferences/chat-webhook',
} as const

export function notificationsRoutes(notifications: NotificationsService): Route[] {
  return [
    route({
      ...news,
      method: 'get',
      path: '/user/notifications',
      operationId: 'listNotifications',
      summary: 'What you were told of, latest first',
      description: 'What repeats while you have not read it is one entry that counts.',
      query: NotificationsQuery,
      returns: Notifications,
      handle: ({ actor, query }) => notifications.list(actor.userId, query),
    }),
    route({
      ...news,
      method: 'post',
      path: '/user/notifications/read',
      operationId: 'readNotifications',
      summary: 'Marks notifications as read',
      body: ReadRequest,
      returns: ReadResult,
      handle: async ({ actor, body }) => ({
        success: true,
        updated: await notifications.read(actor.userId, body.ids),
      }),
    }),
    route({
      ...subscription,
      method: 'get',
      operationId: 'getServerSubscription',
      summary: 'Which news of a server you subscribed to',
      returns: Subscription,
      errors: [404],
      handle: ({ actor, params }) => notifications.subscription(actor.userId, params.id),
    }),
    route({
      ...subscription,
      method: 'put',
      operationId: 'subscribeToServer',
      summary: 'Subscribes you to news of a server, in place of what you had',
      description:
        `At most ${MAX_SUBSCRIPTIONS} servers. Your notification preferences say whether messages leave by mail and chat; ` +
        'which events is said here alone. Owners hear of their own servers without subscribing, as their preferences say.',
      body: SubscriptionRequest,
      returns: Subscription,
      errors: [404],
      codes: ['too_many_subscriptions'],
      handle: ({ actor, params, body }) => notifications.subscribe(actor.userId, params.id, body.events),
    }),
    route({
      ...subscription,
      method: 'delete',
      operationId: 'unsubscribeFromServer',
      summary: 'Ends your subscription; a success too when there was none',
      returns: Success,
      errors: [404],
      async handle({ actor, params }) {
        await notifications.unsubscribe(actor.userId, params.id)
        return DONE
      },
    }),
    route({
      ...chat,
      method: 'get',
      operationId: 'getChatWebhook',
      summary: 'Whether chat messages have somewhere to go',
      returns: ChatWebhook,
      handle: ({ actor }) => notifications.chatWebhook(actor.userId),
    }),
    route({
      ...chat,
      method: 'put',
      operationId: 'setChatWebhook',
      summary: 'Where your chat messages go',
      description:
        'An incoming webhook as Discord has them: it gets `{ "content": "…" }`. Used while `chat` of your notification ' +
        'preferences is true, and forgotten once it answers 404 or 410.',
      body: ChatWebhookRequest,
      returns: ChatWebhook,
      handle: ({ actor, body }) => notifications.setChatWebhook(actor, body.url),
    }),
    route({
      ...chat,
      method: 'delete',
      operationId: 'deleteChatWebhook',
      summary: 'Forgets where your chat messages went',
      returns: Success,
      async handle({ actor }) {
        await notifications.deleteChatWebhook(actor.userId)
        return DONE
      },
    }),
  ]
}
