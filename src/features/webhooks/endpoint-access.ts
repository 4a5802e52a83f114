// Which endpoint an operation is about, its errors, what replies show of it, and the limit of operations that send.
import type * as z from 'zod'
import type { SecretCipher } from '../../platform/config/secret-cipher.ts'
import type { Db } from '../../platform/db/pool.ts'
import { ApiError, notFound } from '../../platform/http/errors.ts'
import type { OperationLimit } from '../../platform/http/operation.ts'
import { decryptUrl } from './encrypted-url.ts'
import { type Endpoint, findEndpoints } from './endpoints.store.ts'
import { kindOf } from './kinds/index.ts'
import { type EndpointReply, NO_SUCH_ENDPOINT } from './webhooks.schema.ts'

/**
 * Tests and redeliveries of one user to all servers together: each makes the product send a request to another host.
 */
export const SENDS_PER_MINUTE = 20
export const sendLimit: OperationLimit = {
  name: 'webhook-sends',
  limit: SENDS_PER_MINUTE,
  windowSeconds: 60,
  per: 'user',
}

/** What `/servers/{id}/webhook` shows: the server's first endpoint of the kind `standard`. */
export async function findWebhook(db: Db, serverId: string): Promise<Endpoint | undefined> {
  const endpoints = await findEndpoints(db, serverId)
  return endpoints.find(({ kind }) => kind === 'standard')
}

/** @throws ApiError 404 */
export async function requireWebhook(db: Db, serverId: string): Promise<Endpoint> {
  const endpoint = await findWebhook(db, serverId)
  if (!endpoint) throw notFound('This server has no webhook.')
  return endpoint
}

/** @throws ApiError 404 */
export async function requireEndpoint(db: Db, serverId: string, endpointId: string): Promise<Endpoint> {
  const endpoint = (await findEndpoints(db, serverId)).find(({ id }) => id === endpointId)
  if (!endpoint) throw notFound(NO_SUCH_ENDPOINT)
  return endpoint
}

/** @throws ApiError 400 `webhook_disabled` */
export function requireActive({ isOwnerBanned, disabledAt }: Endpoint): void {
  if (isOwnerBanned) throw new ApiError(400, 'webhook_disabled', 'The owner of this server is banned: nothing is sent.')
  if (disabledAt) throw new ApiError(400, 'webhook_disabled', 'This webhook is disabled. Set it again to enable it.')
}

type EndpointView = z.output<typeof EndpointReply>

/** @param options.showsWholeUrl to the owner: a URL may be a secret */
export function viewEndpoint(
  secretCipher: SecretCipher,
  endpoint: Endpoint,
  { showsWholeUrl }: { showsWholeUrl: boolean },
): EndpointView {
  const { isOwnerBanned, previousSecretUntil, url, message, ...shown } = endpoint
  const isPreviousValid = previousSecretUntil !== null && previousSecretUntil.getTime() > Date.now()
  const view: Record<keyof EndpointView, unknown> = {
    ...shown,
    ...kindOf(endpoint.kind).show(decryptUrl(secretCipher, url), { showsWholeUrl }),
    ...(message && {
      message: { isCreated: message.messageId !== null, editedAt: message.editedAt, error: message.error },
    }),
    isActive: endpoint.disabledAt === null && !isOwnerBanned,
    previousSecretUntil: isPreviousValid ? previousSecretUntil : null,
  }
  return view as EndpointView // which fields there are depends on the kind, which types can't express
}
