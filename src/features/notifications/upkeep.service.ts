// Deletes old notifications, and encrypts chat webhooks with the current APP_SECRET.
import type { Deps } from '../../deps.ts'
import { createSecretCipher } from '../../platform/config/secret-cipher.ts'
import { reencrypt } from '../../platform/db/reencrypt.ts'
import { deleteOldNotifications } from './digests.sql.ts'

/** Runs daily. A repeated or parallel run does no harm. */
export async function runNotificationUpkeep({
  pool,
  settings,
  log,
}: Pick<Deps, 'pool' | 'settings' | 'log'>): Promise<void> {
  await deleteOldNotifications(pool)
  const urls = { table: 'chat_webhooks', key: 'user_id', columns: ['url'] }
  const { reencrypted, unreadable } = await reencrypt(pool, createSecretCipher(settings), 'chat', urls)
  log.info({ reencrypted }, 'old notifications deleted')
  if (unreadable)
    log.warn({ unreadable }, 'chat webhooks can’t be decrypted: they were encrypted with another APP_SECRET')
}
