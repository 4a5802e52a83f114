// Requests and responses of notifications.
import * as z from 'zod'
import { pageOf, pageQuery } from '../../platform/http/paging.ts'
import { flag } from '../../platform/http/query.ts'
import { Timestamp } from '../../platform/http/timestamp.ts'
import { TargetUrl } from '../../platform/target-url.ts'
import { maxLength } from '../../platform/text.ts'
import { NOTICE_EVENTS, SERVER_NOTICE_EVENTS } from './events.ts'

export const NotificationsQuery = z.object({
  ...pageQuery({ limit: 20, maxLimit: 100 }),
  unread: flag.describe('`true`: only unread notifications; `false`: all').optional(),
})

export const Notification = z
  .object({
    id: z.uuid(),
    event: z.enum(NOTICE_EVENTS),
    serverId: z.uuid().nullable(),
    auctionId: z.uuid().nullable().describe('The auction that it is about'),
    title: z.string(),
    message: z.string(),
    count: z.int().min(1).describe('How often the event happened since the previous notification was read'),
    createdAt: Timestamp.describe('When the event last happened'),
    readAt: Timestamp.nullable(),
  })
  .meta({ id: 'Notification' })
export const Notifications = pageOf('notifications', Notification)

const MAX_IDS = 1_000
export const ReadRequest = z.object({
  ids: z
    .array(z.string('must be an id').check(maxLength(100, 'must be an id')), 'must be a list of ids')
    .min(1, 'must have at least one id')
    .max(MAX_IDS, `must have at most ${MAX_IDS} ids`),
})
export const ReadResult = z.object({
  success: z.boolean(),
  updated: z.int().min(0).describe('How many of them were yours and unread'),
})

const serverEvents = z.array(
  z.enum(SERVER_NOTICE_EVENTS, `must be one of ${SERVER_NOTICE_EVENTS.join(', ')}`),
  'must be a list of events',
)

export const SubscriptionRequest = z.object({
  events: serverEvents
    .min(1, 'must name at least one event')
    .max(SERVER_NOTICE_EVENTS.length, 'must name each event once')
    .refine((events) => new Set(events).size === events.length, 'must name each event once')
    .meta({ uniqueItems: true }),
})
export const Subscription = z
  .object({ events: z.array(z.enum(SERVER_NOTICE_EVENTS)).describe('Empty: not subscribed') })
  .meta({ id: 'ServerSubscription' })
export const ChatWebhookRequest = z.object({ url: TargetUrl })
export const ChatWebhook = z
  .object({
    isSet: z.boolean(),
    host: z.string().describe('Host of the address; the rest is a secret and never returned. Empty if none is set'),
  })
  .meta({ id: 'ChatWebhook' })
