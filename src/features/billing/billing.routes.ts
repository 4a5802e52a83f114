// The endpoints of billing. An API key can't reach them; the provider's own proves itself by its signature.
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
      summary: 'Opens a payment page on which a tier is subscribed to',
      description:
        'The same tier within 30 minutes gives the same page. Ordering another tier expires the page of the first, so that ' +
        'at most one can be paid; of two orders at the same moment one is answered with `checkout_replaced`. With a ' +
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
      summary: 'Where the payment provider reports; nobody else can',
      description:
        'Signed in `Stripe-Signature`, at most 5 minutes ago. An event is stored once, however often it comes, and applied ' +
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
      summary: 'Your tier, and the subscription that gives it',
      returns: Subscription,
      handle: ({ actor }) => subscriptions.show(actor.userId),
    }),
    route({
      ...common,
      method: 'delete',
      path: '/user/subscription',
      operationId: 'cancelSubscription',
      summary: 'Ends your subscription with the period that is paid; the tier stays until then',
      returns: Subscription,
      codes: ['no_subscription'],
      handle: ({ actor }) => subscriptions.cancel(actor.userId),
    }),
    route({
      ...common,
      method: 'post',
      path: '/user/subscription/portal',
      operationId: 'openSubscriptionPortal',
      summary: 'Opens the payment provider’s page for your subscription, means of payment and invoices',
      returns: Portal,
      codes: ['no_subscription'],
      handle: ({ actor }) => subscriptions.openPortal(actor.userId),
    }),
  ]
}
