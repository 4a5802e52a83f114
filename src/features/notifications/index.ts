// Notifications: the list, subscriptions to servers, and messages by mail and chat.
import type { Pages } from '../../platform/http/pages.ts'

export { chatWebhookOperations } from './chat-webhook.operations.ts'
export { deleteChatWebhook as deleteChatWebhookOf } from './chat-webhooks.store.ts'
export { type ChatMessage, enqueueDigests, writeChatMessage, writeDigest } from './digests.service.ts'
export { mailSettingsOperations } from './mail-settings.operations.ts'
export { handleNotice } from './notices.service.ts'
export { eraseMember } from './notices.sql.ts'
export { MAX_NOTICE_USERS, Notice, notify } from './notifications.jobs.ts'
export { notificationsOperations } from './notifications.operations.ts'
export { notifyFormerMembers, notifyUsers } from './notify-users.ts'
export { personalData } from './personal-data.ts'
export { deleteSubscriptionsOf } from './subscriptions.store.ts'
export { runNotificationUpkeep } from './upkeep.service.ts'

/** Pages on which the recipient of a notification mail changes what is sent. */
export const notificationPages: Pages = {
  '/notifications': {
    title: 'Notifications by mail',
    content: new URL('pages/notifications.html', import.meta.url),
    script: '/pages/notifications.js',
  },
  '/pages/notifications.js': new URL('pages/notifications.js', import.meta.url),
}
