// Translates the provider's objects into this product's terms. Pure functions.
import type Stripe from 'stripe'
import { TIERS, type Tier } from '../api-keys/index.ts'
import type { PaymentStatus } from './payments.sql.ts'
import type { SubscriptionRow } from './subscriptions.sql.ts'

/**
 * Statuses that give a tier. past_due: the provider still retries the payment for some days; then it cancels, and the
 * tier ends.
 */
export const PAID_STATUSES = ['active', 'trialing', 'past_due']
/** Final statuses. */
export const ENDED_STATUSES = ['canceled', 'incomplete_expired']

export const givesTier = ({ status }: { status: string }) => PAID_STATUSES.includes(status)
export const isEnded = ({ status }: { status: string }) => ENDED_STATUSES.includes(status)

/** This product's subscriptions that give a tier, earliest first: of several, the first is kept. */
export function activeInOrder(subscriptions: readonly SubscriptionRow[]): SubscriptionRow[] {
  return subscriptions
    .filter((subscription) => givesTier(subscription) && subscription.tier !== 'free')
    .sort((a, b) => a.startedAt.getTime() - b.startedAt.getTime() || (a.id < b.id ? -1 : 1))
}

const rankOf = (tier: Tier) => TIERS.indexOf(tier)

/** The best tier that a user pays for. */
export function paidTierOf(subscriptions: readonly SubscriptionRow[]): Tier {
  return subscriptions
    .filter(givesTier)
    .reduce<Tier>((best, { tier }) => (rankOf(tier) > rankOf(best) ? tier : best), 'free')
}

/** Whether it prevents a second subscription. An incomplete one was never paid, and ends by itself. */
export const blocksNewSubscription = (subscription: SubscriptionRow) =>
  !isEnded(subscription) && subscription.status !== 'incomplete'

/** The subscription that the user sees: the one that gives the tier, else the newest that has not ended. */
export function mainSubscriptionOf(subscriptions: readonly SubscriptionRow[]): SubscriptionRow | undefined {
  const living = subscriptions.filter((subscription) => !isEnded(subscription))
  const paid = living.filter(givesTier).sort((a, b) => rankOf(b.tier) - rankOf(a.tier))
  return paid[0] ?? living[0]
}

/** @param tierOf the tier of a price */
export function readSubscription(
  subscription: Stripe.Subscription,
  tierOf: (priceId: string) => Tier,
): Omit<SubscriptionRow, 'userId'> {
  const items = subscription.items.data
  const best = items.reduce((a, b) => (rankOf(tierOf(b.price.id)) > rankOf(tierOf(a.price.id)) ? b : a))
  return {
    id: subscription.id,
    customerId: idOf(subscription.customer) ?? '',
    priceId: best.price.id,
    tier: tierOf(best.price.id),
    status: subscription.status,
    startedAt: new Date(subscription.created * 1000),
    currentPeriodEnd: new Date(best.current_period_end * 1000),
    // The provider's newer API expresses the same as a date.
    cancelAtPeriodEnd: subscription.cancel_at_period_end || subscription.cancel_at !== null,
  }
}

/** Disputes that take, or may take, the money back. Inquiries ("warning") and won disputes do not. */
const LOSING_DISPUTES = ['needs_response', 'under_review', 'lost', 'appeal_needs_response', 'appeal_under_review']

export const isLosing = ({ status }: Pick<Stripe.Dispute, 'status'>): boolean => LOSING_DISPUTES.includes(status)

/**
 * @param session with `payment_intent.latest_charge` expanded
 * @param disputes of its payment
 */
export function readPayment(
  session: Stripe.Checkout.Session,
  disputes: readonly Pick<Stripe.Dispute, 'status'>[],
): { status: PaymentStatus; paymentId: string | null } {
  const paymentId = idOf(session.payment_intent)
  if (session.status === 'expired') return { status: 'expired', paymentId: null }
  if (session.status !== 'complete') return { status: 'open', paymentId }
  // The payments of a subscription are handled separately.
  if (session.mode === 'subscription') return { status: 'paid', paymentId: null }
  if (session.payment_status === 'unpaid') return { status: 'open', paymentId } // a bank transfer takes some days
  if (disputes.some(isLosing)) return { status: 'disputed', paymentId }
  return { status: chargeOf(session)?.refunded ? 'refunded' : 'paid', paymentId }
}

/** The charge of a session's payment, if it is expanded. */
export function chargeOf(session: Stripe.Checkout.Session): Stripe.Charge | undefined {
  const payment = session.payment_intent
  const charge = payment && typeof payment !== 'string' ? payment.latest_charge : null
  return charge && typeof charge !== 'string' ? charge : undefined
}

/** The id of an object that may be expanded. */
export const idOf = (value: string | { id: string } | null | undefined): string | null =>
  typeof value === 'string' ? value : (value?.id ?? null)
