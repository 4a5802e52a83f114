// Messages from the contact form.
import type * as z from 'zod'
import type { ContactMessage } from '../../generated/prisma/client.ts'
import type { Db } from '../../platform/db/pool.ts'
import { paginate } from '../../platform/http/paging.ts'
import { withoutUndefined } from '../../platform/without-undefined.ts'
import type { MessagesQuery } from './contact.schema.ts'

const KEPT_DAYS = 365
/** Long enough to see whether the hidden field catches people. */
const SUSPECT_KEPT_DAYS = 30

export async function insertMessage({ prisma }: Db, message: Omit<ContactMessage, 'createdAt'>): Promise<void> {
  await prisma.contactMessage.create({ data: message, select: { id: true } })
}

/** A page, newest first. */
export function findMessages({ prisma }: Db, { suspect: isSuspect, ...page }: z.output<typeof MessagesQuery>) {
  const where = withoutUndefined({ isSuspect })
  return paginate('messages', page, {
    count: () => prisma.contactMessage.count({ where }),
    find: ({ limit, offset }) =>
      prisma.contactMessage.findMany({ where, orderBy: { id: 'desc' }, take: limit, skip: offset }),
  })
}

export const findMessage = ({ prisma }: Db, id: string) => prisma.contactMessage.findUnique({ where: { id } })

/** @returns whether it existed */
export async function deleteMessage({ prisma }: Db, id: string): Promise<boolean> {
  const { count } = await prisma.contactMessage.deleteMany({ where: { id } })
  return count > 0
}

/** SQL, because the database's clock decides. @returns how many were deleted */
export async function deleteOldMessages(db: Db): Promise<number> {
  const { rowCount } = await db.query(
    `delete from contact_messages
     where created_at < now() - make_interval(days => case when is_suspect then $2::int else $1::int end)`,
    [KEPT_DAYS, SUSPECT_KEPT_DAYS],
  )
  return rowCount ?? 0
}
