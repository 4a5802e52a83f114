// The page on which the recipient of a notification mail changes what is sent.
import type { Pages } from '../../platform/http/pages.ts'

const own = (name: string) => new URL(`pages/${name}`, import.meta.url)

export const notificationPages: Pages = {
  '/notifications': {
    title: 'Notifications by mail',
    content: own('notifications.html'),
    script: '/pages/notifications.js',
  },
  '/pages/notifications.js': own('notifications.js'),
}
