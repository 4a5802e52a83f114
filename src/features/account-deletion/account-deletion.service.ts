// Deletes an account and what other features hold of it.
import type { Deps } from '../../deps.ts'
import type { Db } from '../../platform/db/pool.ts'
import { lockAndUpdateLeads, lockAuctionsOf, settleBeforeDeletion } from '../auctions/index.ts'
import { eraseIdentities } from '../audit/index.ts'
import { eraseMember, notifyFormerMembers } from '../notifications/index.ts'
import { deleteTeams } from '../servers/index.ts'
import { findServersOfMember } from '../teams/index.ts'
import { deleteEndpointsOfUser } from '../webhooks/index.ts'
import {
  deleteInvitationsByAddress,
  deleteUser,
  lockClaimsOf,
  lockServersOf,
  releaseServersOf,
} from './account-deletion.sql.ts'

/**
 * Deletes an account that the transaction has locked. Its servers stay listed without an owner, and unverified; who
 * leads auctions is derived without its bids; its placements that were not shown yet are refunded; its subscription is
 * canceled by the next `billing-sweep`.
 * @returns how many listed servers it owned
 */
export async function deleteAccount(tx: Db, { jobs }: Pick<Deps, 'jobs'>, id: string): Promise<number> {
  const auctionIds = await lockAuctionsOf(tx, id)
  await settleBeforeDeletion(tx, jobs, id)
  await lockClaimsOf(tx, id)
  const serverIds = await lockServersOf(tx, id)
  await notifyFormerMembers(tx, { jobs }, await deleteTeams(tx, serverIds))
  await deleteEndpointsOfUser(tx, id)
  const releasedServers = await releaseServersOf(tx, id)
  await deleteInvitationsByAddress(tx, id)
  await eraseIdentities(tx, id)
  await eraseMember(tx, id, await findServersOfMember(tx, id))
  await deleteUser(tx, id)
  await lockAndUpdateLeads(tx, jobs, auctionIds)
  return releasedServers
}
