// The push services of browsers: nothing else gets push messages, so that a visitor can't have this service post to hosts of their choice.

/**
 * By the documentation of their vendors, and as https://github.com/pushpad/known-push-services collects them. A name that begins with a
 * dot stands for all names below it.
 */
const HOSTS = [
  'fcm.googleapis.com', // Chrome, Brave, Opera, Vivaldi, Samsung Internet
  '.push.services.mozilla.com', // Firefox
  '.notify.windows.com', // Edge
  '.push.apple.com', // Safari
]

/** @param testOrigin setting PUSH_SERVICE_BASE_URL, which tests set */
export function isPushService(endpoint: string, testOrigin: string | undefined): boolean {
  const { origin, protocol, hostname, port } = new URL(endpoint)
  if (testOrigin !== undefined && origin === new URL(testOrigin).origin) return true
  const isKnown = HOSTS.some((host) => (host.startsWith('.') ? hostname.endsWith(host) : hostname === host))
  return protocol === 'https:' && port === '' && isKnown
}
