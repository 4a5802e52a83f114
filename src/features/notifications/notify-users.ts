// Notifies users of a change that concerns them, in the transaction of the change.
import type { Db } from '../../platform/db/pool.ts'
import type { JobQueue } from '../../platform/queue/jobs.ts'
import type { FormerMember } from '../servers/index.ts'
import { type Notice, notify } from './notifications.jobs.ts'

interface NoticeDeps {
  jobs: JobQueue
}

export async function notifyUsers(
  tx: Db,
  { jobs }: NoticeDeps,
  event: Notice['event'],
  { serverId, userIds, data = {} }: { serverId: string; userIds: string[]; data?: Notice['data'] },
): Promise<void> {
  if (!userIds.length) return
  await jobs.enqueue(tx, notify, [{ event, at: new Date().toISOString(), serverId, userIds, data }])
}

/**
 * Notifies members and invited users whose server has another owner, who has not chosen them.
 * @param newOwnerId is not notified
 */
export async function notifyFormerMembers(
  tx: Db,
  deps: NoticeDeps,
  former: readonly FormerMember[],
  newOwnerId?: string | null,
): Promise<void> {
  for (const { serverId, userId, role, wasInvited } of former) {
    if (userId === newOwnerId) continue
    const event = wasInvited ? 'serverInvitationWithdrawn' : 'serverMemberRemoved'
    await notifyUsers(tx, deps, event, { serverId, userIds: [userId], data: { role } })
  }
}
