// What subscriptions cost at the provider, kept for some minutes.
import type Stripe from 'stripe'
import { RATE_LIMITS, TIERS } from '../api-keys/index.ts'
import { PRICE_INTERVALS, type Price } from './billing.schema.ts'
import { toCents } from './currency.ts'
import { callProvider, type PaidTier, type Provider } from './provider.ts'

const FRESH_MS = 10 * 60_000
/** How long a provider that failed is not asked again: each page that shows prices would wait for it. */
const PAUSE_MS = 30_000

/** @returns a function that reads the prices at the provider, at most once in ten minutes */
export function createPriceList({ now = () => performance.now() } = {}) {
  let read: { prices: Promise<Price[]>; until: number } | undefined

  /** @throws ApiError 503 if the provider is down */
  return function readPrices(provider: Provider): Promise<Price[]> {
    if (read && now() < read.until) return read.prices
    const request = { prices: callProvider(() => retrieve(provider)), until: now() + FRESH_MS }
    request.prices.catch(() => {
      request.until = now() + PAUSE_MS
    })
    read = request
    return request.prices
  }
}

async function retrieve(provider: Provider): Promise<Price[]> {
  const stripe = await provider.stripe()
  const tiers = TIERS.filter((tier): tier is PaidTier => tier !== 'free')
  const prices = await Promise.all(
    tiers.map(async (tier) => priceOf(tier, await stripe.prices.retrieve(provider.priceOf(tier)))),
  )
  return prices.filter((price) => price !== undefined)
}

/** @returns undefined for a price without one amount, as by usage */
function priceOf(tier: PaidTier, { unit_amount: amount, currency, recurring }: Stripe.Price): Price | undefined {
  const interval = PRICE_INTERVALS.find((one) => one === recurring?.interval)
  if (amount === null || !recurring || !interval) return undefined
  return {
    tier,
    rateLimit: RATE_LIMITS[tier],
    amountCents: toCents(amount, currency),
    currency: currency.toUpperCase(),
    interval,
    intervalCount: recurring.interval_count,
  }
}
