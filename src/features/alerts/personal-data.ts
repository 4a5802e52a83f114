// The alerts of a user, and the browsers that get them. What a browser subscribed with is a secret.
import type { PersonalData } from '../../platform/db/personal-data.ts'

const alerts: PersonalData = {
  name: 'alerts',
  columns: ['favorite_alerts.user_id'],
  read: ({ prisma }, userId, range) =>
    prisma.favoriteAlert.findMany({
      where: { userId },
      omit: { id: true, userId: true },
      orderBy: { id: 'desc' },
      ...range,
    }),
}

const pushBrowsers: PersonalData = {
  name: 'pushBrowsers',
  columns: ['push_browsers.user_id'],
  read: ({ prisma }, userId, range) =>
    prisma.pushBrowser.findMany({
      where: { userId },
      omit: { userId: true, endpointHash: true, subscription: true },
      orderBy: { id: 'desc' },
      ...range,
    }),
}

export const personalData = [alerts, pushBrowsers]
