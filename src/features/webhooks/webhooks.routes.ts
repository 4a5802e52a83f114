// The endpoints by which owners see to their webhooks.
import { type Route, route } from '../../platform/http/route.ts'
import { DONE, Success } from '../../platform/http/success.ts'
import { ServerParams } from '../directory/index.ts'
import type { DeliveryLogService } from './delivery-log.service.ts'
import type { EndpointsService } from './endpoints.service.ts'
import { SENDS_A_MINUTE } from './managing.ts'
import {
  DeliveriesQuery,
  DeliveryParams,
  RotatedWebhook,
  SetWebhook,
  SetWebhookResult,
  WebhookDeliveries,
  WebhookDelivery,
  WebhookEndpoint,
} from './webhooks.schema.ts'

const common = { tag: 'Webhooks', access: 'user', params: ServerParams } as const

export function webhooksRoutes(endpoints: EndpointsService, log: DeliveryLogService): Route[] {
  return [
    route({
      ...common,
      method: 'put',
      path: '/servers/{id}/webhook',
      operationId: 'setWebhook',
      summary: 'Has events of a server posted to a URL of yours',
      description:
        'A new one comes with the secret that signs by Standard Webhooks. Setting it again keeps the secret, and enables it ' +
        'when it was disabled.',
      body: SetWebhook,
      returns: SetWebhookResult,
      errors: [404],
      handle: ({ actor, params, body }) => endpoints.set(actor, params.id, body),
    }),
    route({
      ...common,
      method: 'get',
      path: '/servers/{id}/webhook',
      operationId: 'getWebhook',
      summary: 'A server’s webhook, without its secret',
      returns: WebhookEndpoint,
      errors: [404],
      handle: ({ actor, params }) => endpoints.state(actor, params.id),
    }),
    route({
      ...common,
      method: 'delete',
      path: '/servers/{id}/webhook',
      operationId: 'deleteWebhook',
      summary: 'Ends a server’s webhook; what was not delivered yet is canceled',
      returns: Success,
      errors: [404],
      async handle({ actor, params }) {
        await endpoints.remove(actor, params.id)
        return DONE
      },
    }),
    route({
      ...common,
      method: 'post',
      path: '/servers/{id}/webhook/rotate-secret',
      operationId: 'rotateWebhookSecret',
      summary: 'Gives a server’s webhook another secret; the one before signs too for 24 hours',
      returns: RotatedWebhook,
      errors: [404],
      handle: ({ actor, params }) => endpoints.rotate(actor, params.id),
    }),
    route({
      ...common,
      method: 'post',
      path: '/servers/{id}/webhook/test',
      operationId: 'testWebhook',
      summary: 'Posts a `webhook.test` event to a server’s webhook',
      description: `It is on its way when this answers. Tests and redeliveries together: at most ${SENDS_A_MINUTE} in a minute.`,
      returns: WebhookDelivery,
      errors: [404],
      codes: ['webhook_disabled'],
      handle: ({ actor, params }) => endpoints.test(actor, params.id),
    }),
    route({
      ...common,
      method: 'get',
      path: '/servers/{id}/webhook/deliveries',
      operationId: 'listWebhookDeliveries',
      summary: 'What was posted to a server’s webhook and how it was answered, newest first; kept for 30 days',
      query: DeliveriesQuery,
      returns: WebhookDeliveries,
      errors: [404],
      handle: ({ actor, params, query }) => log.list(actor, params.id, query),
    }),
    route({
      ...common,
      method: 'post',
      path: '/servers/{id}/webhook/deliveries/{deliveryId}/redeliver',
      operationId: 'redeliverWebhook',
      summary: 'Posts a delivery once more, with the same id',
      description: `At most ${SENDS_A_MINUTE} in a minute, tests included.`,
      params: DeliveryParams,
      returns: WebhookDelivery,
      errors: [404],
      codes: ['webhook_disabled'],
      handle: ({ actor, params }) => log.redeliver(actor, params.id, params.deliveryId),
    }),
  ]
}
