// Sends one push message (RFC 8030), encrypted for its browser (RFC 8291), to the browser's push service.
import webPush from 'web-push'
import type { Deps } from '../../src/deps.ts'
import { writePushMessage } from '../../src/features/reminders/index.ts'
import { createSecretCipher } from '../../src/platform/config/secret-cipher.ts'
import { createSender, type Sender } from '../webhooks/send.ts'

/** How long a push service keeps a message for a browser that is closed. */
const TTL_SECONDS = 12 * 3_600

/** At least once: a message whose acceptance was not received is sent again, and the browser shows one of both. */
export function createPushMessageHandler(
  { pool, settings, log }: Pick<Deps, 'pool' | 'settings' | 'log'>,
  sender: Sender = createSender({
    allowPrivate: settings.ALLOW_PRIVATE_TARGETS,
    nameServers: settings.DNS_SERVERS,
    requireHttps: settings.NODE_ENV === 'production',
  }),
): (request: { reminderId: string }, signal: AbortSignal) => Promise<void> {
  const secretCipher = createSecretCipher(settings)
  return async ({ reminderId }, signal) => {
    const message = await writePushMessage({ pool, settings, secretCipher }, reminderId)
    if (!message) return // the visitor has voted, or wants no more
    const { endpoint, keys } = message.subscription
    const { headers, body } = webPush.generateRequestDetails({ endpoint, keys }, message.payload, {
      // The push service's contact; it refuses http.
      vapidDetails: { subject: settings.PUBLIC_BASE_URL.replace(/^http:/, 'https:'), ...message.keys },
      TTL: TTL_SECONDS,
      urgency: 'normal',
      topic: reminderId.replaceAll('-', ''),
    })
    signal.throwIfAborted() // another worker has taken the job over
    const { status, error } = await sender.post({ url: endpoint, headers: lowerCase(headers), body: body ?? '' })
    if (status === 404 || status === 410) {
      await message.gone()
      log.info({ status }, 'push subscription no longer exists: its reminders end')
      return
    }
    // The endpoint is a secret, so neither it nor the response text goes into the log or the queue.
    if (status === undefined || status < 200 || status >= 300)
      throw new Error(`push message not accepted: ${status ?? error}`)
  }
}

/** @param headers of the request, which repeat some of the sender's in another case */
const lowerCase = (headers: object): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]))
