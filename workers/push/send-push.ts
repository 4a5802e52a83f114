// Sends one push message (RFC 8030), encrypted for its browser (RFC 8291), to the browser's push service.
import webPush from 'web-push'
import type { Deps } from '../../src/deps.ts'
import type { PushMessage } from '../../src/features/push/index.ts'
import { createSenderFor, type Sender } from '../webhooks/send.ts'

export type SendPush = ReturnType<typeof createPushSender>

/**
 * Sends each message at least once: one whose acceptance was not received is sent again, and the browser
 * shows one of the two.
 * @returns throws if the message is not accepted, so that it is retried
 */
export function createPushSender(
  { settings, log }: Pick<Deps, 'settings' | 'log'>,
  sender: Sender = createSenderFor(settings),
): (message: PushMessage, signal: AbortSignal) => Promise<void> {
  return async ({ subscription, keys, payload, topic, ttlSeconds, gone }, signal) => {
    const { endpoint, keys: browserKeys } = subscription
    const { headers, body } = webPush.generateRequestDetails({ endpoint, keys: browserKeys }, payload, {
      // The push service's contact; it refuses http.
      vapidDetails: { subject: settings.PUBLIC_BASE_URL.replace(/^http:/, 'https:'), ...keys },
      TTL: ttlSeconds,
      urgency: 'normal',
      topic,
    })
    signal.throwIfAborted() // another worker has taken the job over
    const { status, error } = await sender.post({
      url: endpoint,
      headers: lowerCase(headers),
      body: body ?? '',
    })
    if (status === 404 || status === 410) {
      await gone()
      log.info({ status }, 'push subscription no longer exists: its messages end')
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
