// What becomes of webhooks when their owner is no longer the owner, or banned.
import type { Db } from '../../platform/db/pool.ts'
import { deleteEndpoint, findServersWithEndpoint, lockEndpoint } from './endpoints.sql.ts'
import { cancelPending } from './give-up.sql.ts'

/** Ends the server's webhook, if it has one; call it in the transaction that gives the server to somebody else. */
export async function dropWebhook(tx: Db, serverId: string): Promise<void> {
  if (await deleteEndpoint(tx, serverId)) await cancelPending(tx, serverId)
}

/** The same for all of a user's servers, while they are still theirs. */
export async function dropWebhooksOf(tx: Db, userId: string): Promise<void> {
  for (const serverId of await findServersWithEndpoint(tx, userId)) await dropWebhook(tx, serverId)
}

/**
 * Cancels what is pending for a user's servers; call it in the transaction that bans the user or ends the ban. While a user is banned
 * nothing is queued, so what happens meanwhile is never sent; votes stay in the feed of the server's votes.
 */
export async function cancelDeliveriesOf(tx: Db, userId: string): Promise<void> {
  for (const serverId of await findServersWithEndpoint(tx, userId)) {
    await lockEndpoint(tx, serverId)
    await cancelPending(tx, serverId)
  }
}
