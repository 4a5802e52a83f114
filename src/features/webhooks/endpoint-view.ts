// Endpoints as replies show them.
import type * as z from 'zod'
import type { SecretCipher } from '../../platform/config/secret-cipher.ts'
import { openUrl } from './encrypted-url.ts'
import type { Endpoint } from './endpoints.store.ts'
import type { WebhookEndpoint } from './webhooks.schema.ts'

/** @param isOwner others see the URL's origin only, since the rest may be a secret */
export function viewEndpoint(
  secretCipher: SecretCipher,
  endpoint: Endpoint,
  isOwner: boolean,
): z.output<typeof WebhookEndpoint> {
  const { isOwnerBanned, previousSecretUntil, ...shown } = endpoint
  const isPreviousValid = previousSecretUntil !== null && previousSecretUntil.getTime() > Date.now()
  return {
    ...shown,
    url: viewUrl(openUrl(secretCipher, endpoint.url), isOwner),
    isActive: endpoint.disabledAt === null && !isOwnerBanned,
    previousSecretUntil: isPreviousValid ? previousSecretUntil : null,
  }
}

function viewUrl(url: string | undefined, isOwner: boolean): string {
  if (url === undefined) return ''
  return isOwner ? url : `${new URL(url).origin}/…`
}
