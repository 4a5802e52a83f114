// Changes an account and applies the effects of a ban.
import type { Deps } from '../../deps.ts'
import type { Db } from '../../platform/db/pool.ts'
import { lockAuctionsOf, recountAuctions } from '../auctions/index.ts'
import { changesBetween } from '../audit/index.ts'
import { cancelDeliveriesOf } from '../webhooks/index.ts'
import { type UserModeration, updateUserModeration } from './users.sql.ts'

export interface UserChangeOptions extends Pick<Deps, 'jobs'> {
  endSessions(db: Db, userId: string): Promise<number>
}

/**
 * Applies a change to an account that the transaction has locked.
 * @returns the fields that changed; undefined if none did
 */
export async function changeUser(
  tx: Db,
  { jobs, endSessions }: UserChangeOptions,
  { id, before }: { id: string; before: UserModeration },
  change: { [Field in keyof UserModeration]?: UserModeration[Field] | undefined },
) {
  const after = {
    banned: change.banned ?? before.banned,
    isAdmin: change.isAdmin ?? before.isAdmin,
    tier: change.tier ?? before.tier,
  }
  const changes = changesBetween(before, after)
  if (!changes) return undefined
  const isNewBan = after.banned && !before.banned
  const auctionIds = isNewBan ? await lockAuctionsOf(tx, id) : []
  await updateUserModeration(tx, id, after)
  if (after.banned) await endSessions(tx, id)
  await recountAuctions(tx, jobs, auctionIds)
  if (after.banned !== before.banned) await cancelDeliveriesOf(tx, id)
  return changes
}
