// Ordering a subscription: at most one payable page and one subscription per account
// (docs/decisions/0017-one-subscription.md).
import { v7 as uuidv7 } from 'uuid'
import type { Deps } from '../../deps.ts'
import { inTransaction } from '../../platform/db/pool.ts'
import { ApiError, unavailable } from '../../platform/http/errors.ts'
import { createCheckoutPages, returnUrl } from './checkout-pages.ts'
import type { PaymentPage } from './payments.service.ts'
import { findOpenPages, reserveSubscription, type SubscriptionPageRow } from './payments.sql.ts'
import {
  ask,
  billingIsOff,
  isUnknownToProvider,
  type PaidTier,
  type Provider,
  RETRY_AFTER_SECONDS,
} from './provider.ts'
import { createReading } from './reading.service.ts'
import { blocksNewSubscription, givesTier, mainSubscriptionOf } from './readings.ts'
import { findSubscriptionsOf, lockUser, type SubscriptionRow } from './subscriptions.sql.ts'

/** How long an open checkout page is reused. */
const PAGE_FRESH_MINUTES = 30
/** Each attempt after the first follows a page that was closed or paid in the meantime. */
const MAX_ATTEMPTS = 5

export interface Checkout {
  /**
   * Returns a page to buy the tier or, with an active subscription of another tier, the page to change it.
   * First expires any other open page of the account at the provider.
   * @throws ApiError 400 `already_subscribed`, `checkout_replaced`; 503 if the provider is off or down
   */
  start(userId: string, tier: PaidTier): Promise<PaymentPage>
}

type Reservation = { living: SubscriptionRow } | { others: SubscriptionPageRow[] } | { page: SubscriptionPageRow }

export function createCheckout(
  deps: Pick<Deps, 'pool' | 'jobs' | 'log' | 'settings'>,
  provider: Provider | undefined,
): Checkout {
  const { pool, settings } = deps

  /**
   * Reserves a page unless a subscription or another open page prevents it; reuses a recent page for the same price.
   * Subscriptions are written under the same lock, so none can become active unnoticed.
   */
  async function reserve(userId: string, priceId: string): Promise<Reservation> {
    return inTransaction(pool, async (tx) => {
      await lockUser(tx, userId)
      const living = mainSubscriptionOf((await findSubscriptionsOf(tx, userId)).filter(blocksNewSubscription))
      if (living) return { living }
      const open = await findOpenPages(tx, userId, PAGE_FRESH_MINUTES)
      const same = open.find((page) => page.priceId === priceId && page.isFresh)
      const others = open.filter((page) => page !== same)
      if (others.length) return { others }
      return { page: same ?? (await reserveSubscription(tx, { id: uuidv7(), userId, priceId })) }
    })
  }

  async function portalPage(at: Provider, { customerId }: SubscriptionRow): Promise<PaymentPage> {
    const stripe = await at.stripe()
    const return_url = returnUrl(settings, 'success')
    const portal = await stripe.billingPortal.sessions.create({ customer: customerId, return_url })
    return { sessionId: portal.id, url: portal.url }
  }

  /** A page to change an active subscription to another price, with the cost. */
  async function changePage(at: Provider, subscription: SubscriptionRow, priceId: string): Promise<PaymentPage> {
    const stripe = await at.stripe()
    const { items } = await stripe.subscriptions.retrieve(subscription.id)
    const portal = await stripe.billingPortal.sessions.create({
      customer: subscription.customerId,
      return_url: returnUrl(settings, 'success'),
      flow_data: {
        type: 'subscription_update_confirm',
        subscription_update_confirm: {
          subscription: subscription.id,
          items: [{ id: items.data[0]?.id ?? '', price: priceId, quantity: 1 }],
        },
      },
    })
    return { sessionId: portal.id, url: portal.url }
  }

  async function pageBeside(at: Provider, living: SubscriptionRow, tier: PaidTier): Promise<PaymentPage> {
    if (!givesTier(living)) return portalPage(at, living) // to pay or resume it there
    if (living.tier !== tier) return changePage(at, living, at.priceOf(tier))
    throw new ApiError(
      400,
      'already_subscribed',
      living.cancelAtPeriodEnd
        ? `You already have tier ${tier}. It ends with its period; resume it in the portal.`
        : `You already have tier ${tier}.`,
    )
  }

  /** @param seen pages that were open when the order arrived: it closes only these; a later page replaces this order */
  async function start(
    at: Provider,
    userId: string,
    tier: PaidTier,
    attempts: number,
    seen?: string[],
  ): Promise<PaymentPage> {
    if (attempts === 0) throw unavailable('Your former payment is still being settled.', RETRY_AFTER_SECONDS)
    const pages = createCheckoutPages(deps, at)
    const reservation = await reserve(userId, at.priceOf(tier))
    if ('living' in reservation) return pageBeside(at, reservation.living, tier)
    const others = 'others' in reservation ? reservation.others : []
    const older = seen ?? others.map(({ id }) => id)
    const again = () => start(at, userId, tier, attempts - 1, older)
    if (!('page' in reservation)) {
      if (!others.every(({ id }) => older.includes(id))) throw checkoutReplaced()
      for (const other of others) await pages.close(other)
      return again()
    }
    const { page } = reservation
    if (!page.sessionId) {
      const opened = await pages.open(page)
      if ('url' in opened) return opened
      if (opened.status === 'expired') throw checkoutReplaced()
      return again()
    }
    const stripe = await at.stripe()
    const session = await stripe.checkout.sessions.retrieve(page.sessionId).catch((error: unknown) => {
      if (!isUnknownToProvider(error)) throw error
    })
    if (session?.status === 'open' && session.url) return { sessionId: session.id, url: session.url }
    // Paid, expired or gone, but no event has reported it yet.
    await createReading(deps, at).settlePage(page.sessionId)
    return again()
  }

  return {
    async start(userId, tier) {
      if (!provider) throw billingIsOff()
      return ask(() => start(provider, userId, tier, MAX_ATTEMPTS))
    },
  }
}

const checkoutReplaced = () =>
  new ApiError(
    400,
    'checkout_replaced',
    'Another tier was ordered for this account at the same time; its payment page replaced this one.',
  )
