// A browser's subscription to push messages, and the key that it subscribes with.
import { ECDH } from 'node:crypto'
import * as z from 'zod'
import { Language } from '../../platform/language.ts'
import { TargetUrl } from '../../platform/target-url.ts'
import { text } from '../../platform/text.ts'

export const PushKey = z
  .object({
    publicKey: z.string().describe('VAPID key (RFC 8292), base64url: `applicationServerKey` of a subscription'),
  })
  .meta({ id: 'PushKey' })

/** No message could be encrypted for another key. */
function isPoint(key: string): boolean {
  try {
    return ECDH.convertKey(key, 'prime256v1', 'base64url') !== ''
  } catch {
    return false
  }
}

/** A subscription as a browser's `PushSubscription.toJSON()` returns it. */
export const PushSubscription = z
  .object({
    endpoint: TargetUrl.describe('Of a push service that browsers use'),
    expirationTime: z.number().nullable().optional().describe('Ignored'),
    keys: z.object({
      p256dh: text()
        .regex(/^[\w-]{87}=?$/, 'must be 65 bytes in base64url')
        .refine(isPoint, { error: 'must be a point of the curve P-256', abort: true }),
      auth: text().regex(/^[\w-]{22}(==)?$/, 'must be 16 bytes in base64url'),
    }),
  })
  .meta({ id: 'PushSubscription' })
export type PushSubscription = z.output<typeof PushSubscription>

export const MessageLanguage = Language.default('en')
