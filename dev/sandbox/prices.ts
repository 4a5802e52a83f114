// The prices of the sandbox: one per tier.
import type { Settings } from '../../src/platform/config/settings.ts'
import type { Price } from './state.ts'

/** Settings for a product that uses a sandbox; each start generates the key and the secret. */
export const SANDBOX_PRICES = {
  STRIPE_PRICE_STANDARD: 'price_sandbox_standard',
  STRIPE_PRICE_PREMIUM: 'price_sandbox_premium',
  STRIPE_PRICE_ENTERPRISE: 'price_sandbox_enterprise',
}

export function pricesOf(settings: Pick<Settings, keyof typeof SANDBOX_PRICES>): Price[] {
  const price = (ids: string[] | undefined, name: string, cents: number) =>
    (ids ?? []).map((id) => ({ id, name, cents }))
  return [
    ...price(settings.STRIPE_PRICE_STANDARD, 'Tier standard', 500),
    ...price(settings.STRIPE_PRICE_PREMIUM, 'Tier premium', 1_500),
    ...price(settings.STRIPE_PRICE_ENTERPRISE, 'Tier enterprise', 9_900),
  ]
}
