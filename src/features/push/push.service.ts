// What features need to send push messages: the check of a browser's endpoint, and the message as the worker gets it.
import type { SecretCipher } from '../../platform/config/secret-cipher.ts'
import type { ProcessSettings } from '../../platform/config/settings.ts'
import type { Sql } from '../../platform/db/pool.ts'
import { validationFailed } from '../../platform/http/errors.ts'
import { findUrlProblem } from '../../platform/target-url.ts'
import type { PushSubscription } from './push.schema.ts'
import { type PushKeys, readPushKeys } from './push-keys.store.ts'
import { isPushService } from './push-services.ts'

/** What is sent to one browser. */
export interface PushMessage {
  subscription: PushSubscription
  keys: PushKeys
  /** JSON, which the service worker of the site reads. */
  payload: string
  /** Messages with the same topic replace each other at the push service; at most 32 characters of base64url. */
  topic: string
  /** How long a push service keeps it for a browser that is closed. */
  ttlSeconds: number
  /** Call it if the subscription no longer exists. */
  gone(): Promise<void>
}

/** What a feature wants sent to one browser. */
interface PushRequest extends Pick<PushMessage, 'ttlSeconds' | 'gone'> {
  /** A UUID. Messages with the same id replace each other at the push service. */
  id: string
  /** The subscription as it is stored: encrypted. */
  subscription: string
  /** What the service worker of the site gets. */
  content: object
}

/** @throws SecretDecryptionError if the subscription or the key was encrypted under another APP_SECRET */
export async function createPushMessage(
  db: Sql,
  secretCipher: SecretCipher,
  { id, subscription, content, ttlSeconds, gone }: PushRequest,
): Promise<PushMessage> {
  return {
    subscription: JSON.parse(secretCipher.decrypt('push', subscription)) as PushSubscription,
    keys: await readPushKeys(db, secretCipher),
    payload: JSON.stringify(content),
    topic: id.replaceAll('-', ''),
    ttlSeconds,
    gone,
  }
}

type EndpointSettings = Pick<ProcessSettings, 'PUSH_SERVICE_BASE_URL' | 'NODE_ENV' | 'ALLOW_PRIVATE_TARGETS'>

/** @throws validation error for an endpoint that is not of a browser's push service */
export function requirePushService(settings: EndpointSettings, endpoint: string): void {
  const message = isPushService(endpoint, settings.PUSH_SERVICE_BASE_URL)
    ? findUrlProblem(endpoint, {
        requireHttps: settings.NODE_ENV === 'production',
        allowPrivate: settings.ALLOW_PRIVATE_TARGETS,
      })
    : 'must be of a push service that browsers use'
  if (message) throw validationFailed([{ path: 'body.push.endpoint', message }])
}
