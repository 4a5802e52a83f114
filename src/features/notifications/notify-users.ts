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
  { jobs }: NoticeDeps,
  former: readonly FormerMember[],
  newOwnerId?: string | null,
): Promise<void> {
  const at = new Date().toISOString()
  const notices = former
    .filter(({ userId }) => userId !== newOwnerId)
    .map(({ serverId, userId, role, wasInvited }): Notice => {
      const event = wasInvited ? 'serverInvitationWithdrawn' : 'serverMemberRemoved'
      return { event, at, serverId, userIds: [userId], data: { role } }
    })
  await jobs.enqueue(tx, notify, notices)
}
