// The operations of a server's webhook endpoint.
import { randomBytes } from 'node:crypto'
import type { Deps } from '../../deps.ts'
import { createSecretCipher } from '../../platform/config/secret-cipher.ts'
import { validationFailed } from '../../platform/http/errors.ts'
import { operation } from '../../platform/http/operation.ts'
import { Audited } from '../../platform/http/reply-kinds.ts'
import { DONE, Success } from '../../platform/http/success.ts'
import { managedServer } from '../servers/index.ts'
import { queueDeliveries } from './deliveries.service.ts'
import { findDelivery } from './delivery-log.store.ts'
import { cancelPending } from './disable-endpoint.sql.ts'
import { encryptUrl } from './encrypted-url.ts'
import { noEndpoint, requireActive, requireEndpoint, SENDS_PER_MINUTE, sendLimit } from './endpoint-checks.ts'
import { viewEndpoint } from './endpoint-view.ts'
import {
  deleteEndpoint,
  findEndpoint,
  lockEndpointForKeyShare,
  rotateSecret,
  upsertEndpoint,
} from './endpoints.store.ts'
import { refusalOf } from './target-url.ts'
import { RotatedWebhook, SetWebhook, SetWebhookResult, WebhookDelivery, WebhookEndpoint } from './webhooks.schema.ts'

/** Standard Webhooks asks for 24 to 64 bytes. */
const SECRET_BYTES = 32
const PREVIOUS_SECRET_HOURS = 24
const common = { tag: 'Webhooks', access: 'user', path: '/servers/{id}/webhook' } as const

interface EndpointsOptions extends Pick<Deps, 'jobs' | 'clock'> {
  settings: Pick<Deps['settings'], 'APP_SECRET' | 'APP_SECRET_PREVIOUS' | 'NODE_ENV' | 'ALLOW_PRIVATE_TARGETS'>
}

export function endpointsOperations({ jobs, clock, settings }: EndpointsOptions) {
  const secretCipher = createSecretCipher(settings)
  const targets = { requireHttps: settings.NODE_ENV === 'production', allowPrivate: settings.ALLOW_PRIVATE_TARGETS }

  return [
    operation({
      ...common,
      method: 'put',
      operationId: 'setWebhook',
      summary: 'Set the URL that events of a server are posted to',
      description:
        'The first time, the reply has the secret that signs deliveries by Standard Webhooks. Setting the webhook again keeps the ' +
        'secret, and enables a disabled webhook.',
      resource: managedServer({ lock: 'update', audit: 'webhook.set' }),
      body: SetWebhook,
      returns: SetWebhookResult,
      async handle({ tx, server, body: { url, events } }) {
        // After the ownership check: others learn only that the server is not theirs.
        const refusal = refusalOf(url, targets)
        if (refusal) throw validationFailed([{ path: 'body.url', message: refusal }])
        const secret = newSecret()
        const encrypted = { url: encryptUrl(secretCipher, url), secret: secretCipher.encrypt('webhook', secret) }
        const isNew = await upsertEndpoint(tx, { serverId: server.id, events, ...encrypted })
        const endpoint = viewEndpoint(secretCipher, requireEndpoint(await findEndpoint(tx, server.id)), true)
        return new Audited({ ...endpoint, ...(isNew ? { secret } : {}) }, { host: new URL(url).host, events })
      },
    }),
    operation({
      ...common,
      method: 'get',
      operationId: 'getWebhook',
      summary: 'Get a server’s webhook, without its secret',
      resource: managedServer(),
      returns: WebhookEndpoint,
      handle: async ({ db, server }) =>
        viewEndpoint(secretCipher, requireEndpoint(await findEndpoint(db, server.id)), server.isOwner),
    }),
    operation({
      ...common,
      method: 'delete',
      operationId: 'deleteWebhook',
      summary: 'Delete a server’s webhook and cancel its pending deliveries',
      resource: managedServer({ lock: 'update', audit: 'webhook.delete' }),
      returns: Success,
      async handle({ tx, server }) {
        if (!(await deleteEndpoint(tx, server.id))) throw noEndpoint()
        await cancelPending(tx, server.id)
        return DONE
      },
    }),
    operation({
      ...common,
      method: 'post',
      path: `${common.path}/rotate-secret`,
      operationId: 'rotateWebhookSecret',
      summary: `Replace the secret of a server’s webhook; the previous one also signs for ${PREVIOUS_SECRET_HOURS} hours`,
      resource: managedServer({ lock: 'update', audit: 'webhook.rotate-secret' }),
      returns: RotatedWebhook,
      async handle({ tx, server }) {
        const secret = newSecret()
        const encrypted = secretCipher.encrypt('webhook', secret)
        await rotateSecret(tx, { serverId: server.id, secret: encrypted, hours: PREVIOUS_SECRET_HOURS })
        return {
          ...viewEndpoint(secretCipher, requireEndpoint(await findEndpoint(tx, server.id)), server.isOwner),
          secret,
        }
      },
    }),
    operation({
      ...common,
      method: 'post',
      path: `${common.path}/test`,
      operationId: 'testWebhook',
      summary: 'Post a `webhook.test` event to a server’s webhook',
      description: `The reply does not wait for the delivery. At most ${SENDS_PER_MINUTE} tests and redeliveries a minute.`,
      resource: managedServer({ lock: 'update', audit: 'webhook.test' }),
      limit: sendLimit,
      returns: WebhookDelivery,
      codes: ['webhook_disabled'],
      async handle({ tx, server: { id: serverId, name: serverName } }) {
        requireActive(await lockEndpointForKeyShare(tx, serverId))
        const at = new Date(clock())
        const data = { serverId, serverName, message: 'This is a test: your webhook works.' }
        const [queued] = await queueDeliveries(tx, jobs, [{ serverId, type: 'webhook.test', at, data }])
        if (!queued) throw new Error('a locked, active endpoint got no delivery')
        return findDelivery(tx, queued.id)
      },
    }),
  ]
}

const newSecret = () => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
