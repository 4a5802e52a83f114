// A subscription's checkout page at the provider: opened for its reservation, and expired before another is reserved.
import type Stripe from 'stripe'
import type { Deps } from '../../deps.ts'
import { inTransaction } from '../../platform/db/pool.ts'
import {
  expireUnopened,
  type PaymentPage,
  type PaymentStatus,
  type SubscriptionPageRow,
  writeOpenedPage,
} from './payments.store.ts'
import { isRefused, isUnknownCustomer, type Provider } from './provider.ts'
import { createReading } from './reading.service.ts'
import { findBillingUser, lockUser, storeCustomer } from './subscriptions.store.ts'

export function createCheckoutPages(deps: Pick<Deps, 'pool' | 'jobs' | 'log' | 'settings'>, at: Provider) {
  const { pool, settings } = deps
  const reading = createReading(deps, at)

  /** Where the provider's checkout pages lead back to. It replaces `{CHECKOUT_SESSION_ID}`, in braces that are not encoded. */
  function returnUrl(outcome: 'success' | 'canceled'): string {
    const url = new URL(settings.BILLING_RETURN_URL)
    url.searchParams.set('checkout', outcome)
    if (outcome === 'success') url.search += '&session_id={CHECKOUT_SESSION_ID}'
    return url.href
  }

  /** The user's customer at the provider; concurrent requests get the same one. */
  async function customerOf(userId: string, replacing: string | null): Promise<string> {
    const user = await findBillingUser(pool, userId)
    if (!user) throw new Error(`user ${userId} was deleted`)
    if (user.customerId && user.customerId !== replacing) return user.customerId
    const stripe = await at.stripe()
    const customer = await stripe.customers.create(
      { ...(user.email ? { email: user.email } : {}), metadata: { userId } },
      // With the address, since the provider refuses a key that is repeated with another request.
      { idempotencyKey: ['customer', userId, replacing ?? '', user.email ?? ''].join('-').slice(0, 255) },
    )
    return inTransaction(pool, async (tx) => {
      await lockUser(tx, userId)
      return storeCustomer(tx, { userId, customerId: customer.id, replacing })
    })
  }

  /** Creates the page, or finds the one that exists: the reservation's id is the idempotency key. */
  async function create({ id, userId, priceId, expiresAt }: SubscriptionPageRow): Promise<Stripe.Checkout.Session> {
    const stripe = await at.stripe()
    const metadata = { paymentSessionId: id, tier: at.tierOf(priceId) }
    const createFor = (customer: string) =>
      stripe.checkout.sessions.create(
        {
          mode: 'subscription',
          customer,
          line_items: [{ price: priceId, quantity: 1 }],
          client_reference_id: userId,
          metadata,
          subscription_data: { metadata },
          success_url: returnUrl('success'),
          cancel_url: returnUrl('canceled'),
          expires_at: Math.floor(expiresAt.getTime() / 1000),
        },
        { idempotencyKey: `checkout-${id}-${customer}` },
      )
    const customer = await customerOf(userId, null)
    return createFor(customer).catch(async (error: unknown) => {
      if (!isUnknownCustomer(error)) throw error
      // The customer was deleted at the provider, or the key belongs to another account than before.
      return createFor(await customerOf(userId, customer))
    })
  }

  async function expire(sessionId: string): Promise<void> {
    const stripe = await at.stripe()
    await stripe.checkout.sessions.expire(sessionId).catch((error: unknown) => {
      const { statusCode } = error as { statusCode?: number }
      if (statusCode !== 400 && statusCode !== 404) throw error // otherwise it is no longer open, or does not exist
    })
    await reading.refreshPage(sessionId)
  }

  /**
   * Pages that another process may have created before it was killed, or is creating. Creating with the same idempotency key
   * finds the page, and a request in progress can then only get that page. A refused key created nothing, or did with other
   * settings.
   */
  async function findCreatedPages(page: SubscriptionPageRow): Promise<string[]> {
    try {
      return [(await create(page)).id]
    } catch (error) {
      if (!isRefused(error)) throw error
    }
    const customer = (await findBillingUser(pool, page.userId))?.customerId
    if (!customer) return []
    const stripe = await at.stripe()
    const { data } = await stripe.checkout.sessions.list({ customer, status: 'open', limit: 100 })
    return data.filter(({ metadata }) => metadata?.paymentSessionId === page.id).map(({ id }) => id)
  }

  return {
    /**
     * Opens the page of a reservation; concurrent callers get the same page.
     * @returns only the status if the reservation was paid, or closed by another order, in the meantime
     */
    async open(page: SubscriptionPageRow): Promise<PaymentPage | { status: PaymentStatus }> {
      const session = await create(page)
      const opened = { sessionId: session.id, url: session.url ?? '' }
      const status = await writeOpenedPage(pool, page.id, opened)
      if (status === 'open') return opened
      await expire(session.id)
      return { status }
    },

    /** Expires the page at the provider and writes the outcome: a page that was paid at the same moment is `paid`. */
    async close(page: SubscriptionPageRow): Promise<void> {
      const sessionIds = page.sessionId ? [page.sessionId] : await findCreatedPages(page)
      for (const sessionId of sessionIds) await expire(sessionId)
      if (sessionIds.length === 0) await expireUnopened(pool, page.id)
    },
  }
}
