// Translates the provider's objects. Pure: no database, no network.
import type Stripe from 'stripe'
import { TIERS, type Tier } from '../api-keys/index.ts'
import type { PaymentStatus } from './payments.store.ts'
import type { SubscriptionRow } from './subscriptions.store.ts'

/**
 * These give their tier. `past_due`: the provider retries the payment for some days, then cancels, which ends the tier.
 */
export const PAID_STATUSES = ['active', 'trialing', 'past_due']
/** These never change again. */
export const ENDED_STATUSES = ['canceled', 'incomplete_expired']

export const givesTier = ({ status }: { status: string }) => PAID_STATUSES.includes(status)
export const isEnded = ({ status }: { status: string }) => ENDED_STATUSES.includes(status)

/** Subscriptions that give one of our tiers, the earliest first: of several, that one is kept. */
export function activeSubscriptions(subscriptions: readonly SubscriptionRow[]): SubscriptionRow[] {
  return subscriptions
    .filter((subscription) => givesTier(subscription) && subscription.tier !== 'free')
    .sort((a, b) => a.startedAt.getTime() - b.startedAt.getTime() || (a.id < b.id ? -1 : 1))
}

const rankOf = (tier: Tier) => TIERS.indexOf(tier)

/** The highest tier that a user pays for. */
export function paidTierOf(subscriptions: readonly SubscriptionRow[]): Tier {
  return subscriptions
    .filter(givesTier)
    .reduce<Tier>((best, { tier }) => (rankOf(tier) > rankOf(best) ? tier : best), 'free')
}

/**
 * Whether a second subscription in addition to it would be a duplicate. An incomplete one was never
 * paid and ends by itself.
 */
export const blocksNewSubscription = (subscription: SubscriptionRow) =>
  !isEnded(subscription) && subscription.status !== 'incomplete'

/** The subscription to show: the one that gives the tier, else the newest that has not ended. */
export function mainSubscriptionOf(subscriptions: readonly SubscriptionRow[]): SubscriptionRow | undefined {
  const unended = subscriptions.filter((subscription) => !isEnded(subscription))
  const paid = unended.filter(givesTier).sort((a, b) => rankOf(b.tier) - rankOf(a.tier))
  return paid[0] ?? unended[0]
}

/**
 * @param tierOf the tier of a price
 * @throws Error that names what an item lacks: API versions and stand-ins of the provider differ in their items
 */
export function toSubscriptionRow(
  subscription: Stripe.Subscription,
  tierOf: (priceId: string) => Tier,
): Omit<SubscriptionRow, 'userId'> {
  const items = subscription.items.data
  const unpriced = items.find(({ price }) => !price?.id)
  if (unpriced) throw new Error(`subscription ${subscription.id}: its item ${unpriced.id} has no price`)
  if (items.length === 0) throw new Error(`subscription ${subscription.id} has no items`)
  const best = items.reduce((a, b) => (rankOf(tierOf(b.price.id)) > rankOf(tierOf(a.price.id)) ? b : a))
  return {
    id: subscription.id,
    customerId: idOf(subscription.customer) ?? '',
    priceId: best.price.id,
    tier: tierOf(best.price.id),
    status: subscription.status,
    startedAt: new Date(subscription.created * 1000),
    currentPeriodEnd: new Date(best.current_period_end * 1000),
    // The provider's newer way to say the same is a date. A later one is after a renewal.
    cancelAtPeriodEnd:
      subscription.cancel_at_period_end ||
      (subscription.cancel_at !== null && subscription.cancel_at <= best.current_period_end),
  }
}

type Dispute = Pick<Stripe.Dispute, 'status' | 'payment_method_details'>

/** Who has the money, or will have it unless the dispute is decided otherwise. Inquiries (`warning_…`) move none. */
const MONEY_OF_DISPUTES = new Map<string, 'payer' | 'seller'>([
  ['warning_needs_response', 'seller'],
  ['warning_under_review', 'seller'],
  ['warning_closed', 'seller'],
  ['needs_response', 'payer'],
  ['under_review', 'payer'],
  ['appeal_needs_response', 'payer'],
  ['appeal_under_review', 'payer'],
  ['won', 'seller'],
  ['lost', 'payer'],
])

/**
 * `prevented`: ended before it became a chargeback (docs.stripe.com/disputes/prevention). A `block` made the payer's
 * bank drop it, a `resolution` gave the money back.
 */
function moneyOf({ status, payment_method_details: details }: Dispute): 'payer' | 'seller' | undefined {
  if (status === 'prevented') return details?.card?.case_type === 'block' ? 'seller' : 'payer'
  return MONEY_OF_DISPUTES.get(status)
}

/** Whether a dispute takes, or may take, the money back. */
export const isLosing = (dispute: Dispute): boolean => moneyOf(dispute) === 'payer'

/** Whether a dispute has taken the money back for good. */
export const isLost = (dispute: Dispute): boolean =>
  isLosing(dispute) && (dispute.status === 'lost' || dispute.status === 'prevented')

/** Whether a dispute has a status that this release does not know. It counts as none. */
export const isUnknownDispute = (dispute: Dispute): boolean => moneyOf(dispute) === undefined

/**
 * @param session with `payment_intent.latest_charge` expanded
 * @param disputes of its payment
 */
export function readPayment(
  session: Stripe.Checkout.Session,
  disputes: readonly Dispute[],
): { status: PaymentStatus; paymentId: string | null; isProcessing?: boolean } {
  const paymentId = idOf(session.payment_intent)
  if (session.status === 'expired') return { status: 'expired', paymentId: null }
  if (session.status !== 'complete') return { status: 'open', paymentId }
  // The subscription has its own status, and says whether a bank debit of it arrived.
  if (session.mode === 'subscription')
    return { status: 'paid', paymentId: null, isProcessing: session.payment_status === 'unpaid' }
  // A bank transfer: paid in some days, or refused; then the page is as good as expired, and another can be opened.
  if (session.payment_status === 'unpaid')
    return isPaymentFailed(session)
      ? { status: 'expired', paymentId: null }
      : { status: 'open', paymentId, isProcessing: true }
  if (disputes.some(isLosing)) return { status: 'disputed', paymentId }
  return { status: chargeOf(session)?.refunded ? 'refunded' : 'paid', paymentId }
}

function isPaymentFailed({ payment_intent: payment }: Stripe.Checkout.Session): boolean {
  if (!payment || typeof payment === 'string') return false
  return payment.status === 'requires_payment_method' || payment.status === 'canceled'
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
