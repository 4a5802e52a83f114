// A subscription's checkout page at the provider: opened for its reservation, and expired before another is reserved.
import type Stripe from 'stripe'
import type { Deps } from '../../deps.ts'
import { inTransaction } from '../../platform/db/pool.ts'
import type { PageLanguage } from './billing.schema.ts'
import { createPaymentPages } from './pages.service.ts'
import { expireUnopened, type PaymentPage, type PaymentStatus, type SubscriptionPageRow } from './payments.store.ts'
import {
  createAtProvider,
  createUnderKey,
  idempotencyKeyOf,
  isKeySpent,
  isRefused,
  isUnknownCustomer,
  type Provider,
} from './provider.ts'
import { beginNextCustomerAttempt, findBillingUser, lockUser, storeCustomer } from './subscriptions.store.ts'

export function createCheckoutPages(deps: Pick<Deps, 'pool' | 'jobs' | 'log' | 'settings'>, provider: Provider) {
  const { pool, settings } = deps
  const pages = createPaymentPages(deps, provider)

  /**
   * Where the provider's checkout pages lead back to. It replaces `{CHECKOUT_SESSION_ID}`, in braces
   * that are not encoded.
   */
  function returnUrl(outcome: 'success' | 'canceled', language: PageLanguage): string {
    const url = new URL(settings.BILLING_RETURN_URL)
    if (language) url.searchParams.set('lang', language)
    url.searchParams.set('checkout', outcome)
    if (outcome === 'success') url.search += '&session_id={CHECKOUT_SESSION_ID}'
    return url.href
  }

  async function billingUser(userId: string) {
    const user = await findBillingUser(pool, userId)
    if (!user) throw new Error(`user ${userId} was deleted`)
    return user
  }

  /** The user's customer at the provider; concurrent requests get the same one. */
  async function customerOf(userId: string, replacing: string | null): Promise<string> {
    const user = await billingUser(userId)
    if (user.customerId && user.customerId !== replacing) return user.customerId
    const stripe = await provider.stripe()
    const customer = await createAtProvider(user, {
      create: ({ email, customerAttempt }) =>
        stripe.customers.create(
          { ...(email ? { email } : {}), metadata: { userId } },
          // The key includes the address, since the provider refuses a key that is repeated with another request.
          {
            idempotencyKey: idempotencyKeyOf(
              ['customer', userId, replacing ?? '', email ?? ''].join('-').slice(0, 240),
              customerAttempt,
            ),
          },
        ),
      async find({ email }) {
        const { data } = await stripe.customers.list({ ...(email && { email }), limit: 100 })
        return data.find(({ id, metadata }) => metadata.userId === userId && id !== replacing)
      },
      async next({ customerAttempt }) {
        await beginNextCustomerAttempt(pool, userId, customerAttempt)
        return billingUser(userId)
      },
    })
    return inTransaction(pool, async (tx) => {
      await lockUser(tx, userId)
      return storeCustomer(tx, { userId, customerId: customer.id, replacing })
    })
  }

  /** Creates the page, or finds the one that this attempt has created: the idempotency key is the reservation's. */
  async function create(page: SubscriptionPageRow, language?: PageLanguage): Promise<Stripe.Checkout.Session> {
    const { id, userId, priceId, attempt, expiresAt } = page
    const stripe = await provider.stripe()
    const metadata = { paymentSessionId: id, tier: provider.tierOf(priceId) }
    const createFor = (customer: string) =>
      stripe.checkout.sessions.create(
        {
          mode: 'subscription',
          customer,
          line_items: [{ price: priceId, quantity: 1 }],
          client_reference_id: userId,
          metadata,
          subscription_data: { metadata },
          success_url: returnUrl('success', language),
          cancel_url: returnUrl('canceled', language),
          ...(language && { locale: language }),
          expires_at: Math.floor(expiresAt.getTime() / 1000),
        },
        { idempotencyKey: idempotencyKeyOf(`checkout-${id}-${customer}`, attempt) },
      )
    const customer = await customerOf(userId, null)
    return createFor(customer).catch(async (error: unknown) => {
      if (!isUnknownCustomer(error)) throw error
      // The customer was deleted at the provider, or the key belongs to another account than before.
      return createFor(await customerOf(userId, customer))
    })
  }

  const findCustomer = async ({ userId }: SubscriptionPageRow) =>
    (await findBillingUser(pool, userId))?.customerId ?? null

  /**
   * Pages that another process may have created before it was killed, or is creating. Creating with the same
   * idempotency key finds the page, and a request in progress can then only get that page. A key that failed or is
   * refused created nothing, or did before it failed, or with other settings.
   */
  async function findCreatedPages(page: SubscriptionPageRow): Promise<string[]> {
    try {
      return [(await createUnderKey(() => create(page))).id]
    } catch (error) {
      if (!isRefused(error) && !isKeySpent(error)) throw error
    }
    const customer = await findCustomer(page)
    if (!customer) return []
    return (await pages.findCreated(page, customer)).map(({ id }) => id)
  }

  return {
    /** Opens the page of a reservation, as `open` of `createPaymentPages` says. */
    open: (page: SubscriptionPageRow, language: PageLanguage): Promise<PaymentPage | { status: PaymentStatus }> =>
      pages.open(page, { create: (row) => create(row, language), customer: findCustomer, expiresAt: null }),

    /** Expires the page at the provider and writes the outcome: a page that was paid at the same moment is `paid`. */
    async close(page: SubscriptionPageRow): Promise<void> {
      const sessionIds = page.sessionId ? [page.sessionId] : await findCreatedPages(page)
      for (const sessionId of sessionIds) await pages.expire(sessionId)
      if (sessionIds.length === 0) await expireUnopened(pool, page)
    },
  }
}
