// One-time payments for other features: a page on which one amount can be paid once, and a job that reports the result.
import { v7 as uuidv7 } from 'uuid'
import type { Deps } from '../../deps.ts'
import { inTransaction } from '../../platform/db/pool.ts'
import { type PaymentSessionRow, reservePayment, setExpiredAside, writeProviderSession } from './payments.sql.ts'
import { ask, billingIsOff, type Provider } from './provider.ts'
import { createReading } from './reading.service.ts'

/** The provider's maximum: eight digits. */
export const MAX_AMOUNT_CENTS = 99_999_999

export interface PaymentOrder {
  userId: string
  /** Whole cents, 1 to 99,999,999. */
  amountCents: number
  /** ISO 4217, case-insensitive. */
  currency: string
  /** Text for the payer. */
  description: string
  /** Returned in `payment-settled`. */
  reference: string
  successUrl: string
  cancelUrl: string
  /** Repeated calls with one key return the same page, and a new one after it has expired unpaid. */
  idempotencyKey: string
  /**
   * Until when it can be paid, within the provider's bounds of 30 minutes to 24 hours from now. So a page may stay open
   * for half an hour longer, and longer offers need another call.
   */
  expiresAt: Date
}

export interface PaymentPage {
  sessionId: string
  url: string
}

export interface Payments {
  /**
   * @throws RangeError for an amount that is out of bounds or not a whole number; ApiError 503 if the provider is off
   * or down
   */
  createPaymentSession(order: PaymentOrder): Promise<PaymentPage>
}

export function createPayments(
  deps: Pick<Deps, 'pool' | 'jobs' | 'log' | 'clock'>,
  provider: Provider | undefined,
): Payments {
  const { pool, clock } = deps

  async function reserve(order: PaymentOrder): Promise<PaymentSessionRow> {
    return inTransaction(pool, async (tx) => {
      await setExpiredAside(tx, order.idempotencyKey)
      return reservePayment(tx, { ...order, id: uuidv7(), currency: order.currency.toLowerCase() })
    })
  }

  async function open(at: Provider, order: PaymentOrder, row: PaymentSessionRow): Promise<PaymentPage> {
    const stripe = await at.stripe()
    const metadata = { paymentSessionId: row.id }
    const session = await stripe.checkout.sessions.create(
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
        // The reservation's values, so that all concurrent callers send the same request.
        expires_at: Math.floor(row.expiresAt.getTime() / 1000),
      },
      { idempotencyKey: `payment-${row.id}` },
    )
    const page = { sessionId: session.id, url: session.url ?? '' }
    await writeProviderSession(pool, row.id, page)
    return page
  }

  return {
    async createPaymentSession(order) {
      const { amountCents } = order
      if (!(Number.isInteger(amountCents) && amountCents >= 1 && amountCents <= MAX_AMOUNT_CENTS))
        throw new RangeError(`${amountCents} is not a payable amount in cents`)
      if (!provider) throw billingIsOff()
      return ask(async () => {
        let row = await reserve(order)
        if (row.sessionId && row.status === 'open' && row.expiresAt.getTime() <= clock()) {
          // Paid in its last minute, or expired: only the provider knows.
          await createReading(deps, provider).settlePage(row.sessionId)
          row = await reserve(order)
        }
        if (row.amountCents !== amountCents || row.reference !== order.reference)
          throw new Error(`the idempotency key of payment ${row.id} is used for another payment`)
        return row.sessionId && row.url ? { sessionId: row.sessionId, url: row.url } : open(provider, order, row)
      })
    },
  }
}
