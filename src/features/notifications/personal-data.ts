// What notifications store about a user. Where chat messages go is a secret of the chat platform.
import type { PersonalData } from '../../platform/db/personal-data.ts'

const notifications: PersonalData = {
  name: 'notifications',
  columns: ['notifications.user_id'],
  read: ({ prisma }, userId, take) =>
    prisma.notification.findMany({ where: { userId }, omit: { userId: true }, orderBy: { createdAt: 'desc' }, take }),
}

const serverSubscriptions: PersonalData = {
  name: 'serverSubscriptions',
  columns: ['server_subscriptions.user_id'],
  read: ({ prisma }, userId, take) =>
    prisma.serverSubscription.findMany({
      where: { userId },
      omit: { userId: true },
      orderBy: { createdAt: 'desc' },
      take,
    }),
}

const pendingMessages: PersonalData = {
  name: 'pendingMessages',
  columns: ['pending_notices.user_id'],
  read: ({ prisma }, userId, take) =>
    prisma.pendingNotice.findMany({ where: { userId }, omit: { userId: true }, orderBy: { lastAt: 'desc' }, take }),
}

const messageTimes: PersonalData = {
  name: 'messageTimes',
  columns: ['notification_digests.user_id'],
  read: ({ prisma }, userId) => prisma.notificationDigest.findMany({ where: { userId }, omit: { userId: true } }),
}

const chatWebhook: PersonalData = {
  name: 'chatWebhook',
  columns: ['chat_webhooks.user_id'],
  read: ({ prisma }, userId) => prisma.chatWebhook.findMany({ where: { userId }, select: { createdAt: true } }),
}

export const personalData = [notifications, serverSubscriptions, pendingMessages, messageTimes, chatWebhook]
