// Ends what an account has granted to others on its servers, once its owner has a new password: another person
// may have granted it.
import type { Db } from '../../platform/db/pool.ts'
import type { JobQueue } from '../../platform/queue/jobs.ts'
import { recordAction } from '../audit/index.ts'
import { notifyUsers } from '../notifications/index.ts'
import { deleteInvitationsOf } from './invitations.sql.ts'
import { deleteMembersOf } from './teams.sql.ts'

/**
 * Withdraws the invitations and hand-overs that wait, and removes the members if `members` says so. Each
 * of them is notified.
 * @param ownerId of an account that the transaction has locked
 * @returns how many of each
 */
export async function revokeTeamsOf(
  tx: Db,
  deps: { jobs: JobQueue },
  ownerId: string,
  { members }: { members: boolean },
): Promise<{ invitations: number; members: number }> {
  const audited = (serverId: string) => ({ actorId: ownerId, targetType: 'server', targetId: serverId }) as const
  const withdrawn = await deleteInvitationsOf(tx, ownerId)
  for (const { id: invitationId, serverId, role, recipientId } of withdrawn) {
    const details = { invitationId, role }
    await recordAction(tx, { ...audited(serverId), action: 'server.invitation.withdraw', details })
    const userIds = recipientId ? [recipientId] : []
    await notifyUsers(tx, deps, 'serverInvitationWithdrawn', { serverId, userIds, data: { role } })
  }
  const removed = members ? await deleteMembersOf(tx, ownerId) : []
  for (const { serverId, userId, role } of removed) {
    await recordAction(tx, { ...audited(serverId), action: 'server.member.remove', details: { userId, role } })
    await notifyUsers(tx, deps, 'serverMemberRemoved', { serverId, userIds: [userId] })
  }
  return { invitations: withdrawn.length, members: removed.length }
}
