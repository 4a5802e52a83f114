// What the provider's objects mean here.
import type Stripe from 'stripe'
import { describe, expect, it } from 'vitest'
import { readPayment, toSubscriptionRow } from '../../../src/features/billing/provider-objects.ts'
import { stateOf } from '../../../src/features/site/components/payment.ts'

const PERIOD_END = 1_800_000_000

describe('a subscription', () => {
  it.each([
    ['has no date of cancellation', null, false],
    ['is to be canceled with its period', PERIOD_END, true],
    ['is to be canceled before', PERIOD_END - 1, true],
    ['is to be canceled after its next renewal', PERIOD_END + 1, false],
  ])('that %s: cancel_at %s, cancelAtPeriodEnd %s', (_, cancelAt, isLast) => {
    const subscription = {
      id: 'sub_1',
      customer: 'cus_1',
      status: 'active',
      created: PERIOD_END - 86_400,
      cancel_at: cancelAt,
      cancel_at_period_end: false,
      items: { data: [{ price: { id: 'price_1' }, current_period_end: PERIOD_END }] },
    } as unknown as Stripe.Subscription
    expect(toSubscriptionRow(subscription, () => 'premium').cancelAtPeriodEnd).toBe(isLast)
  })
})

describe('the page of a subscription', () => {
  it.each([
    ['paid', 'paid'],
    ['no_payment_required', 'paid'],
    ['unpaid', 'processing'],
  ] as const)('whose payment is %s says %s', (paymentStatus, state) => {
    const session = {
      mode: 'subscription',
      status: 'complete',
      payment_status: paymentStatus,
      payment_intent: null,
    } as unknown as Stripe.Checkout.Session
    const { status, isProcessing = false } = readPayment(session, [])
    expect([status, stateOf({ status, isProcessing })]).toEqual(['paid', state])
  })
})
