// The endpoints of billing. API keys have no access; the provider's endpoint verifies a signature.
import { type Route, route } from '../../platform/http/route.ts'
import { CheckoutOrder, CheckoutSession, Portal, ReceivedEvent, SignedEvent, Subscription } from './billing.schema.ts'
import type { Checkout } from './checkout.service.ts'
import type { BillingInbox } from './events.service.ts'
import type { Subscriptions } from './subscription.service.ts'

const common = { tag: 'Billing', access: 'session' } as const

export function billingRoutes(checkout: Checkout, inbox: BillingInbox, subscriptions: Subscriptions): Route[] {
  return [
    route({
      ...common,
      method: 'post',
      path: '/billing/checkout',
      operationId: 'startCheckout',
      summary: 'Open a payment page for a subscription',
      description:
        'Another request for the same tier within 30 minutes returns the same page. Ordering another tier expires the first page, so that ' +
        'at most one can be paid; of two simultaneous orders one gets `checkout_replaced`. With a ' +
        'subscription to another tier the page is the one on which that is changed; to the same one: `already_subscribed`.',
      body: CheckoutOrder,
      returns: CheckoutSession,
      codes: ['already_subscribed', 'checkout_replaced'],
      handle: ({ actor, body }) => checkout.start(actor.userId, body.tier),
    }),
    route({
      method: 'post',
      path: '/billing/webhook',
      operationId: 'receiveBillingEvent',
      tag: 'Billing',
      summary: 'Receive an event of the payment provider',
      description:
        'Requires a valid `Stripe-Signature` that is at most 5 minutes old. A repeated event is stored once and applied ' +
        'by a worker.',
      rawBody: SignedEvent,
      unlimited: true,
      returns: ReceivedEvent,
      codes: ['bad_signature', 'bad_event'],
      async handle({ req, rawBody }) {
        await inbox.receive(rawBody, req.get('stripe-signature') ?? '')
        return { received: true as const }
      },
    }),
    route({
      ...common,
      method: 'get',
      path: '/user/subscription',
      operationId: 'getSubscription',
      summary: 'Get your tier and subscription',
      returns: Subscription,
      handle: ({ actor }) => subscriptions.show(actor.userId),
    }),
    route({
      ...common,
      method: 'delete',
      path: '/user/subscription',
      operationId: 'cancelSubscription',
      summary: 'Cancel your subscription at the end of the paid period; the tier stays until then',
      returns: Subscription,
      codes: ['no_subscription'],
      handle: ({ actor }) => subscriptions.cancel(actor.userId),
    }),
    route({
      ...common,
      method: 'post',
      path: '/user/subscription/portal',
      operationId: 'openSubscriptionPortal',
      summary: 'Open the payment provider’s page for your subscription, payment methods and invoices',
      returns: Portal,
      codes: ['no_subscription'],
      handle: ({ actor }) => subscriptions.openPortal(actor.userId),
    }),
  ]
}
