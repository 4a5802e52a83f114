// Notifies the users whom a change of a team concerns, in the transaction of the change.
import type { Db } from '../../platform/db/pool.ts'
import type { JobQueue } from '../../platform/queue/jobs.ts'
import { type Notice, notifyUsers } from '../notifications/index.ts'
import { findOwner } from './teams.sql.ts'

interface NoticeDeps {
  jobs: JobQueue
}

/** Notifies the owner, or the former one, of what a user did. The job has no name: it stays in the queue for a day. */
export async function notifyOwner(
  tx: Db,
  deps: NoticeDeps,
  event: Notice['event'],
  { serverId, ownerId, userId, role }: { serverId: string; ownerId: string; userId: string; role: string },
): Promise<void> {
  await notifyUsers(tx, deps, event, { serverId, userIds: [ownerId], data: { role, memberId: userId } })
}

/** Notifies a member who was removed, or the owner of one who left. */
export async function notifyMembershipEnd(
  tx: Db,
  deps: NoticeDeps,
  { serverId, userId, actorId }: { serverId: string; userId: string; actorId: string },
): Promise<void> {
  if (userId !== actorId) return notifyUsers(tx, deps, 'serverMemberRemoved', { serverId, userIds: [userId] })
  const ownerId = await findOwner(tx, serverId)
  if (ownerId)
    await notifyUsers(tx, deps, 'serverMemberLeft', { serverId, userIds: [ownerId], data: { memberId: userId } })
}
