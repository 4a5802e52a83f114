// Endpoints as replies show them.
import type * as z from 'zod'
import type { Vault } from '../../platform/config/vault.ts'
import type { Endpoint } from './endpoints.store.ts'
import { openUrl } from './sealed-url.ts'
import type { WebhookEndpoint } from './webhooks.schema.ts'

/** @param isOwner others see the URL's origin only, since the rest may be a secret */
export function viewEndpoint(vault: Vault, endpoint: Endpoint, isOwner: boolean): z.output<typeof WebhookEndpoint> {
  const { isOwnerBanned, previousSecretUntil, ...shown } = endpoint
  const isPreviousValid = previousSecretUntil !== null && previousSecretUntil.getTime() > Date.now()
  return {
    ...shown,
    url: viewUrl(openUrl(vault, endpoint.url), isOwner),
    isActive: endpoint.disabledAt === null && !isOwnerBanned,
    previousSecretUntil: isPreviousValid ? previousSecretUntil : null,
  }
}

function viewUrl(url: string | undefined, isOwner: boolean): string {
  if (url === undefined) return ''
  return isOwner ? url : `${new URL(url).origin}/…`
}
