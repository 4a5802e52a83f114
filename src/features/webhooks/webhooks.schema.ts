// Requests and replies of the webhook operations.
import * as z from 'zod'
import { idParam } from '../../platform/http/operation.ts'
import { pageOf, pageQuery } from '../../platform/http/paging.ts'
import { Timestamp } from '../../platform/http/timestamp.ts'
import { EVENT_TYPES } from './event-types.ts'
import { KIND_NAMES, type KindName, kindOf } from './kinds/index.ts'
import { STANDARD_FIELDS, standard } from './kinds/standard.ts'

export const NO_SUCH_DELIVERY = 'There is no such delivery.'
export const DeliveryParams = z.object({ deliveryId: idParam('Delivery id', NO_SUCH_DELIVERY) })
export const NO_SUCH_ENDPOINT = 'There is no such endpoint.'
export const EndpointParams = z.object({ endpointId: idParam('Endpoint id', NO_SUCH_ENDPOINT) })

export const SetWebhook = z.object(STANDARD_FIELDS)

const DisabledReason = z.enum(['gone', 'failing', 'unconfirmed'])
export type DisabledReason = z.output<typeof DisabledReason>

const state = {
  events: z.array(z.enum(EVENT_TYPES)),
  isActive: z
    .boolean()
    .describe('False if the webhook is disabled, until it is set again, and while the owner is banned'),
  disabledReason: DisabledReason.nullable().describe(
    '`gone`: the endpoint answered 410, or Discord no longer knows the webhook; `failing`: every attempt failed for 5 days; `unconfirmed`: it is unknown whether Discord created the status message',
  ),
  disabledAt: Timestamp.nullable(),
  failingSince: Timestamp.nullable().describe('Since when every attempt has failed'),
  previousSecretUntil: Timestamp.nullable().describe('Until when the previous secret also signs'),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}

export const WebhookEndpoint = z.object({ ...standard.shown, ...state }).meta({ id: 'WebhookEndpoint' })

const secret = z
  .string()
  .regex(/^whsec_[A-Za-z0-9+/]+=*$/)
  .describe('Signs deliveries; returned in this reply only')
  .meta({ examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] })

export const SetWebhookResult = WebhookEndpoint.extend({ secret: secret.optional() }).meta({ id: 'SetWebhookResult' })
export const RotatedWebhook = WebhookEndpoint.extend({ secret }).meta({ id: 'RotatedWebhook' })

const kindError = {
  error: `must be ${KIND_NAMES.length > 1 ? `${KIND_NAMES.slice(0, -1).join(', ')} or ` : ''}${KIND_NAMES.at(-1)}`,
}
/** One object per kind. */
const ofEachKind = <Shape extends z.ZodRawShape>(shape: (name: KindName) => Shape) => {
  const [first, ...others] = KIND_NAMES.map((name) => z.object({ kind: z.literal(name), ...shape(name) }))
  if (!first) throw new Error('there are no kinds of endpoints')
  return z.discriminatedUnion('kind', [first, ...others], kindError)
}

export const AddEndpoint = ofEachKind((name) => kindOf(name).fields)

/** Fields of all kinds; which of them an endpoint has depends on its kind. */
export const ChangeEndpoint = z
  .object(Object.assign({}, ...KIND_NAMES.map((name) => kindOf(name).fields)) as z.ZodRawShape)
  .partial()

const endpointShape = (name: KindName) => ({ id: z.uuid(), ...kindOf(name).shown, ...state })
export const EndpointReply = ofEachKind(endpointShape).meta({ id: 'Endpoint' })
export const AddedEndpoint = ofEachKind((name) => ({
  ...endpointShape(name),
  ...(kindOf(name).secret === 'generated' ? { secret } : {}),
})).meta({ id: 'AddedEndpoint' })
export const RotatedEndpoint = z
  .object({ kind: z.literal('standard'), ...endpointShape('standard'), secret })
  .meta({ id: 'RotatedEndpoint' })
export const Endpoints = z.object({ endpoints: z.array(EndpointReply) }).meta({ id: 'Endpoints' })

const DELIVERY_STATUSES = ['pending', 'delivered', 'dead', 'canceled'] as const
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
