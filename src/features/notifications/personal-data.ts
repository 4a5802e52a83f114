// What notifications store about a user. Where chat messages go is a secret of the chat platform.
import type { PersonalData } from '../../platform/db/personal-data.ts'

const notifications: PersonalData = {
  name: 'notifications',
  columns: ['notifications.user_id'],
  read: ({ prisma }, userId, range) =>
    prisma.notification.findMany({
      where: { userId },
      omit: { userId: true },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      ...range,
    }),
}

const serverSubscriptions: PersonalData = {
  name: 'serverSubscriptions',
  columns: ['server_subscriptions.user_id'],
  read: ({ prisma }, userId, range) =>
    prisma.serverSubscription.findMany({
      where: { userId },
      omit: { userId: true },
      orderBy: [{ createdAt: 'desc' }, { serverId: 'desc' }],
      ...range,
    }),
}

const pendingMessages: PersonalData = {
  name: 'pendingMessages',
  columns: ['pending_notices.user_id'],
  read: ({ prisma }, userId, range) =>
    prisma.pendingNotice.findMany({
      where: { userId },
      omit: { userId: true },
      orderBy: [{ lastAt: 'desc' }, { channel: 'desc' }, { event: 'desc' }, { topic: 'desc' }],
      ...range,
    }),
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
