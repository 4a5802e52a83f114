// The payment provider (Stripe): its SDK, loaded when first needed, our prices, and its errors.
import type Stripe from 'stripe'
import type { Deps } from '../../deps.ts'
import { isUnadoptedCopy } from '../../platform/db/installation.ts'
import { ApiError, unavailable } from '../../platform/http/errors.ts'
import { retryOn } from '../../platform/retry.ts'
import type { Tier } from '../api-keys/index.ts'

export type PaidTier = Exclude<Tier, 'free'>

export interface Provider {
  /**
   * The SDK, loaded by the first call: most API processes never need it.
   * @throws ApiError 503 `billing_unavailable` on a restored copy that was not adopted: it must not charge, nor take
   * the original's events
   */
  stripe(): Promise<Stripe>
  webhookSecret: string
  /** The price at which a tier is sold. */
  priceOf(tier: PaidTier): string
  /** The tier of a price; free for a price that is not ours. */
  tierOf(priceId: string): Tier
}

/** One retry is allowed, so a call of the provider takes twice this long at most. */
const TIMEOUT_MS = 8_000
const RETRIES = 1

/** @returns undefined if billing is off by the settings */
export function createProvider({ settings, pool }: Pick<Deps, 'settings' | 'pool'>): Provider | undefined {
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
      if (await isUnadoptedCopy(pool)) throw billingUnavailable(PAYMENTS_OFF_ON_A_COPY)
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

export const PAYMENTS_OFF_ON_A_COPY = 'Payments are off: this is a restored copy, until `npm run adopt`.'

/** The code of a provider's error, such as `resource_missing`; undefined for other errors. */
export function providerErrorCode(error: unknown): string | undefined {
  return isProviderError(error) ? error.code : undefined
}

/** Whether the provider answered that it has no such object. */
export const isUnknownToProvider = (error: unknown): boolean => providerErrorCode(error) === 'resource_missing'

/** Whether the provider answered that it has no such customer. */
export const isUnknownCustomer = (error: unknown): boolean =>
  isProviderError(error) && error.code === 'resource_missing' && error.param === 'customer'

/** Whether the provider gave no answer. */
export const isUnreachable = (error: unknown): boolean =>
  isProviderError(error) && error.type === 'StripeConnectionError'

/** Whether the provider refused a request, so that repeating it is pointless. */
export const isRefused = (error: unknown): boolean => isProviderError(error) && error.statusCode === 400

/**
 * `catch` handler of a change: the provider refuses it, or lacks the object, if its state differs from
 * the one that is stored.
 * @returns the refusal; throws any other error
 */
export function returnRefusal(error: unknown): Error {
  if (error instanceof Error && (isRefused(error) || isUnknownToProvider(error))) return error
  throw error
}

/** Whether the provider is still working on another request with the same idempotency key. */
const isKeyInUse = (error: unknown): boolean => isProviderError(error) && error.statusCode === 409

/** Together with the SDK's retries, as long as a call of the provider may take. */
const KEY_IN_USE = { tries: 6, pauseMs: (attempt: number) => Math.min(500 * 2 ** (attempt - 1), 4_000) }

/**
 * Creates an object under an idempotency key. While another request with that key runs, it waits, and
 * gets the same answer.
 */
export const createUnderKey = <Created>(create: () => Promise<Created>): Promise<Created> =>
  retryOn(isKeyInUse, create, KEY_IN_USE)

/**
 * Whether the idempotency key can't be reused: the provider answers a key for at least a day as the first time, also
 * with that 500, and refuses it for other parameters. A page's `expires_at` is less than 30 minutes away when its first
 * attempt was long ago.
 */
export const isKeySpent = (error: unknown): boolean =>
  isProviderError(error) &&
  !isKeyInUse(error) &&
  ((error.statusCode ?? 0) >= 500 || error.type === 'StripeIdempotencyError' || error.param === 'expires_at')

/** The idempotency key of an attempt, counted from 1. */
export const idempotencyKeyOf = (name: string, attempt: number): string => (attempt === 1 ? name : `${name}-${attempt}`)

/** Recognized by its type's name (`StripeConnectionError`), since the SDK may not be loaded. */
export function isProviderError(error: unknown): error is Stripe.errors.StripeError {
  return error instanceof Error && 'type' in error && String(error.type).startsWith('Stripe')
}

interface Creation<Attempt, Created> {
  /** Creates the object under the key of this attempt. */
  create(attempt: Attempt): Promise<Created>
  /** Looks for the object, which an attempt that failed may have created all the same. */
  find(attempt: Attempt): Promise<Created | undefined>
  /** Stores that this attempt failed. @returns the current attempt: concurrent callers get the same one */
  next(attempt: Attempt): Promise<Attempt>
}

/**
 * Creates an object at the provider once, however many callers and processes try. An attempt whose answer was lost is
 * repeated under its key, which gives that answer; only one that failed is followed by the next.
 */
export async function createAtProvider<Attempt, Created>(
  attempt: Attempt,
  { create, find, next }: Creation<Attempt, Created>,
): Promise<Created> {
  try {
    return await createUnderKey(() => create(attempt))
  } catch (error) {
    if (!isKeySpent(error)) throw error
    const found = await find(attempt)
    if (found) return found
    const following = await next(attempt)
    return createUnderKey(() => create(following))
  }
}

export const RETRY_AFTER_SECONDS = 30

const billingUnavailable = (message: string) =>
  new ApiError(503, 'billing_unavailable', message, { headers: { 'Retry-After': '3600' } })

/** @throws ApiError 503 `billing_unavailable` if payments are off */
export function requireProvider(provider: Provider | undefined): Provider {
  if (provider) return provider
  throw billingUnavailable('Payments are off: no payment provider is set up here.')
}

/**
 * Calls the provider during a request.
 * @throws ApiError 503 for any error of the provider: whether it is down, busy or refuses our key, the
 * user can only try later
 */
export async function callProvider<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (!isProviderError(cause)) throw cause
    throw unavailable('The payment provider is not available. Try again later.', RETRY_AFTER_SECONDS, cause)
  }
}
