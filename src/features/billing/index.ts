// Billing: subscriptions that give a tier, and one-time payments for other features.
import type { Deps } from '../../deps.ts'
import { isUnadoptedCopy } from '../../platform/db/installation.ts'
import { billingOperations } from './billing.operations.ts'
import { createBillingEvents } from './events.service.ts'
import { createPayments } from './payments.service.ts'
import { createProvider, PAYMENTS_OFF_ON_A_COPY } from './provider.ts'

export { billingSweep, type PaymentSettled, paymentSettled } from './billing.jobs.ts'
export { BILLING_UNAVAILABLE, PageLanguage } from './billing.schema.ts'
export { writeDuplicateSubscription } from './duplicates.service.ts'
export {
  findPaidOrProcessing,
  findPayment,
  hasPayablePage,
  stopPaymentReports,
  wasPageOpened,
  wasPaid,
} from './one-time-payments.store.ts'
export type { PaymentOrder, Payments } from './payments.service.ts'
export type { PaymentPage } from './payments.store.ts'
export { personalData } from './personal-data.ts'
export { isUnknownToProvider } from './provider.ts'
export { requestRefund } from './refunds.service.ts'
export { findRefundsOf, hasRefund } from './refunds.sql.ts'

export type BillingWorker = ReturnType<typeof createBillingWorker>

/** The handlers of billing's jobs, for workers. */
export const createBillingWorker = (deps: Deps) => createBillingEvents(deps, createProvider(deps))

/** One-time payments, for workers. */
export const createWorkerPayments = (deps: Deps) => createPayments(deps, createProvider(deps))

export function createBilling(deps: Deps) {
  const provider = createProvider(deps)
  return {
    operations: billingOperations(deps, provider),
    payments: createPayments(deps, provider),
    /** A check of /readyz: reports that payments are off, without making the process unready. */
    check: {
      name: 'billing',
      optional: true,
      async check() {
        if (!provider) return 'off: the setting STRIPE_SECRET_KEY is missing'
        return (await isUnadoptedCopy(deps.pool)) ? PAYMENTS_OFF_ON_A_COPY : undefined
      },
    },
  }
}
