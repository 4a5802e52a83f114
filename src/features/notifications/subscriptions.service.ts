// Ends what a user asked to be told, in another feature's transaction.
import type { Db } from '../../platform/db/pool.ts'
import { deletePending } from './digests.sql.ts'
import { deleteSubscriptions } from './notifications.sql.ts'

/** With what was still to be sent. @returns how many subscriptions there were */
export async function deleteSubscriptionsOf(tx: Db, userId: string): Promise<number> {
  await deletePending(tx, userId)
  return deleteSubscriptions(tx, userId)
}
