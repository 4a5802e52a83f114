// Notifications as users read them in the product.

import type { Db } from '../../platform/db/pool.ts'
import { withoutUndefined } from '../../platform/db/without-undefined.ts'
import type { NoticeData, NoticeEvent } from './events.ts'

export interface NotificationFilter {
  userId: string
  unread: boolean
}

/** Latest first. */
export async function findNotifications(
  { prisma }: Db,
  filter: NotificationFilter,
  { limit, offset }: { limit: number; offset: number },
) {
  const rows = await prisma.notification.findMany({
    where: whereOf(filter),
    omit: { userId: true, topic: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit,
    skip: offset,
  })
  return rows.map((row) => ({ ...row, event: row.event as NoticeEvent, data: row.data as NoticeData }))
}

export const countNotifications = ({ prisma }: Db, filter: NotificationFilter): Promise<number> =>
  prisma.notification.count({ where: whereOf(filter) })

const whereOf = ({ userId, unread }: NotificationFilter) => ({
  userId,
  ...withoutUndefined({ readAt: unread ? null : undefined }),
})

/** SQL, because `read_at` is the database's time. @returns how many of them were unread */
export async function markRead(db: Db, userId: string, ids: string[]): Promise<number> {
  const { rowCount } = await db.query(
    'update notifications set read_at = now() where user_id = $1 and id = any($2::uuid[]) and read_at is null',
    [userId, ids],
  )
  return rowCount ?? 0
}
