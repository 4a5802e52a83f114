// Webhook URLs at rest: sealed, since the path of a chat platform's is all that its messages need.
import type { Vault } from '../../platform/config/vault.ts'

export const sealUrl = (vault: Vault, url: string): string => vault.seal('webhook-url', url)

/** Versions before 0.2 stored it in clear; the daily upkeep seals those. */
export const isClearUrl = (stored: string): boolean => /^https?:/.test(stored)

/** @returns undefined when it was sealed under another APP_SECRET */
export const openUrl = (vault: Vault, stored: string): string | undefined =>
  isClearUrl(stored) ? stored : vault.openIfPossible('webhook-url', stored)
