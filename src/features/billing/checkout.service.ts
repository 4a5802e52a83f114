// Buying a subscription: one customer a user, one page for one wish, and no second subscription beside a first.
import { v7 as uuidv7 } from 'uuid'
import type { Deps } from '../../deps.ts'
import { inTransaction } from '../../platform/db/pool.ts'
import { ApiError, unavailable } from '../../platform/http/errors.ts'
import type { PaymentPage } from './payments.service.ts'
import { findOpenPages, type PaymentSessionRow, reserveSubscription, writeProviderSession } from './payments.sql.ts'
import {
  ask,
  billingIsOff,
  isUnknownToProvider,
  type PaidTier,
  type Provider,
  RETRY_AFTER_SECONDS,
} from './provider.ts'
import { createReading } from './reading.service.ts'
import { givesTier, mainSubscriptionOf, standsInTheWay } from './readings.ts'
import {
  findBillingUser,
  findSubscriptionsOf,
  keepCustomer,
  lockUser,
  type SubscriptionRow,
} from './subscriptions.sql.ts'

/** So long the same wish leads to the same page. */
const PAGE_FRESH_MINUTES = 30

export interface Checkout {
  /**
   * A page on which the tier can be bought; with a living subscription of another tier, the page on which that is changed.
   * @throws ApiError 400 `already_subscribed`; 503 when the provider is off or down
   */
  start(userId: string, tier: PaidTier): Promise<PaymentPage>
}

export function createCheckout(
  deps: Pick<Deps, 'pool' | 'jobs' | 'log' | 'settings'>,
  provider: Provider | undefined,
): Checkout {
  const { pool, settings } = deps
  const back = (outcome: string) => {
    const url = new URL(settings.BILLING_RETURN_URL)
    url.searchParams.set('checkout', outcome)
    return url.href
  }

  async function findLiving(userId: string): Promise<SubscriptionRow | undefined> {
    return mainSubscriptionOf((await findSubscriptionsOf(pool, userId)).filter(standsInTheWay))
  }

  /** The user's customer at the provider: of two requests at the same time both make the same one. */
  async function customerOf(at: Provider, userId: string, replacing: string | null): Promise<string> {
    const user = await findBillingUser(pool, userId)
    if (!user) throw new Error(`user ${userId} is gone`)
    if (user.customerId && user.customerId !== replacing) return user.customerId
    const stripe = await at.stripe()
    const customer = await stripe.customers.create(
      { ...(user.email ? { email: user.email } : {}), metadata: { userId } },
      // With the address, since the provider refuses a key that comes again with another request.
      { idempotencyKey: ['customer', userId, replacing ?? '', user.email ?? ''].join('-').slice(0, 255) },
    )
    return keepCustomer(pool, { userId, customerId: customer.id, replacing })
  }

  /** Reserves a page, or finds the one that was opened for the same wish a moment ago. */
  async function reserve(userId: string, priceId: string) {
    return inTransaction(pool, async (tx) => {
      await lockUser(tx, userId)
      const open = await findOpenPages(tx, userId, PAGE_FRESH_MINUTES)
      const same = open.find((page) => page.priceId === priceId && page.isFresh)
      const page = same ?? (await reserveSubscription(tx, { id: uuidv7(), userId, priceId }))
      return { page, others: open.filter(({ id }) => id !== page.id) }
    })
  }

  async function openPage(at: Provider, page: PaymentSessionRow, userId: string, tier: PaidTier, priceId: string) {
    const stripe = await at.stripe()
    const metadata = { paymentSessionId: page.id, tier }
    const create = (customer: string) =>
      stripe.checkout.sessions.create(
        {
          mode: 'subscription',
          customer,
          line_items: [{ price: priceId, quantity: 1 }],
          client_reference_id: userId,
          metadata,
          subscription_data: { metadata },
          success_url: back('success'),
          cancel_url: back('canceled'),
          expires_at: Math.floor(page.expiresAt.getTime() / 1000),
        },
        { idempotencyKey: `checkout-${page.id}-${customer}` },
      )
    const customer = await customerOf(at, userId, null)
    const session = await create(customer).catch(async (error: unknown) => {
      if (!isUnknownToProvider(error)) throw error
      // The customer was deleted there, or it is another account than before.
      return create(await customerOf(at, userId, customer))
    })
    const opened = { sessionId: session.id, url: session.url ?? '' }
    await writeProviderSession(pool, page.id, opened)
    return opened
  }

  /**
   * Makes sure that a page can't be paid any more; one that was paid meanwhile is read.
   * Otherwise whoever has two open could pay both.
   */
  async function close(at: Provider, sessionId: string): Promise<void> {
    const stripe = await at.stripe()
    await stripe.checkout.sessions.expire(sessionId).catch((error: unknown) => {
      const { statusCode } = error as { statusCode?: number }
      if (statusCode !== 400 && statusCode !== 404) throw error // it is not open any more, or not there
    })
    await createReading(deps, at).settlePage(sessionId)
  }

  async function portalPage(at: Provider, { customerId }: SubscriptionRow): Promise<PaymentPage> {
    const stripe = await at.stripe()
    const portal = await stripe.billingPortal.sessions.create({ customer: customerId, return_url: back('success') })
    return { sessionId: portal.id, url: portal.url }
  }

  /** A page on which a living subscription is changed to another price, with what that costs now. */
  async function changePage(at: Provider, subscription: SubscriptionRow, priceId: string): Promise<PaymentPage> {
    const stripe = await at.stripe()
    const { items } = await stripe.subscriptions.retrieve(subscription.id)
    const portal = await stripe.billingPortal.sessions.create({
      customer: subscription.customerId,
      return_url: back('success'),
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

  async function start(at: Provider, userId: string, tier: PaidTier, attempts = 3): Promise<PaymentPage> {
    if (attempts === 0) throw unavailable('Your former payment is still being settled.', RETRY_AFTER_SECONDS)
    const again = () => start(at, userId, tier, attempts - 1)
    const priceId = at.priceOf(tier)
    const living = await findLiving(userId)
    if (living && !givesTier(living)) return portalPage(at, living) // to be paid or taken up again there
    if (living?.tier === tier)
      throw new ApiError(
        400,
        'already_subscribed',
        living.cancelAtPeriodEnd
          ? `You have tier ${tier} already. It ends with its period: in the portal it can be kept.`
          : `You have tier ${tier} already.`,
      )
    if (living) return changePage(at, living, priceId)

    const { page, others } = await reserve(userId, priceId)
    for (const { sessionId } of others) if (sessionId) await close(at, sessionId)
    if (!page.sessionId) {
      if (others.length && (await findLiving(userId))) return again()
      return openPage(at, page, userId, tier, priceId)
    }
    const stripe = await at.stripe()
    const session = await stripe.checkout.sessions.retrieve(page.sessionId).catch((error: unknown) => {
      if (!isUnknownToProvider(error)) throw error
    })
    if (session?.status === 'open' && session.url) return { sessionId: session.id, url: session.url }
    // Paid, expired or gone, and we have not been told yet.
    await createReading(deps, at).settlePage(page.sessionId)
    return again()
  }

  return {
    async start(userId, tier) {
      if (!provider) throw billingIsOff()
      return ask(() => start(provider, userId, tier))
    },
  }
}
