// Changes an account and applies the effects of a ban.
import type * as z from 'zod'
import type { Deps } from '../../deps.ts'
import type { Db } from '../../platform/db/pool.ts'
import { withoutUndefined } from '../../platform/without-undefined.ts'
import { deleteSessionsOf } from '../accounts/index.ts'
import { lockAndUpdateLeads, lockAuctionsOf } from '../auctions/index.ts'
import { changesBetween } from '../audit/index.ts'
import { cancelDeliveriesOf } from '../webhooks/index.ts'
import type { UserChange } from './admin.schema.ts'
import { type UserModeration, updateUserModeration } from './users.sql.ts'

/**
 * Applies a change to an account that the transaction has locked.
 * @returns the fields that changed; undefined if none did
 */
export async function changeUser(
  tx: Db,
  { jobs }: Pick<Deps, 'jobs'>,
  { id, before }: { id: string; before: UserModeration },
  change: z.output<typeof UserChange>,
) {
  const after = { ...before, ...withoutUndefined(change) }
  const changes = changesBetween(before, after)
  if (!changes) return undefined
  const isNewBan = after.banned && !before.banned
  const auctionIds = isNewBan ? await lockAuctionsOf(tx, id) : []
  await updateUserModeration(tx, id, after)
  if (after.banned) await deleteSessionsOf(tx, id)
  await lockAndUpdateLeads(tx, jobs, auctionIds)
  if (after.banned !== before.banned) await cancelDeliveriesOf(tx, id)
  return changes
}
