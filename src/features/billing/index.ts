// The door of billing: subscriptions that give a tier, and one-time payments for other rooms.
import type { Deps } from '../../deps.ts'
import { type BillingEvents, createBillingEvents } from './events.service.ts'
import { createPayments, type Payments } from './payments.service.ts'
import { createProvider } from './provider.ts'

export { type BillingEvent, billingEvent, billingSweep, type PaymentSettled, paymentSettled } from './billing.jobs.ts'
export type { BillingEvents } from './events.service.ts'
export type { PaymentOrder, PaymentPage, Payments } from './payments.service.ts'
export { isUnknownToProvider } from './provider.ts'

/** For workers: applies the provider's events. */
export const createBillingWorker = (deps: Deps): BillingEvents =>
  createBillingEvents(deps, createProvider(deps.settings))

export interface Billing {
  payments: Payments
}

export function createBilling(deps: Deps): Billing {
  const provider = createProvider(deps.settings)
  return { payments: createPayments(deps, provider) }
}
