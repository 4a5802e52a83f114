// A user's subscription: its state, its cancellation, and the provider's portal for everything else.
import type * as z from 'zod'
import type { Deps } from '../../deps.ts'
import { ApiError } from '../../platform/http/errors.ts'
import type { Subscription } from './billing.schema.ts'
import { ask, billingIsOff, type Provider } from './provider.ts'
import { createReading } from './reading.service.ts'
import { blocksNewSubscription, mainSubscriptionOf } from './readings.ts'
import { findBillingUser, findSubscriptionsOf } from './subscriptions.sql.ts'

export interface Subscriptions {
  /** From our own tables, so it works while the provider is off or down. */
  show(userId: string): Promise<z.input<typeof Subscription>>
  /**
   * The subscription runs until the end of the paid period.
   * @throws ApiError 400 `no_subscription`; 503 if the provider is off or down
   */
  cancel(userId: string): Promise<z.input<typeof Subscription>>
  /** @throws ApiError 400 `no_subscription` for a user who never started to buy one; 503 as above */
  openPortal(userId: string): Promise<{ url: string }>
}

const noSubscription = (message: string) => new ApiError(400, 'no_subscription', message)

export function createSubscriptions(
  deps: Pick<Deps, 'pool' | 'jobs' | 'log' | 'settings'>,
  provider: Provider | undefined,
): Subscriptions {
  const { pool, settings } = deps

  async function show(userId: string): Promise<z.input<typeof Subscription>> {
    const user = await findBillingUser(pool, userId)
    const subscription = mainSubscriptionOf(await findSubscriptionsOf(pool, userId))
    return {
      tier: user?.tier ?? 'free',
      status: subscription?.status ?? 'none',
      currentPeriodEnd: subscription?.currentPeriodEnd?.toISOString() ?? null,
      cancelAtPeriodEnd: subscription?.cancelAtPeriodEnd ?? false,
    }
  }

  return {
    show,

    async cancel(userId) {
      if (!provider) throw billingIsOff()
      const living = (await findSubscriptionsOf(pool, userId)).filter(blocksNewSubscription)
      if (living.length === 0) throw noSubscription('You have no subscription.')
      await ask(async () => {
        const stripe = await provider.stripe()
        for (const { id } of living) {
          await stripe.subscriptions.update(id, { cancel_at_period_end: true })
          await createReading(deps, provider).apply({ kind: 'subscription', id })
        }
      })
      return show(userId)
    },

    async openPortal(userId) {
      if (!provider) throw billingIsOff()
      const customer = (await findBillingUser(pool, userId))?.customerId
      if (!customer) throw noSubscription('You never began a subscription: start with POST /api/billing/checkout.')
      const portal = await ask(async () =>
        (await provider.stripe()).billingPortal.sessions.create({ customer, return_url: settings.BILLING_RETURN_URL }),
      )
      return { url: portal.url }
    },
  }
}
