// Shows push messages: a title, a text, an address to open, and one that ends such messages, by a request to the API.
addEventListener('install', () => skipWaiting())

addEventListener('push', (event) => {
  const { title, body, url, tag = url, open, off, offUrl } = event.data.json()
  const actions = [
    { action: 'open', title: open },
    { action: 'off', title: off },
  ]
  // Messages with the same tag replace each other: one that arrives twice is shown once.
  event.waitUntil(registration.showNotification(title, { body, tag, data: { url, offUrl }, actions }))
})

addEventListener('notificationclick', (event) => {
  const { url, offUrl } = event.notification.data
  event.notification.close()
  event.waitUntil(event.action === 'off' ? fetch(offUrl, { method: 'POST' }) : clients.openWindow(url))
})
