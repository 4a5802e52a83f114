// The push services of browsers: nothing else gets push messages, so that a visitor can't have this service post to
// hosts of their choice.

/**
 * From the vendors' documentation, and the list at https://github.com/pushpad/known-push-services. These are parent
 * domains of the hosts' names.
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
