// The door of notifications: the news any room may place, the endpoints, and what a worker does with news and messages.
import type { Deps } from '../../deps.ts'
import { createVault } from '../../platform/config/vault.ts'
import type { Route } from '../../platform/http/route.ts'
import { notificationsRoutes } from './notifications.routes.ts'
import { createNotificationsService } from './notifications.service.ts'

export { deleteChatWebhook as deleteChatWebhookOf } from './chat-webhooks.sql.ts'
export { type ChatMessage, orderDigests, writeChatMessage, writeDigest } from './digests.service.ts'
export { takeNotice } from './notices.service.ts'
export {
  chatMessage,
  Notice,
  notificationDigests,
  notificationUpkeep,
  notify,
} from './notifications.jobs.ts'
export { deleteSubscriptionsOf } from './subscriptions.service.ts'
export { runNotificationUpkeep } from './upkeep.service.ts'

export interface Notifications {
  routes: Route[]
}

export function createNotifications({ pool, settings }: Pick<Deps, 'pool' | 'settings'>): Notifications {
  const service = createNotificationsService({ pool, settings, vault: createVault(settings) })
  return { routes: notificationsRoutes(service) }
}
