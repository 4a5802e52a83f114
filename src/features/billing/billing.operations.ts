// The operations of billing. None holds a transaction while the payment provider is asked.
import type Stripe from 'stripe'
import type { Deps } from '../../deps.ts'
import type { Db } from '../../platform/db/pool.ts'
import { ApiError, notFound } from '../../platform/http/errors.ts'
import { operation } from '../../platform/http/operation.ts'
import { RATE_LIMITS, TIERS } from '../api-keys/index.ts'
import {
  BILLING_UNAVAILABLE,
  CheckoutOrder,
  CheckoutParams,
  CheckoutSession,
  CheckoutState,
  Portal,
  Prices,
  ReceivedEvent,
  SignedEvent,
  Subscription,
} from './billing.schema.ts'
import { createCheckout } from './checkout.service.ts'
import { receiveEvent, SIGNATURE_MAX_AGE_SECONDS } from './events.service.ts'
import { findCheckoutState } from './payments.store.ts'
import { createPriceList } from './prices.service.ts'
import { callProvider, isUnknownCustomer, type Provider, requireProvider, returnRefusal } from './provider.ts'
import { blocksNewSubscription, idOf, mainSubscriptionOf } from './provider-objects.ts'
import { createProviderSync } from './provider-sync.service.ts'
import { findBillingUser, findSubscriptionsOf } from './subscriptions.store.ts'

const common = { tag: 'Billing', access: 'session', transaction: false } as const

const noSubscription = (message: string) => new ApiError(400, 'no_subscription', message)

/** Reads our own tables only, so that it works while the provider is off or down. */
async function findTierAndSubscription(db: Db, userId: string, { canSubscribe }: { canSubscribe: boolean }) {
  const user = await findBillingUser(db, userId)
  const subscription = mainSubscriptionOf(await findSubscriptionsOf(db, userId))
  return {
    canSubscribe,
    tiers: TIERS.map((name) => ({ name, rateLimit: RATE_LIMITS[name] })),
    tier: user?.tier ?? 'free',
    status: subscription?.status ?? 'none',
    currentPeriodEnd: subscription?.currentPeriodEnd ?? null,
    cancelAtPeriodEnd: subscription?.cancelAtPeriodEnd ?? false,
  }
}

/**
 * A schedule, as of a downgrade at the end of the period, allows no other change: it is released first, which
 * drops the downgrade.
 */
async function cancelAtPeriodEnd(stripe: Stripe, id: string): Promise<void> {
  const schedule = idOf((await stripe.subscriptions.retrieve(id)).schedule)
  if (schedule) await stripe.subscriptionSchedules.release(schedule)
  await stripe.subscriptions.update(id, { cancel_at_period_end: true })
}

/**
 * Cancels a user's subscriptions at the end of their period. One that the provider refuses to change has ended there,
 * which the read writes.
 * @returns false if the user has none
 * @throws StripeError if the provider fails
 */
async function cancelSubscriptions(
  deps: Pick<Deps, 'pool' | 'jobs' | 'log'>,
  provider: Provider,
  userId: string,
): Promise<boolean> {
  const findUnended = async () => (await findSubscriptionsOf(deps.pool, userId)).filter(blocksNewSubscription)
  const stripe = await provider.stripe()
  for (const { id } of await findUnended()) {
    const refusal = await cancelAtPeriodEnd(stripe, id).then(() => undefined, returnRefusal)
    await createProviderSync(deps, provider).apply({ kind: 'subscription', id })
    if (refusal && (await findUnended()).some((subscription) => subscription.id === id)) throw refusal
  }
  return (await findUnended()).length > 0
}

/**
 * If no provider is configured, what our own tables answer still works, and the rest answers 503 `billing_unavailable`.
 */
