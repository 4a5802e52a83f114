// Webhooks of servers whose owner changes, is banned or is unbanned.
import type { Db } from '../../platform/db/pool.ts'
import { cancelPending } from './disable-endpoint.sql.ts'
import { deleteEndpoint, findServersWithEndpoint, lockEndpointForUpdate } from './endpoints.store.ts'

/** Deletes the server's webhook, if it has one. Call it in the transaction that transfers the server. */
export async function dropWebhook(tx: Db, serverId: string): Promise<void> {
  if (await deleteEndpoint(tx, serverId)) await cancelPending(tx, serverId)
}

/** Deletes the webhooks of all servers of a user. Call it before the servers lose their owner. */
export async function dropWebhooksOf(tx: Db, userId: string): Promise<void> {
  for (const serverId of await findServersWithEndpoint(tx, userId)) await dropWebhook(tx, serverId)
}

/**
 * Cancels pending deliveries of a user's servers. Call it in the transaction that bans or unbans the user. Nothing is queued during
 * a ban, so events of that time are never sent; votes remain in `listVotes`.
 */
export async function cancelDeliveriesOf(tx: Db, userId: string): Promise<void> {
  for (const serverId of await findServersWithEndpoint(tx, userId)) {
    await lockEndpointForUpdate(tx, serverId)
    await cancelPending(tx, serverId)
  }
}
