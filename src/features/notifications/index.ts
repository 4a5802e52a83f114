// Notifications: the list, subscriptions to servers, and messages by mail and chat.
export { deleteChatWebhook as deleteChatWebhookOf } from './chat-webhooks.store.ts'
export { type ChatMessage, orderDigests, writeChatMessage, writeDigest } from './digests.service.ts'
export { mailSettingsOperations } from './mail-settings.operations.ts'
export { takeNotice } from './notices.service.ts'
export { notificationPages } from './notification-pages.ts'
export {
  chatMessage,
  Notice,
  notificationDigests,
  notificationUpkeep,
  notify,
} from './notifications.jobs.ts'
export { notificationsOperations } from './notifications.operations.ts'
export { deleteSubscriptionsOf } from './subscriptions.service.ts'
export { runNotificationUpkeep } from './upkeep.service.ts'
