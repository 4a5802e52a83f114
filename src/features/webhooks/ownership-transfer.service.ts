// Endpoints of servers whose owner changes, is banned or is unbanned.
import type { Db } from '../../platform/db/pool.ts'
import { cancelPending } from './disable-endpoint.sql.ts'
import { deleteEndpoints, findEndpointIds, lockEndpointsForUpdate } from './endpoints.store.ts'

/** Deletes the server's endpoints. Call it in the transaction that transfers the server. */
export async function deleteEndpointsOfServer(tx: Db, serverId: string): Promise<void> {
  await deleteWithDeliveries(tx, await findEndpointIds(tx, { serverId }))
}

/** Deletes the endpoints of all servers of a user. Call it before the servers lose their owner. */
export async function deleteEndpointsOfUser(tx: Db, userId: string): Promise<void> {
  await deleteWithDeliveries(tx, await findEndpointIds(tx, { ownerId: userId }))
}

/** Deletes endpoints and cancels their pending deliveries. */
export async function deleteWithDeliveries(tx: Db, ids: string[]): Promise<void> {
  if (!ids.length) return
  await lockEndpointsForUpdate(tx, ids)
  await deleteEndpoints(tx, ids)
  await cancelPending(tx, ids)
}

/**
 * Cancels pending deliveries of a user's servers. Call it in the transaction that bans or unbans the user. Nothing is
 * queued during a ban, so events of that time are never sent; votes remain in `listVotes`.
 */
export async function cancelDeliveriesOf(tx: Db, userId: string): Promise<void> {
  const ids = await findEndpointIds(tx, { ownerId: userId })
  if (!ids.length) return
  await lockEndpointsForUpdate(tx, ids)
  await cancelPending(tx, ids)
}