export function billingOperations(
  deps: Pick<Deps, 'pool' | 'jobs' | 'log' | 'settings'>,
  optionalProvider: Provider | undefined,
) {
  const readPrices = createPriceList()
  return [
    operation({
      method: 'get',
      path: '/billing/prices',
      operationId: 'listPrices',
      tag: 'Billing',
      summary: 'List what subscriptions cost',
      description: 'Up to ten minutes old.',
      crossOrigin: true,
      returns: Prices,
      ownErrors: BILLING_UNAVAILABLE,
      handle: async () => ({ prices: await readPrices(requireProvider(optionalProvider)) }),
    }),
    operation({
      ...common,
      method: 'get',
      path: '/user/subscription',
      operationId: 'getSubscription',
      summary: 'Get your tier and the subscription that gives it',
      returns: Subscription,
      handle: ({ db, actor }) =>
        findTierAndSubscription(db, actor.userId, { canSubscribe: optionalProvider !== undefined }),
    }),
    operation({
      ...common,
      method: 'post',
      path: '/billing/checkout',
      operationId: 'startCheckout',
      summary: 'Open a payment page to subscribe to a tier',
      description:
        'Ordering the same tier again within 30 minutes answers with the same page. Ordering another tier expires the first page, so ' +
        'that at most one can be paid; of two concurrent orders one is answered with `checkout_replaced`. If you have a subscription ' +
        'to another tier, the page changes it; to the same tier: `already_subscribed`.',
      body: CheckoutOrder,
      returns: CheckoutSession,
      codes: ['already_subscribed', 'checkout_replaced'],
      ownErrors: BILLING_UNAVAILABLE,
      handle: ({ actor, body }) => createCheckout(deps, requireProvider(optionalProvider))(actor.userId, body),
    }),
    operation({
      ...common,
      method: 'get',
      path: '/billing/checkout/{sessionId}',
      operationId: 'getCheckout',
      summary: 'Get the state of one of your checkout sessions',
      params: CheckoutParams,
      returns: CheckoutState,
      errors: [404],
      async handle({ db, actor: { userId }, params: { sessionId } }) {
        const state = await findCheckoutState(db, { sessionId, userId })
        if (!state) throw notFound('There is no such checkout session.')
        return state
      },
    }),
    operation({
      method: 'post',
      path: '/billing/webhook',
      operationId: 'receiveBillingEvent',
      tag: 'Billing',
      summary: 'Receive an event of the payment provider',
      description:
        `Signed in \`Stripe-Signature\`, at most ${SIGNATURE_MAX_AGE_SECONDS / 60} minutes ago. An event is stored once, however often ` +
        'it is sent, and applied by a worker.',
      rawBody: SignedEvent,
      unknownInput: 'ignored',
      unlimited: true,
      returns: ReceivedEvent,
      codes: ['bad_signature', 'bad_event'],
      ownErrors: BILLING_UNAVAILABLE,
      // A forged event must not cost a transaction.
      transaction: false,
      async handle({ req, rawBody }) {
        await receiveEvent(deps, requireProvider(optionalProvider), rawBody, req.get('stripe-signature') ?? '')
        return { received: true }
      },
    }),
    operation({
      ...common,
      method: 'delete',
      path: '/user/subscription',
      operationId: 'cancelSubscription',
      summary: 'Cancel your subscription at the end of the paid period; the tier stays until then',
      returns: Subscription,
      codes: ['no_subscription'],
      ownErrors: BILLING_UNAVAILABLE,
      async handle({ db, actor: { userId } }) {
        const provider = requireProvider(optionalProvider)
        if (!(await callProvider(() => cancelSubscriptions(deps, provider, userId))))
          throw noSubscription('You have no subscription.')
        return findTierAndSubscription(db, userId, { canSubscribe: true })
      },
    }),
    operation({
      ...common,
      method: 'post',
      path: '/user/subscription/portal',
      operationId: 'openSubscriptionPortal',
      summary: 'Open the payment provider’s page for your subscription, payment methods and invoices',
      returns: Portal,
      codes: ['no_subscription'],
      ownErrors: BILLING_UNAVAILABLE,
      async handle({ db, actor }) {
        const provider = requireProvider(optionalProvider)
        const customer = (await findBillingUser(db, actor.userId))?.customerId
        if (!customer)
          throw noSubscription('You have never had a subscription. Order one with POST /api/billing/checkout.')
        const return_url = deps.settings.BILLING_RETURN_URL
        return callProvider(async () => {
          const stripe = await provider.stripe()
          const page = await stripe.billingPortal.sessions.create({ customer, return_url }).catch((error: unknown) => {
            if (isUnknownCustomer(error))
              throw noSubscription(
                'The payment provider no longer has your data. Order with POST /api/billing/checkout.',
              )
            throw error
          })
          return { url: page.url }
        })
      },
    }),
  ]
}
