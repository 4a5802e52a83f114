// Billing: subscriptions that give a tier, and one-time payments for other features.
import type { Deps } from '../../deps.ts'
import { isUnadoptedCopy } from '../../platform/db/installation.ts'
import type { ReadinessCheck } from '../../platform/http/health.ts'
import type { Pages } from '../../platform/http/pages.ts'
import type { Route } from '../../platform/http/route.ts'
import { billingRoutes } from './billing.routes.ts'
import { createCheckout } from './checkout.service.ts'
import { type BillingEvents, createBillingEvents, createInbox } from './events.service.ts'
import { billingPages } from './pages.ts'
import { createPayments, type Payments } from './payments.service.ts'
import { createProvider, ON_A_COPY } from './provider.ts'
import { createSubscriptions } from './subscription.service.ts'

export {
  type BillingEvent,
  billingEvent,
  billingSweep,
  duplicateSubscriptions,
  type PaymentSettled,
  paymentRefund,
  paymentSettled,
} from './billing.jobs.ts'
export { writeDuplicateSubscription } from './duplicates.service.ts'
export type { BillingEvents } from './events.service.ts'
export type { PaymentOrder, Payments } from './payments.service.ts'
export { findPaymentStatus } from './payments.sql.ts'
export { isUnknownToProvider } from './provider.ts'
export { requestRefund } from './refunds.service.ts'
export { findRefundsOf, hasRefund } from './refunds.sql.ts'

/** For workers: applies the provider's events. */
export const createBillingWorker = (deps: Deps): BillingEvents => createBillingEvents(deps, createProvider(deps))

export interface Billing {
  routes: Route[]
  pages: Pages
  payments: Payments
  /** For /readyz: reports that payments are not set up, which does not make the process unready. */
  check: ReadinessCheck
}

export function createBilling(deps: Deps): Billing {
  const provider = createProvider(deps)
  return {
    routes: billingRoutes(
      createCheckout(deps, provider),
      createInbox(deps, provider),
      createSubscriptions(deps, provider),
    ),
    pages: billingPages,
    payments: createPayments(deps, provider),
    check: {
      name: 'billing',
      optional: true,
      async check() {
        if (!provider) return 'off: the setting STRIPE_SECRET_KEY is missing'
        return (await isUnadoptedCopy(deps.pool)) ? ON_A_COPY : undefined
      },
    },
  }
}
