// Webhook URLs at rest: encrypted, since the path of a chat platform's webhook is a credential.
import type { Vault } from '../../platform/config/vault.ts'

export const sealUrl = (vault: Vault, url: string): string => vault.seal('webhook-url', url)

/** Versions before 0.2 stored it in clear; the daily upkeep seals those. */
export const isClearUrl = (stored: string): boolean => /^https?:/.test(stored)

/** @returns undefined if the URL was sealed under another APP_SECRET */
export const openUrl = (vault: Vault, stored: string): string | undefined =>
  isClearUrl(stored) ? stored : vault.openIfPossible('webhook-url', stored)
