// The rules of endpoints as their owners see them: who may, where to, the secret, and trying one out.
import { randomBytes } from 'node:crypto'
import type * as z from 'zod'
import type { Deps } from '../../deps.ts'
import { createVault, type Vault } from '../../platform/config/vault.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { validationFailed } from '../../platform/http/errors.ts'
import type { Limits } from '../../platform/http/limits.ts'
import { requireManaged } from '../servers/index.ts'
import { queueDeliveries } from './deliveries.service.ts'
import { type ShownDelivery, shownDelivery } from './delivery-log.service.ts'
import {
  deleteEndpoint,
  type EndpointRow,
  findEndpoint,
  findServerName,
  holdEndpoint,
  rotateSecret,
  upsertEndpoint,
} from './endpoints.sql.ts'
import { cancelPending } from './give-up.sql.ts'
import { managing, noEndpoint, requireActive, required, takeSend } from './managing.ts'
import { openUrl, sealUrl } from './sealed-url.ts'
import { refusalOf } from './target-url.ts'
import type { SetWebhook, WebhookEndpoint } from './webhooks.schema.ts'

/** The standard asks for 24 to 64 bytes. */
const SECRET_BYTES = 32
const PREVIOUS_SIGNS_HOURS = 24

export type ShownEndpoint = z.input<typeof WebhookEndpoint>

/** Everything here throws ApiError 404 for an unknown server and 403 for another's; all but `set` also 404 without an endpoint. */
export interface EndpointsService {
  /**
   * @returns with the secret when the endpoint is new
   * @throws ApiError 400 `validation_failed` for a URL that must not be called
   */
  set(actor: Actor, serverId: string, given: SetWebhook): Promise<ShownEndpoint & { secret?: string }>
  state(actor: Actor, serverId: string): Promise<ShownEndpoint>
  /** What is pending is canceled. */
  remove(actor: Actor, serverId: string): Promise<void>
  /** Both secrets sign for a day. */
  rotate(actor: Actor, serverId: string): Promise<ShownEndpoint & { secret: string }>
  /** Queues a `webhook.test`. @throws ApiError 400 `webhook_disabled`; 429 after 20 sends in a minute */
  test(actor: Actor, serverId: string): Promise<ShownDelivery>
}

export interface EndpointsOptions extends Pick<Deps, 'pool' | 'jobs' | 'clock'> {
  settings: Pick<Deps['settings'], 'APP_SECRET' | 'APP_SECRET_PREVIOUS' | 'NODE_ENV' | 'ALLOW_PRIVATE_TARGETS'>
  limits: Pick<Limits, 'take'>
}

export function createEndpointsService(options: EndpointsOptions): EndpointsService {
  const { pool, jobs, clock, settings, limits } = options
  const vault = createVault(settings)
  const targets = {
    requireHttps: settings.NODE_ENV === 'production',
    allowPrivate: settings.ALLOW_PRIVATE_TARGETS,
  }

  return {
    async set(actor, serverId, { url, events }) {
      const refusal = refusalOf(url, targets)
      const secret = newSecret()
      const sealed = vault.seal('webhook', secret)
      const row = await managing(pool, actor, serverId, 'webhook.set', async (tx) => {
        // After the check of whose server it is, so that a stranger learns nothing but that.
        if (refusal) throw validationFailed([{ path: 'body.url', message: refusal }])
        const sealedUrl = sealUrl(vault, url)
        const { isNew, ...endpoint } = await upsertEndpoint(tx, { serverId, url: sealedUrl, events, secret: sealed })
        return { result: { isNew, endpoint }, details: { host: new URL(url).host, events } }
      })
      return { ...toEndpoint(vault, row.endpoint, true), ...(row.isNew ? { secret } : {}) }
    },

    async state(actor, serverId) {
      const { isOwner } = await requireManaged(pool, actor, serverId)
      return toEndpoint(vault, required(await findEndpoint(pool, serverId)), isOwner)
    },

    remove: (actor, serverId) =>
      managing(pool, actor, serverId, 'webhook.delete', async (tx) => {
        if (!(await deleteEndpoint(tx, serverId))) throw noEndpoint()
        await cancelPending(tx, serverId)
        return { result: undefined }
      }),

    async rotate(actor, serverId) {
      const secret = newSecret()
      const sealed = vault.seal('webhook', secret)
      const row = await managing(pool, actor, serverId, 'webhook.rotate-secret', async (tx, { isOwner }) => {
        const rotated = required(await rotateSecret(tx, { serverId, secret: sealed, hours: PREVIOUS_SIGNS_HOURS }))
        return { result: toEndpoint(vault, rotated, isOwner) }
      })
      return { ...row, secret }
    },

    async test(actor, serverId) {
      await requireManaged(pool, actor, serverId)
      await takeSend(limits, actor)
      return managing(pool, actor, serverId, 'webhook.test', async (tx) => {
        requireActive(await holdEndpoint(tx, serverId))
        const serverName = await findServerName(tx, serverId)
        const at = new Date(clock())
        const data = { serverId, serverName, message: 'This is a test: your webhook works.' }
        const [queued] = await queueDeliveries(tx, jobs, [{ serverId, type: 'webhook.test', at, data }])
        if (!queued) throw new Error('an endpoint that is held took no delivery')
        return { result: await shownDelivery(tx, queued.id) }
      })
    },
  }
}

const newSecret = () => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`

/** @param inFull whether the reply is its owner's; others get no more than the host, since the rest may be a secret */
function toEndpoint(vault: Vault, row: EndpointRow, inFull: boolean): ShownEndpoint {
  const iso = (at: Date | null) => at?.toISOString() ?? null
  return {
    url: shownUrl(openUrl(vault, row.url), inFull),
    events: row.events,
    isActive: row.disabledAt === null && !row.isOwnerBanned,
    disabledReason: row.disabledReason,
    disabledAt: iso(row.disabledAt),
    failingSince: iso(row.failingSince),
    previousSecretUntil: iso(row.previousSecretUntil),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

function shownUrl(url: string | undefined, inFull: boolean): string {
  if (url === undefined) return ''
  return inFull ? url : `${new URL(url).origin}/…`
}
