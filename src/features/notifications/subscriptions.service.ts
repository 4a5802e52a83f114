// Ends a user's subscriptions in another feature's transaction.
import type { Db } from '../../platform/db/pool.ts'
import { deletePending } from './digests.sql.ts'
import { deleteSubscriptions } from './subscriptions.store.ts'

/** Unsent messages are deleted too. @returns how many subscriptions there were */
export async function deleteSubscriptionsOf(tx: Db, userId: string): Promise<number> {
  await deletePending(tx, userId)
  return deleteSubscriptions(tx, userId)
}
