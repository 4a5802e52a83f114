// What the endpoints of webhooks take and return (api-decisions.md "Server features", "Votes and webhooks").
import * as z from 'zod'
import { Pagination, pageQuery } from '../../platform/http/paging.ts'
import { ServerParams } from '../directory/index.ts'
import { EVENT_TYPES } from './event-types.ts'
import { TargetUrl } from './target-url.ts'

const instant = z.iso.datetime({ precision: 3 })

export const DeliveryParams = ServerParams.extend({ deliveryId: z.string().describe('Delivery id') })

export const SetWebhook = z.object({
  url: TargetUrl.describe('Where events are posted to; https in production, and never an address inside'),
  events: z
    .array(z.enum(EVENT_TYPES, `must be ${EVENT_TYPES.slice(0, -1).join(', ')} or ${EVENT_TYPES.at(-1)}`), {
      error: ({ input }) => (input === undefined ? 'is required' : 'must be a list of events'),
    })
    .min(1, 'must name at least one event')
    .max(20, 'must name at most 20 events')
    .transform((events) => [...new Set(events)])
    .describe('What is posted'),
})
export type SetWebhook = z.output<typeof SetWebhook>

export const WebhookEndpoint = z
  .object({
    url: z
      .string()
      .describe(
        'In full for the server’s owner, to others only as far as its host; empty when it can’t be read: set it again',
      ),
    events: z.array(z.enum(EVENT_TYPES)),
    isActive: z
      .boolean()
      .describe('False once it was disabled, which setting it again ends, and while its owner is banned'),
    disabledReason: z
      .enum(['gone', 'failing'])
      .nullable()
      .describe('`gone`: it answered 410; `failing`: nothing but failures for 5 days'),
    disabledAt: instant.nullable(),
    failingSince: instant.nullable().describe('Since when every attempt failed'),
    previousSecretUntil: instant.nullable().describe('Until when the secret before this one signs too'),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'WebhookEndpoint' })

const secret = z
  .string()
  .regex(/^whsec_[A-Za-z0-9+/]+=*$/)
  .describe('Signs what is posted; shown in this reply only')
  .meta({ examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] })

export const SetWebhookResult = WebhookEndpoint.extend({ secret: secret.optional() }).meta({ id: 'SetWebhookResult' })
export const RotatedWebhook = WebhookEndpoint.extend({ secret }).meta({ id: 'RotatedWebhook' })
export const DELIVERY_STATUSES = ['pending', 'delivered', 'dead', 'canceled'] as const

export const DeliveriesQuery = z.object({
  ...pageQuery({ limit: 20, maxLimit: 50 }),
  status: z
    .enum(DELIVERY_STATUSES, `must be ${DELIVERY_STATUSES.slice(0, -1).join(', ')} or canceled`)
    .optional()
    .describe('Only those that stand so'),
})
export type DeliveriesQuery = z.output<typeof DeliveriesQuery>

export const WebhookDelivery = z
  .object({
    id: z.uuid().describe('Sent as `webhook-id`, the same at each attempt'),
    type: z.string(),
    status: z
      .enum(DELIVERY_STATUSES)
      .describe(
        '`dead`: given up after the last attempt; `canceled`: the webhook was disabled before it was delivered',
      ),
    attempts: z.int().min(0),
    createdAt: instant,
    nextAttemptAt: instant.nullable().describe('While it is pending'),
    settledAt: instant.nullable().describe('Once it is not'),
    payload: z.record(z.string(), z.unknown()).describe('What is posted: `type`, `timestamp`, `data`'),
    log: z
      .array(
        z.object({
          number: z.int().min(1),
          at: instant,
          status: z.int().nullable().describe('HTTP status; null when there was no answer'),
          latencyMs: z.int().min(0),
          error: z.string().nullable().describe('Why there was no answer'),
          response: z.string().describe('First kilobyte of the answer'),
        }),
      )
      .describe('The last attempts, at most 20, in their order'),
  })
  .meta({ id: 'WebhookDelivery' })

export const WebhookDeliveries = z.object({ deliveries: z.array(WebhookDelivery), pagination: Pagination })
