// Deletes old notifications, and encrypts chat webhooks with the current APP_SECRET.
import type { Deps } from '../../deps.ts'
import { sealAnew } from '../../platform/config/reseal.ts'
import { createVault } from '../../platform/config/vault.ts'
import { sealedChatWebhooks } from './chat-webhooks.store.ts'
import { deleteOld } from './digests.sql.ts'

/** Runs daily. A repeated or parallel run does no harm. */
export async function runNotificationUpkeep({
  pool,
  settings,
  log,
}: Pick<Deps, 'pool' | 'settings' | 'log'>): Promise<void> {
  await deleteOld(pool)
  const { resealed, unreadable } = await sealAnew(createVault(settings), 'chat', sealedChatWebhooks(pool))
  log.info({ resealed }, 'old notifications deleted')
  if (unreadable)
    log.warn({ unreadable }, 'chat webhooks can’t be decrypted: they were encrypted with another APP_SECRET')
}
