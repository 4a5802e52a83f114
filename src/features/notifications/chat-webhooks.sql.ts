// Statements over the addresses that chat messages go to; sealed by the service.
import type { SealedRow, SealedRows } from '../../platform/config/reseal.ts'
import type { Db } from '../../platform/db/pool.ts'

export async function putChatWebhook(db: Db, userId: string, sealed: string): Promise<void> {
  await db.query({
    name: 'notifications-put-chat-webhook',
    text: `
      insert into chat_webhooks (user_id, url) values ($1, $2)
      on conflict (user_id) do update set url = excluded.url, created_at = now()`,
    values: [userId, sealed],
  })
}

/** @returns the sealed address; undefined when there is none or the user is banned */
export async function findChatWebhook(db: Db, userId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ url: string }>({
    name: 'notifications-find-chat-webhook',
    text: `
      select url from chat_webhooks
      join users on users.id = user_id and banned_at is null
      where user_id = $1`,
    values: [userId],
  })
  return rows[0]?.url
}

/** @param sealed only this one, where it is given: another may have taken its place; @returns whether there was one */
export async function deleteChatWebhook(db: Db, userId: string, sealed?: string): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'notifications-delete-chat-webhook',
    text: 'delete from chat_webhooks where user_id = $1 and url = coalesce($2, url)',
    values: [userId, sealed ?? null],
  })
  return rowCount === 1
}

export const sealedChatWebhooks = (db: Db): SealedRows => ({
  async findAfter(id, limit) {
    const { rows } = await db.query<SealedRow>(
      'select user_id as id, array[url] as sealed from chat_webhooks where user_id > $1 order by user_id limit $2',
      [id, limit],
    )
    return rows
  },
  async replace(before, after) {
    await db.query('update chat_webhooks set url = $3 where user_id = $1 and url = $2', [
      before.id,
      ...before.sealed,
      ...after.sealed,
    ])
  },
})
