// Requests and replies of the webhook operations.
import * as z from 'zod'
import { idParam } from '../../platform/http/operation.ts'
import { pageOf, pageQuery } from '../../platform/http/paging.ts'
import { Timestamp } from '../../platform/http/timestamp.ts'
import { EVENT_TYPES } from './event-types.ts'
import { TargetUrl } from './target-url.ts'

export const noSuchDelivery = 'There is no such delivery.'
export const DeliveryParams = z.object({ deliveryId: idParam('Delivery id', noSuchDelivery) })

export const SetWebhook = z.object({
  url: TargetUrl.describe('Where events are posted; https in production, and never a private address'),
  events: z
    .array(z.enum(EVENT_TYPES, `must be ${EVENT_TYPES.slice(0, -1).join(', ')} or ${EVENT_TYPES.at(-1)}`), {
      error: ({ input }) => (input === undefined ? 'is required' : 'must be a list of events'),
    })
    .min(1, 'must name at least one event')
    .max(20, 'must name at most 20 events')
    .transform((events) => [...new Set(events)])
    .describe('The events that are posted'),
})

export const WebhookEndpoint = z
  .object({
    url: z
      .string()
      .describe(
        'Complete for the server’s owner, up to the host for others; empty if it can’t be decrypted and must be set again',
      ),
    events: z.array(z.enum(EVENT_TYPES)),
    isActive: z
      .boolean()
      .describe('False if the webhook is disabled, until it is set again, and while the owner is banned'),
    disabledReason: z
      .enum(['gone', 'failing'])
      .nullable()
      .describe('`gone`: the endpoint answered 410; `failing`: every attempt failed for 5 days'),
    disabledAt: Timestamp.nullable(),
    failingSince: Timestamp.nullable().describe('Since when every attempt has failed'),
    previousSecretUntil: Timestamp.nullable().describe('Until when the previous secret also signs'),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'WebhookEndpoint' })

const secret = z
  .string()
  .regex(/^whsec_[A-Za-z0-9+/]+=*$/)
  .describe('Signs deliveries; returned in this reply only')
  .meta({ examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] })

export const SetWebhookResult = WebhookEndpoint.extend({ secret: secret.optional() }).meta({ id: 'SetWebhookResult' })
export const RotatedWebhook = WebhookEndpoint.extend({ secret }).meta({ id: 'RotatedWebhook' })

export const DELIVERY_STATUSES = ['pending', 'delivered', 'dead', 'canceled'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

export const DeliveriesQuery = z.object({
  ...pageQuery({ limit: 20, maxLimit: 50 }),
  status: z
    .enum(DELIVERY_STATUSES, `must be ${DELIVERY_STATUSES.slice(0, -1).join(', ')} or canceled`)
    .optional()
    .describe('Only deliveries with this status'),
})

export const WebhookDelivery = z
  .object({
    id: z.uuid().describe('Sent as `webhook-id`, the same for every attempt'),
    type: z.string(),
    status: z
      .enum(DELIVERY_STATUSES)
      .describe(
        '`dead`: the last attempt failed; `canceled`: the webhook was disabled, deleted or its owner banned before it was delivered',
      ),
    attempts: z.int().min(0),
    createdAt: Timestamp,
    nextAttemptAt: Timestamp.nullable().describe('Null unless the delivery is pending'),
    settledAt: Timestamp.nullable().describe('Null while the delivery is pending'),
    payload: z.record(z.string(), z.unknown()).describe('The posted body: `type`, `timestamp`, `data`'),
    log: z
      .array(
        z.object({
          number: z.int().min(1),
          at: Timestamp,
          status: z.int().nullable().describe('HTTP status; null if there was no response'),
          latencyMs: z.int().min(0),
          error: z.string().nullable().describe('Why there was no response'),
          response: z.string().describe('The first kilobyte of the response'),
        }),
      )
      .describe('The last attempts, at most 20, oldest first'),
  })
  .meta({ id: 'WebhookDelivery' })

export const WebhookDeliveries = pageOf('deliveries', WebhookDelivery)
