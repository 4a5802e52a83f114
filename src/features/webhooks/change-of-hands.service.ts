// A server that changes hands: its webhook was the former owner's, who is told nothing of it any more.
import type { Db } from '../../platform/db/pool.ts'
import { deleteEndpoint, findServersWithEndpoint } from './endpoints.sql.ts'
import { cancelPending } from './give-up.sql.ts'

/** Ends the server's webhook, if it has one; call it in the transaction that gives the server to somebody else. */
export async function dropWebhook(tx: Db, serverId: string): Promise<void> {
  if (await deleteEndpoint(tx, serverId)) await cancelPending(tx, serverId)
}

/** The same for all of a user's servers, while they are still theirs. */
export async function dropWebhooksOf(tx: Db, userId: string): Promise<void> {
  for (const serverId of await findServersWithEndpoint(tx, userId)) await dropWebhook(tx, serverId)
}
