// What all of an owner's endpoints share: whose server it is, whether there is a webhook, and how often something is sent.
import type { Deps } from '../../deps.ts'
import { type Db, inTransaction } from '../../platform/db/pool.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { ApiError, notFound } from '../../platform/http/errors.ts'
import type { LimitPolicy } from '../../platform/http/limit-policy.ts'
import type { Limits } from '../../platform/http/limits.ts'
import { recordAction } from '../audit/index.ts'
import { lockManaged } from '../servers/index.ts'
import type { EndpointRow } from './endpoints.sql.ts'

/** Tests and redeliveries of one user, to whatever servers: each makes us send a request to somebody. */
export const SENDS_A_MINUTE = 20
const SENDS: LimitPolicy[] = [{ name: 'webhook-sends', limit: SENDS_A_MINUTE, windowSeconds: 60 }]

/** Runs `work` on a server the actor may manage; what an administrator does to another's is recorded. */
export function managing<T>(
  pool: Deps['pool'],
  actor: Actor,
  serverId: string,
  action: string,
  work: (tx: Db, by: { isOwner: boolean }) => Promise<{ result: T; details?: object }>,
): Promise<T> {
  return inTransaction(pool, async (tx) => {
    const { isOwner } = await lockManaged(tx, actor, serverId)
    const { result, details = {} } = await work(tx, { isOwner })
    if (!isOwner)
      await recordAction(tx, { actorId: actor.userId, action, targetType: 'server', targetId: serverId, details })
    return result
  })
}

export async function takeSend(limits: Pick<Limits, 'take'>, { userId }: Actor): Promise<void> {
  await limits.take({ key: userId, policies: SENDS })
}

export const noEndpoint = () => notFound('This server has no webhook.')

export function required(endpoint: EndpointRow | undefined): EndpointRow {
  if (!endpoint) throw noEndpoint()
  return endpoint
}

export function requireActive(endpoint: EndpointRow | undefined): EndpointRow {
  const row = required(endpoint)
  if (row.isOwnerBanned)
    throw new ApiError(400, 'webhook_disabled', 'The owner of this server is banned: nothing is sent.')
  if (row.disabledAt)
    throw new ApiError(400, 'webhook_disabled', 'This webhook is disabled. Set it again to enable it.')
  return row
}
