// Buying a subscription: at most one payable page and one subscription per account
// (docs/decisions/0017-one-subscription.md).
import type Stripe from 'stripe'
import { v7 as uuidv7 } from 'uuid'
import type { Deps } from '../../deps.ts'
import { inTransaction } from '../../platform/db/pool.ts'
import { ApiError, unavailable } from '../../platform/http/errors.ts'
import type { PageLanguage } from './billing.schema.ts'
import { createCheckoutPages } from './checkout-pages.ts'
import { findOpenPages, type PaymentPage, reserveSubscription, type SubscriptionPageRow } from './payments.store.ts'
import {
  callProvider,
  isUnknownToProvider,
  type PaidTier,
  type Provider,
  RETRY_AFTER_SECONDS,
  returnRefusal,
} from './provider.ts'
import { blocksNewSubscription, givesTier, mainSubscriptionOf } from './provider-objects.ts'
import { createProviderSync } from './provider-sync.service.ts'
import { findSubscriptionsOf, lockUser, type SubscriptionRow } from './subscriptions.store.ts'

/** How long an open checkout page is reused. */
const PAGE_FRESH_MINUTES = 30
/** Each attempt after the first follows a page that was closed or paid in the meantime. */
const MAX_ATTEMPTS = 5

interface Order {
  tier: PaidTier
  language?: PageLanguage
}

/** What an order meets: a subscription, other pages that can still be paid, or neither; then it has a page. */
type Reservation = { existing: SubscriptionRow } | { others: SubscriptionPageRow[] } | { page: SubscriptionPageRow }

export function createCheckout(deps: Pick<Deps, 'pool' | 'jobs' | 'log' | 'settings'>, provider: Provider) {
  const { pool, settings } = deps
  const pages = createCheckoutPages(deps, provider)

  /**
   * Reserves a page, unless the user has a subscription or another open page; a recent page for the same price is
   * reused. Subscriptions are written under the same lock, so that none becomes active unnoticed.
   */
  async function reserve(userId: string, priceId: string): Promise<Reservation> {
    return inTransaction(pool, async (tx) => {
      await lockUser(tx, userId)
      const existing = mainSubscriptionOf((await findSubscriptionsOf(tx, userId)).filter(blocksNewSubscription))
      if (existing) return { existing }
      const open = await findOpenPages(tx, userId, PAGE_FRESH_MINUTES)
      const same = open.find((page) => page.priceId === priceId && page.isFresh)
      const others = open.filter((page) => page !== same)
      if (others.length) return { others }
      return { page: same ?? (await reserveSubscription(tx, { id: uuidv7(), userId, priceId })) }
    })
  }

  type Flow = Stripe.BillingPortal.SessionCreateParams.FlowData

  async function portalPage({ customerId: customer }: SubscriptionRow, flow?: Flow): Promise<PaymentPage> {
    const stripe = await provider.stripe()
    const page = { customer, return_url: settings.BILLING_RETURN_URL, ...(flow && { flow_data: flow }) }
    const { id, url } = await stripe.billingPortal.sessions.create(page)
    return { sessionId: id, url }
  }

  /** The page that changes a subscription to another price and shows what that costs now. */
  async function changePage(existing: SubscriptionRow, price: string): Promise<PaymentPage> {
    const stripe = await provider.stripe()
    const { items } = await stripe.subscriptions.retrieve(existing.id)
    const change = { subscription: existing.id, items: [{ id: items.data[0]?.id ?? '', price, quantity: 1 }] }
    return portalPage(existing, { type: 'subscription_update_confirm', subscription_update_confirm: change })
  }

  /** The page for a subscriber who orders a tier: it changes the subscription, or pays or resumes it. */
  async function findSubscriberPage(existing: SubscriptionRow, tier: PaidTier): Promise<PaymentPage> {
    if (!givesTier(existing)) return portalPage(existing) // where it can be paid or resumed
    if (existing.tier !== tier) return changePage(existing, provider.priceOf(tier))
    throw new ApiError(
      400,
      'already_subscribed',
      existing.cancelAtPeriodEnd
        ? `You already have tier ${tier}. It ends with its period; you can resume it in the portal.`
        : `You already have tier ${tier}.`,
    )
  }

  /**
   * Reads a subscription that the provider refuses to change.
   * @returns whether it is another than the one that is stored
   */
  async function hasChanged(userId: string, before: SubscriptionRow): Promise<boolean> {
    await createProviderSync(deps, provider).apply({ kind: 'subscription', id: before.id })
    const after = (await findSubscriptionsOf(pool, userId)).find(({ id }) => id === before.id)
    return after?.status !== before.status || after.tier !== before.tier
  }

  /** @returns undefined if the subscription has changed at the provider, which is now stored */
  async function openSubscriberPage(
    userId: string,
    existing: SubscriptionRow,
    tier: PaidTier,
  ): Promise<PaymentPage | undefined> {
    const page = await findSubscriberPage(existing, tier).catch(returnRefusal)
    if ('url' in page) return page
    if (await hasChanged(userId, existing)) return undefined
    throw page
  }

  /** @returns undefined if the page was paid or has expired in the meantime, which is now stored */
  async function openReservedPage(page: SubscriptionPageRow, language: PageLanguage): Promise<PaymentPage | undefined> {
    if (!page.sessionId) {
      const opened = await pages.open(page, language)
      if ('url' in opened) return opened
      if (opened.status === 'expired') throw checkoutReplaced()
      return undefined
    }
    const stripe = await provider.stripe()
    const session = await stripe.checkout.sessions.retrieve(page.sessionId).catch((error: unknown) => {
      if (!isUnknownToProvider(error)) throw error
    })
    if (session?.status === 'open' && session.url) return { sessionId: session.id, url: session.url }
    // Paid, expired or deleted, and no event has reported it yet.
    await createProviderSync(deps, provider).refreshPage(page.sessionId)
    return undefined
  }

  /** @param olderIds pages that were open when the order came in; any other one belongs to a later order */
  async function closePages(others: SubscriptionPageRow[], olderIds: readonly string[]): Promise<void> {
    if (!others.every(({ id }) => olderIds.includes(id))) throw checkoutReplaced()
    for (const other of others) await pages.close(other)
  }

  /** Reserves again whenever what it found has changed in the meantime, or had to be closed first. */
  async function openPage(userId: string, { tier, language }: Order): Promise<PaymentPage> {
    let olderIds: string[] | undefined
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const reservation = await reserve(userId, provider.priceOf(tier))
      olderIds ??= 'others' in reservation ? reservation.others.map(({ id }) => id) : []
      let page: PaymentPage | undefined
      if ('existing' in reservation) page = await openSubscriberPage(userId, reservation.existing, tier)
      else if ('page' in reservation) page = await openReservedPage(reservation.page, language)
      else await closePages(reservation.others, olderIds)
      if (page) return page
    }
    throw unavailable('Your previous payment is still being processed.', RETRY_AFTER_SECONDS)
  }

  /**
   * A page to buy the tier; with a subscription to another tier, the page that changes it.
   * Any other open page of the account is expired at the provider first.
   * @throws ApiError 400 `already_subscribed`, `checkout_replaced`; 503 if the provider is down
   */
  return async (userId: string, order: Order): Promise<PaymentPage> => callProvider(() => openPage(userId, order))
}

const checkoutReplaced = () =>
  new ApiError(
    400,
    'checkout_replaced',
    'Another tier was ordered for this account at the same time; its payment page replaced this one.',
  )
