// A subscription's checkout page at the provider: opened under its reservation, and closed before another one is
// reserved.
import type Stripe from 'stripe'
import type { Deps } from '../../deps.ts'
import { inTransaction } from '../../platform/db/pool.ts'
import type { PaymentPage } from './payments.service.ts'
import { expireUnopened, type PaymentStatus, type SubscriptionPageRow, writeOpenedPage } from './payments.sql.ts'
import { isRefused, isUnknownCustomer, type Provider } from './provider.ts'
import { createReading } from './reading.service.ts'
import { findBillingUser, keepCustomer, lockUser } from './subscriptions.sql.ts'

export interface CheckoutPages {
  /**
   * Opens the page of a reservation; two callers get the same page.
   * @returns only the status if the reservation was paid or closed by another order in the meantime
   */
  open(page: SubscriptionPageRow): Promise<PaymentPage | { status: PaymentStatus }>
  /** Expires the page at the provider and stores the result: a page that was paid at the same moment is `paid`. */
  close(page: SubscriptionPageRow): Promise<void>
}

export function createCheckoutPages(
  deps: Pick<Deps, 'pool' | 'jobs' | 'log' | 'settings'>,
  at: Provider,
): CheckoutPages {
  const { pool, settings } = deps
  const reading = createReading(deps, at)

  /** The user's customer at the provider; concurrent requests get the same one. */
  async function customerOf(userId: string, replacing: string | null): Promise<string> {
    const user = await findBillingUser(pool, userId)
    if (!user) throw new Error(`user ${userId} no longer exists`)
    if (user.customerId && user.customerId !== replacing) return user.customerId
    const stripe = await at.stripe()
    const customer = await stripe.customers.create(
      { ...(user.email ? { email: user.email } : {}), metadata: { userId } },
      // Includes the address, because the provider refuses a key that is reused with another request.
      { idempotencyKey: ['customer', userId, replacing ?? '', user.email ?? ''].join('-').slice(0, 255) },
    )
    return inTransaction(pool, async (tx) => {
      await lockUser(tx, userId)
      return keepCustomer(tx, { userId, customerId: customer.id, replacing })
    })
  }

  /** Creates the page, or finds the existing one: the reservation's id is the idempotency key. */
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
          success_url: returnUrl(settings, 'success'),
          cancel_url: returnUrl(settings, 'canceled'),
          expires_at: Math.floor(expiresAt.getTime() / 1000),
        },
        { idempotencyKey: `checkout-${id}-${customer}` },
      )
    const customer = await customerOf(userId, null)
    return createFor(customer).catch(async (error: unknown) => {
      if (!isUnknownCustomer(error)) throw error
      // The customer was deleted there, or the API key now belongs to another account.
      return createFor(await customerOf(userId, customer))
    })
  }

  async function expire(sessionId: string): Promise<void> {
    const stripe = await at.stripe()
    await stripe.checkout.sessions.expire(sessionId).catch((error: unknown) => {
      const { statusCode } = error as { statusCode?: number }
      if (statusCode !== 400 && statusCode !== 404) throw error // it is no longer open, or does not exist
    })
    await reading.settlePage(sessionId)
  }

  /**
   * Pages that a killed or waiting process may have created. Creating with the same key finds such a page, and a
   * request that is still in progress gets the same page. A refused key created nothing, or created it with other
   * settings.
   */
  async function findMade(page: SubscriptionPageRow): Promise<string[]> {
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
    async open(page) {
      const session = await create(page)
      const opened = { sessionId: session.id, url: session.url ?? '' }
      const status = await writeOpenedPage(pool, page.id, opened)
      if (status === 'open') return opened
      await expire(session.id)
      return { status }
    },

    async close(page) {
      const made = page.sessionId ? [page.sessionId] : await findMade(page)
      for (const sessionId of made) await expire(sessionId)
      if (made.length === 0) await expireUnopened(pool, page.id)
    },
  }
}

/** The URL that the provider's pages return to. @param outcome `success` or `canceled` */
export function returnUrl(
  { BILLING_RETURN_URL }: Pick<Deps['settings'], 'BILLING_RETURN_URL'>,
  outcome: string,
): string {
  const url = new URL(BILLING_RETURN_URL)
  url.searchParams.set('checkout', outcome)
  return url.href
}
