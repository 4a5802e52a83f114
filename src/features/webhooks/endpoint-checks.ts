// Errors of operations on a server's webhook, and the limit of those that send.
import { ApiError, notFound } from '../../platform/http/errors.ts'
import type { OperationLimit } from '../../platform/http/operation.ts'
import type { Endpoint } from './endpoints.store.ts'

/** Tests and redeliveries of one user to all servers together: each makes the product send a request to another host. */
export const SENDS_PER_MINUTE = 20
export const sendLimit: OperationLimit = {
  name: 'webhook-sends',
  limit: SENDS_PER_MINUTE,
  windowSeconds: 60,
  per: 'user',
}

export const noEndpoint = () => notFound('This server has no webhook.')

/** @throws ApiError 404 */
export function requireEndpoint(endpoint: Endpoint | undefined): Endpoint {
  if (!endpoint) throw noEndpoint()
  return endpoint
}

/** @throws ApiError 404; 400 `webhook_disabled` */
export function requireActive(endpoint: Endpoint | undefined): Endpoint {
  const found = requireEndpoint(endpoint)
  if (found.isOwnerBanned)
    throw new ApiError(400, 'webhook_disabled', 'The owner of this server is banned: nothing is sent.')
  if (found.disabledAt)
    throw new ApiError(400, 'webhook_disabled', 'This webhook is disabled. Set it again to enable it.')
  return found
}
