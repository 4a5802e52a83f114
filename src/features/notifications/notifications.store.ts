// Notifications as users read them in the product.
import type * as z from 'zod'
import type { Db } from '../../platform/db/pool.ts'
import { paginate } from '../../platform/http/paging.ts'
import { describeNotice, type NoticeData, type NoticeEvent } from './events.ts'
import type { NotificationsQuery } from './notifications.schema.ts'

/** A page, latest first. */
export function findNotifications(
  { prisma }: Db,
  userId: string,
  { unread, ...page }: z.output<typeof NotificationsQuery>,
) {
  const where = { userId, ...(unread && { readAt: null }) }
  return paginate('notifications', page, {
    count: () => prisma.notification.count({ where }),
    async find({ limit, offset }) {
      const rows = await prisma.notification.findMany({
        where,
        omit: { userId: true, topic: true },
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        take: limit,
        skip: offset,
      })
      return rows.map(({ data: stored, repeats, ...row }) => {
        const event = row.event as NoticeEvent
        const data = stored as NoticeData
        const auctionId = data.auctionId === undefined ? null : String(data.auctionId)
        return { ...row, event, auctionId, ...describeNotice(event, { data, repeats }), count: repeats }
      })
    },
  })
}

/** SQL, because `read_at` is the database's time. @returns how many of them were unread */
export async function markRead(db: Db, userId: string, ids: string[]): Promise<number> {
  const { rowCount } = await db.query(
    'update notifications set read_at = now() where user_id = $1 and id = any($2::uuid[]) and read_at is null',
    [userId, ids],
  )
  return rowCount ?? 0
}
