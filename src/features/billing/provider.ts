// The payment provider (Stripe) as this product uses it: its SDK, loaded when it is first needed, our prices, and its errors.
import type Stripe from 'stripe'
import type { Deps } from '../../deps.ts'
import { isUnadoptedCopy } from '../../platform/db/installation.ts'
import type { Pool } from '../../platform/db/pool.ts'
import { unavailable } from '../../platform/http/errors.ts'
import type { Tier } from '../api-keys/index.ts'

export type PaidTier = Exclude<Tier, 'free'>

export interface Provider {
  /**
   * The SDK. Loaded late: most API processes answer for days without it.
   * @throws ApiError 503 on a restored copy that nobody has adopted: it must charge nobody, nor take events from the original
   */
  stripe(): Promise<Stripe>
  webhookSecret: string
  /** The price that is sold of a tier. */
  priceOf(tier: PaidTier): string
  /** What a price gives; free for one that is none of ours. */
  tierOf(priceId: string): Tier
}

type ProviderSettings = Pick<
  Deps['settings'],
  | 'STRIPE_SECRET_KEY'
  | 'STRIPE_WEBHOOK_SECRET'
  | 'STRIPE_API_BASE'
  | 'STRIPE_PRICE_STANDARD'
  | 'STRIPE_PRICE_PREMIUM'
  | 'STRIPE_PRICE_ENTERPRISE'
>

/** Twice this is the longest a request waits for the provider. */
const TIMEOUT_MS = 8_000
const RETRIES = 1

/** @returns undefined when the settings say that billing is off */
export function createProvider({ settings, pool }: { settings: ProviderSettings; pool: Pool }): Provider | undefined {
  const { STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: webhookSecret } = settings
  if (!key || !webhookSecret) return undefined
  const prices: Record<PaidTier, string[]> = {
    standard: settings.STRIPE_PRICE_STANDARD ?? [],
    premium: settings.STRIPE_PRICE_PREMIUM ?? [],
    enterprise: settings.STRIPE_PRICE_ENTERPRISE ?? [],
  }
  let loading: Promise<Stripe> | undefined

  async function load(apiKey: string): Promise<Stripe> {
    const { default: Sdk } = await import('stripe')
    const { hostname, port, protocol } = new URL(settings.STRIPE_API_BASE)
    return new Sdk(apiKey, {
      host: hostname,
      port: port || (protocol === 'http:' ? 80 : 443),
      protocol: protocol === 'http:' ? 'http' : 'https',
      timeout: TIMEOUT_MS,
      maxNetworkRetries: RETRIES,
      telemetry: false,
    })
  }

  return {
    async stripe() {
      if (await isUnadoptedCopy(pool)) throw unavailable(ON_A_COPY, 3_600)
      loading ??= load(key)
      return loading
    },
    webhookSecret,
    priceOf(tier) {
      const [price] = prices[tier]
      if (!price) throw new Error(`no price is set for tier ${tier}`)
      return price
    },
    tierOf(priceId) {
      const found = (Object.keys(prices) as PaidTier[]).find((tier) => prices[tier].includes(priceId))
      return found ?? 'free'
    },
  }
}

export const ON_A_COPY = 'Payments are off: this is a restored copy, until `npm run adopt`.'

/** The code of an error of the provider's (`resource_missing`); undefined for any other error. */
export function codeOf(error: unknown): string | undefined {
  return isProviderError(error) ? error.code : undefined
}

/** Whether the provider says that it has no such object. */
export const isUnknownToProvider = (error: unknown): boolean => codeOf(error) === 'resource_missing'

/** Whether the provider says that it has no such customer. */
export const isUnknownCustomer = (error: unknown): boolean =>
  isProviderError(error) && error.code === 'resource_missing' && error.param === 'customer'

/** Whether the provider refused a request as it stands: repeating it changes nothing. */
export const isRefused = (error: unknown): boolean => isProviderError(error) && error.statusCode === 400

/** Told by its type's name (`StripeConnectionError`), since the SDK's classes may not be loaded. */
export function isProviderError(error: unknown): error is Stripe.errors.StripeError {
  return error instanceof Error && 'type' in error && String(error.type).startsWith('Stripe')
}

export const RETRY_AFTER_SECONDS = 30

export const billingIsOff = () =>
  unavailable('Payments are not set up here: the setting STRIPE_SECRET_KEY is missing.', 3_600)

/**
 * Asks the provider on behalf of somebody who waits.
 * @throws ApiError 503 whatever it answered but success: whether it is down, busy or refuses us, the person can only come back later
 */
export async function ask<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (!isProviderError(cause)) throw cause
    throw unavailable('The payment provider does not answer as it should. Try again later.', RETRY_AFTER_SECONDS, cause)
  }
}
