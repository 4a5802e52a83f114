// Deletes old notifications, and encrypts chat webhooks with the current APP_SECRET.
import type { Deps } from '../../deps.ts'
import { reencrypt } from '../../platform/db/reencrypt.ts'
import { deleteOldNotifications } from './digests.sql.ts'

/** Runs daily. A repeated or parallel run does no harm. */
export async function runNotificationUpkeep(deps: Pick<Deps, 'pool' | 'settings' | 'log'>): Promise<void> {
  await deleteOldNotifications(deps.pool)
  await reencrypt(deps, 'chat', { table: 'chat_webhooks', key: 'user_id', columns: ['url'] })
}
