// The addresses that chat messages go to, encrypted by the caller.
import type { Db } from '../../platform/db/pool.ts'
import { withoutUndefined } from '../../platform/without-undefined.ts'

/** SQL, because parallel requests must not conflict and `created_at` is the database's time. */
export async function putChatWebhook(db: Db, userId: string, encrypted: string): Promise<void> {
  await db.query(
    `insert into chat_webhooks (user_id, url) values ($1, $2)
     on conflict (user_id) do update set url = excluded.url, created_at = now()`,
    [userId, encrypted],
  )
}

/** @returns the encrypted address; undefined if there is none or the user is banned */
export async function findChatWebhook({ prisma }: Db, userId: string): Promise<string | undefined> {
  const found = await prisma.chatWebhook.findFirst({
    where: { userId, user: { bannedAt: null } },
    select: { url: true },
  })
  return found?.url
}

/** @param encrypted only this one, because the user may have set another. @returns whether there was one */
export async function deleteChatWebhook({ prisma }: Db, userId: string, encrypted?: string): Promise<boolean> {
  const { count } = await prisma.chatWebhook.deleteMany({ where: { userId, ...withoutUndefined({ url: encrypted }) } })
  return count === 1
}
