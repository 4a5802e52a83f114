// What owners do with the endpoints of their servers. Each function works in the transaction that locked the server.
import { randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import type { Deps } from '../../deps.ts'
import { createSecretCipher, type SecretCipher } from '../../platform/config/secret-cipher.ts'
import type { Db } from '../../platform/db/pool.ts'
import { ApiError, notFound, validationFailed } from '../../platform/http/errors.ts'
import { queueDeliveries } from './deliveries.service.ts'
import { findDelivery, requeueDelivery } from './delivery-log.store.ts'
import { decryptUrl, encryptUrl } from './encrypted-url.ts'
import { requireActive } from './endpoint-access.ts'
import {
  type Endpoint,
  findEndpoints,
  findSecret,
  insertEndpoint,
  rotateSecret,
  updateEndpoint,
} from './endpoints.store.ts'
import type { EventType } from './event-types.ts'
import { type KindName, kindOf } from './kinds/index.ts'
import type { EndpointKind, TargetRules } from './kinds/kind.ts'
import { enqueueFastWakes } from './leases.service.ts'
import { insertMessage, resumeMessage } from './status-messages/messages.sql.ts'
import { isSameChannel, webhookIdOf } from './status-messages/requests.ts'
import { NO_SUCH_DELIVERY } from './webhooks.schema.ts'

export const MAX_ENDPOINTS = 5
export const PREVIOUS_SECRET_HOURS = 24
/** Standard Webhooks asks for 24 to 64 bytes. */
const SECRET_BYTES = 32

/** What an owner sets of an endpoint of any kind. */
export type EndpointFields = Record<string, unknown>

export interface EndpointDeps extends Pick<Deps, 'jobs' | 'clock'> {
  secretCipher: SecretCipher
  rules: TargetRules
}

export const createEndpointDeps = ({
  jobs,
  clock,
  settings,
}: Pick<Deps, 'jobs' | 'clock' | 'settings'>): EndpointDeps => ({
  jobs,
  clock,
  secretCipher: createSecretCipher(settings),
  rules: {
    requireHttps: settings.NODE_ENV === 'production',
    allowPrivate: settings.ALLOW_PRIVATE_TARGETS,
    discordBaseUrl: settings.DISCORD_BASE_URL,
  },
})

/** Called after the ownership check: other users learn only that the server is not theirs. */
function requireAllowed({ rules }: EndpointDeps, kind: KindName, fields: EndpointFields): void {
  const refusal = kindOf(kind).refuse(fields, rules)
  if (refusal) throw validationFailed([refusal])
}

/**
 * @returns the endpoint's URL and events, and its secret if this service generated it
 * @throws ApiError 400 if the kind refuses the fields, or the server has the maximum of endpoints
 */
export async function addEndpoint(
  tx: Db,
  deps: EndpointDeps,
  endpoint: { id?: string; serverId: string; kind: KindName },
  fields: EndpointFields,
): Promise<{ id: string; url: string; events: EventType[]; secret: string | undefined }> {
  const kind = kindOf(endpoint.kind)
  requireAllowed(deps, endpoint.kind, fields)
  if ((await findEndpoints(tx, endpoint.serverId)).length >= MAX_ENDPOINTS)
    throw new ApiError(400, 'too_many_endpoints', `A server has at most ${MAX_ENDPOINTS} endpoints.`)
  const { id = uuidv7() } = endpoint
  const generated = kind.secret === 'generated' ? newSecret() : undefined
  const secret = generated ?? (kind.secret && String(fields[kind.secret]))
  const url = kind.urlOf(fields)
  const events = (fields.events as EventType[] | undefined) ?? [...(kind.events ?? [])]
  await insertEndpoint(tx, {
    ...endpoint,
    id,
    url: encryptUrl(deps.secretCipher, url),
    events,
    secret: secret === undefined ? null : deps.secretCipher.encrypt('webhook', secret),
  })
  if (kind.showsStatus) await insertMessage(tx, id, webhookIdOf(url))
  return { id, url, events, secret: generated }
}

/**
 * Sets the fields and enables the endpoint if it is disabled. Other fields keep their value.
 * @throws ApiError 400 if the kind refuses the fields or does not have them
 */
export async function changeEndpoint(
  tx: Db,
  deps: EndpointDeps,
  before: Endpoint,
  fields: EndpointFields,
): Promise<void> {
  const { secretCipher } = deps
  const kind = kindOf(before.kind)
  requireOwnFields(before.kind, fields)
  requireAllowed(deps, before.kind, fields)
  const formerUrl = decryptUrl(secretCipher, before.url)
  const isMoved = kind.address.some((name) => name in fields)
  const url = isMoved ? movedUrl(kind, formerUrl, fields) : formerUrl
  const secret = kind.secret && kind.secret !== 'generated' ? fields[kind.secret] : undefined
  await updateEndpoint(tx, before.id, {
    // Encrypted again with any change of the target, so that attempts at the former one end.
    url: url !== undefined && (isMoved || secret !== undefined) ? encryptUrl(secretCipher, url) : undefined,
    events: fields.events as EventType[] | undefined,
    secret: secret === undefined ? undefined : secretCipher.encrypt('webhook', String(secret)),
  })
  if (kind.showsStatus && url !== undefined)
    await resumeMessage(tx, before.id, webhookIdOf(url), {
      isMoved: formerUrl === undefined || !isSameChannel(url, formerUrl),
      mayCreateAgain: before.disabledReason === 'unconfirmed',
    })
}

/** @throws ApiError 400 for fields that only other kinds have */
function requireOwnFields(kind: KindName, fields: EndpointFields): void {
  const foreign = Object.keys(fields).filter((name) => !(name in kindOf(kind).fields))
  if (foreign.length)
    throw validationFailed(
      foreign.map((name) => ({ path: `body.${name}`, message: `is not a field of an endpoint of the kind ${kind}` })),
    )
}

/**
 * The URL with the given parts of the address changed, and all others as they were.
 * @param formerUrl undefined if it can't be decrypted
 * @throws ApiError 400 if a part must be given, because the former one is unknown
 */
function movedUrl(kind: EndpointKind, formerUrl: string | undefined, fields: EndpointFields): string {
  if (formerUrl !== undefined) return kind.urlOf({ ...kind.show(formerUrl, { showsWholeUrl: true }), ...fields })
  const [required = ''] = kind.address
  if (!(required in fields))
    throw validationFailed([
      { path: `body.${required}`, message: 'must be given, because the stored one can’t be decrypted' },
    ])
  return kind.urlOf(fields)
}

const newSecret = () => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`

/**
 * Generates the secret again; the previous one also signs for PREVIOUS_SECRET_HOURS, unless it can’t be decrypted: then
 * nothing could be sent.
 * @returns the new secret
 * @throws ApiError 400 `secret_not_generated`
 */
export async function replaceSecret(tx: Db, { secretCipher }: EndpointDeps, { id, kind }: Endpoint): Promise<string> {
  if (kindOf(kind).secret !== 'generated')
    throw new ApiError(
      400,
      'secret_not_generated',
      'This endpoint’s secret comes from the other side: change it there, then set it here.',
    )
  const secret = newSecret()
  const former = await findSecret(tx, id)
  const isReadable = former !== null && secretCipher.decryptIfPossible('webhook', former) !== undefined
  const hours = isReadable ? PREVIOUS_SECRET_HOURS : 0
  await rotateSecret(tx, { id, secret: secretCipher.encrypt('webhook', secret), hours })
  return secret
}

/**
 * Queues a `webhook.test` event. The endpoint must be locked (`lockEndpointsForKeyShare`).
 * @throws ApiError 400 `webhook_disabled`, `no_events`
 */
export async function sendTest(
  tx: Db,
  { jobs, clock }: EndpointDeps,
  server: { id: string; name: string },
  endpoint: Endpoint,
) {
  requireActive(endpoint)
  if (kindOf(endpoint.kind).showsStatus)
    throw new ApiError(400, 'no_events', 'This endpoint gets no events: its message shows whether it works.')
  const data = { serverId: server.id, serverName: server.name, message: 'This is a test: your webhook works.' }
  const [queued] = await queueDeliveries(tx, jobs, [
    { serverId: server.id, type: 'webhook.test', at: new Date(clock()), data, endpointId: endpoint.id },
  ])
  if (!queued) throw new Error('a locked, active endpoint got no delivery')
  return findDelivery(tx, queued.id)
}

/**
 * Queues a delivery again under its id. The endpoint must be locked (`lockEndpointsForKeyShare`).
 * @throws ApiError 400 `webhook_disabled`, 404 if the endpoint has no such delivery
 */
export async function redeliver(tx: Db, { jobs }: EndpointDeps, endpoint: Endpoint, deliveryId: string) {
  requireActive(endpoint)
  const { id: endpointId, createdAt: since } = endpoint
  if (!(await requeueDelivery(tx, { id: deliveryId, endpointId, since }))) throw notFound(NO_SUCH_DELIVERY)
  await enqueueFastWakes(tx, jobs, [endpointId])
  return findDelivery(tx, deliveryId)
}
