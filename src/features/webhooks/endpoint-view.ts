// Endpoints as replies show them.
import type { SecretCipher } from '../../platform/config/secret-cipher.ts'
import { openUrl } from './encrypted-url.ts'
import type { Endpoint } from './endpoints.store.ts'
import { kindOf } from './kinds/index.ts'

/** @param isOwner others do not see what may be a secret */
export function viewEndpoint(secretCipher: SecretCipher, endpoint: Endpoint, isOwner: boolean) {
  const { isOwnerBanned, previousSecretUntil, url, ...shown } = endpoint
  const isPreviousValid = previousSecretUntil !== null && previousSecretUntil.getTime() > Date.now()
  return {
    ...shown,
    ...kindOf(endpoint.kind).show(openUrl(secretCipher, url), isOwner),
    isActive: endpoint.disabledAt === null && !isOwnerBanned,
    previousSecretUntil: isPreviousValid ? previousSecretUntil : null,
  }
}
