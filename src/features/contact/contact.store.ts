// Messages from the contact form.
import type { ContactMessage } from '../../generated/prisma/client.ts'
import type { Db } from '../../platform/db/pool.ts'
import { withoutUndefined } from '../../platform/db/without-undefined.ts'

export async function insertMessage({ prisma }: Db, message: Omit<ContactMessage, 'createdAt'>): Promise<void> {
  await prisma.contactMessage.create({ data: message, select: { id: true } })
}

export interface MessageFilter {
  isSuspect: boolean | undefined
}

/** Newest first. */
export const findMessages = (
  { prisma }: Db,
  filter: MessageFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<ContactMessage[]> =>
  prisma.contactMessage.findMany({
    where: withoutUndefined(filter),
    orderBy: { id: 'desc' },
    take: limit,
    skip: offset,
  })

export const countMessages = ({ prisma }: Db, filter: MessageFilter): Promise<number> =>
  prisma.contactMessage.count({ where: withoutUndefined(filter) })

export const findMessage = ({ prisma }: Db, id: string): Promise<ContactMessage | null> =>
  prisma.contactMessage.findUnique({ where: { id } })

/** @returns whether it existed */
export async function deleteMessage({ prisma }: Db, id: string): Promise<boolean> {
  const { count } = await prisma.contactMessage.deleteMany({ where: { id } })
  return count > 0
}

/** SQL, because the database's clock decides. @returns how many were deleted */
export async function deleteOldMessages(db: Db, days: { kept: number; suspectKept: number }): Promise<number> {
  const { rowCount } = await db.query(
    `delete from contact_messages
     where created_at < now() - make_interval(days => case when is_suspect then $2::int else $1::int end)`,
    [days.kept, days.suspectKept],
  )
  return rowCount ?? 0
}
