// One-time payments for other features: a page on which exactly one amount can be paid once, and its outcome
// is reported by a job.
import type Stripe from 'stripe'
import { v7 as uuidv7 } from 'uuid'
import type { Deps } from '../../deps.ts'
import { inTransaction } from '../../platform/db/pool.ts'
import { ApiError, unavailable } from '../../platform/http/errors.ts'
import type { PageLanguage } from './billing.schema.ts'
import { findPagesToRead } from './one-time-payments.store.ts'
import { createPaymentPages } from './pages.service.ts'
import { type PaymentPage, type PaymentSessionRow, releaseExpiredKey, reservePayment } from './payments.store.ts'
import { callProvider, idempotencyKeyOf, type Provider, RETRY_AFTER_SECONDS, requireProvider } from './provider.ts'
import { createProviderSync } from './provider-sync.service.ts'

/** The provider's limit: eight digits. */
const MAX_AMOUNT_CENTS = 99_999_999

export interface PaymentOrder {
  userId: string
  /** Whole cents, 1 to 99,999,999. */
  amountCents: number
  /** ISO 4217, in any case. */
  currency: string
  /** Shown to the payer. */
  description: string
  /** Returned in `payment-settled`. */
  reference: string
  successUrl: string
  /** Default: the browser's. */
  language?: PageLanguage
  cancelUrl: string
  /** The same key gives the same page; a new one once that has expired unpaid. */
  idempotencyKey: string
  /**
   * Until when it can be paid. The provider accepts 30 minutes to 24 hours from now: a page may outlive this by half an
   * hour, and a longer time takes several pages.
   */
  expiresAt: Date
}

export type Payments = ReturnType<typeof createPayments>

export function createPayments(
  deps: Pick<Deps, 'pool' | 'jobs' | 'log' | 'clock'>,
  optionalProvider: Provider | undefined,
) {
  const { pool, clock } = deps

  async function reserve(order: PaymentOrder): Promise<PaymentSessionRow> {
    return inTransaction(pool, async (tx) => {
      await releaseExpiredKey(tx, order.idempotencyKey)
      return reservePayment(tx, { ...order, id: uuidv7(), currency: order.currency.toLowerCase() })
    })
  }

  async function create(
    provider: Provider,
    order: PaymentOrder,
    row: PaymentSessionRow,
  ): Promise<Stripe.Checkout.Session> {
    const stripe = await provider.stripe()
    const metadata = { paymentSessionId: row.id }
    return stripe.checkout.sessions.create(
      {
        mode: 'payment',
        line_items: [
          {
            quantity: 1,
            price_data: {
              currency: order.currency.toLowerCase(),
              unit_amount: order.amountCents,
              product_data: { name: order.description },
            },
          },
        ],
        client_reference_id: order.userId,
        metadata,
        payment_intent_data: { metadata },
        success_url: order.successUrl,
        cancel_url: order.cancelUrl,
        ...(order.language && { locale: order.language }),
        // The reservation's, so that concurrent requests with this idempotency key are the same.
        expires_at: Math.floor(row.expiresAt.getTime() / 1000),
      },
      { idempotencyKey: idempotencyKeyOf(`payment-${row.id}`, row.attempt) },
    )
  }

  async function open(provider: Provider, order: PaymentOrder, row: PaymentSessionRow): Promise<PaymentPage> {
    const opened = await createPaymentPages(deps, provider).open(row, {
      create: (current) => create(provider, order, current),
      customer: async () => null,
      expiresAt: order.expiresAt,
    })
    if ('url' in opened) return opened
    throw unavailable('Your previous payment is still being processed.', RETRY_AFTER_SECONDS)
  }

  return {
    /** Whether the settings name a provider. */
    isOn: optionalProvider !== undefined,

    /** Whether the provider answers now. */
    async isReachable(): Promise<boolean> {
      try {
        await callProvider(async () =>
          (await requireProvider(optionalProvider).stripe()).checkout.sessions.list({ limit: 1 }),
        )
        return true
      } catch (error) {
        if (error instanceof ApiError) return false
        throw error
      }
    },

    /**
     * Applies what the provider says of the open pages of a payment, whose events may be late.
     * @throws ApiError 503 if the provider is down
     */
    async refreshOpenPages(reference: string): Promise<void> {
      const provider = requireProvider(optionalProvider)
      for (const sessionId of await findPagesToRead(pool, reference))
        await callProvider(() => createProviderSync(deps, provider).refreshPage(sessionId))
    },

    /**
     * @throws RangeError for an amount that is not a whole number of cents within bounds; ApiError 503
     * `billing_unavailable`, or `unavailable` if the provider is down
     */
    async createPaymentSession(order: PaymentOrder): Promise<PaymentPage> {
      const { amountCents } = order
      if (!(Number.isInteger(amountCents) && amountCents >= 1 && amountCents <= MAX_AMOUNT_CENTS))
        throw new RangeError(`${amountCents} is not an amount in cents that can be paid`)
      const provider = requireProvider(optionalProvider)
      return callProvider(async () => {
        let row = await reserve(order)
        if (row.sessionId && row.status === 'open' && row.expiresAt.getTime() <= clock()) {
          // Paid in its last minute, or expired: the provider knows.
          await createProviderSync(deps, provider).refreshPage(row.sessionId)
          row = await reserve(order)
        }
        if (row.amountCents !== amountCents || row.reference !== order.reference)
          throw new Error(`the idempotency key of payment ${row.id} is used for another payment`)
        return row.sessionId && row.url ? { sessionId: row.sessionId, url: row.url } : open(provider, order, row)
      })
    },
  }
}
