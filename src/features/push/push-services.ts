// The push services of browsers: nothing else gets push messages, so that a visitor can't have this service post to hosts of their choice.

/**
 * By the documentation of their vendors, and as https://github.com/pushpad/known-push-services collects them. These are parents of
 * the hosts' names.
 */
const HOSTS = [
  '.push.services.mozilla.com', // Firefox
  '.notify.windows.com', // Edge
  '.push.apple.com', // Safari
]

/** @param chromeUrl setting PUSH_SERVICE_BASE_URL: that of Chrome, Brave, Opera, Vivaldi and Samsung Internet */
export function isPushService(endpoint: string, chromeUrl: string): boolean {
  const { origin, protocol, hostname, port } = new URL(endpoint)
  if (origin === new URL(chromeUrl).origin) return true
  return protocol === 'https:' && port === '' && HOSTS.some((host) => hostname.endsWith(host))
}
