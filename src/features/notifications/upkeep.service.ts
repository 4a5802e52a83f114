// Forgets old news, and seals addresses of chats under the present APP_SECRET.
import type { Deps } from '../../deps.ts'
import { sealAnew } from '../../platform/config/reseal.ts'
import { createVault } from '../../platform/config/vault.ts'
import { sealedChatWebhooks } from './chat-webhooks.sql.ts'
import { deleteOld } from './digests.sql.ts'

/** The daily run. Doing it again, or twice at once, does no harm. */
export async function runNotificationUpkeep({
  pool,
  settings,
  log,
}: Pick<Deps, 'pool' | 'settings' | 'log'>): Promise<void> {
  await deleteOld(pool)
  const { resealed, unreadable } = await sealAnew(createVault(settings), 'chat', sealedChatWebhooks(pool))
  log.info({ resealed }, 'old news cleared away')
  if (unreadable) log.warn({ unreadable }, 'chat webhooks can’t be read: they were sealed under another APP_SECRET')
}
