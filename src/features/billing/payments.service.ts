// One-time payments for other features: a page on which exactly one amount can be paid once, and what became of it as a job.
import { v7 as uuidv7 } from 'uuid'
import type { Deps } from '../../deps.ts'
import { inTransaction } from '../../platform/db/pool.ts'
import { type PaymentSessionRow, reservePayment, setExpiredAside, writeProviderSession } from './payments.sql.ts'
import { ask, billingIsOff, type Provider } from './provider.ts'
import { createReading } from './reading.service.ts'

/** What the provider takes at most: eight digits. */
export const MAX_AMOUNT_CENTS = 99_999_999

export interface PaymentOrder {
  userId: string
  /** Whole cents, 1 to 99,999,999. */
  amountCents: number
  /** ISO 4217, in any case. */
  currency: string
  /** What the payer reads. */
  description: string
  /** Comes back in `payment-settled`. */
  reference: string
  successUrl: string
  cancelUrl: string
  /** One key, one page: asked again, the same is answered; a new one once that has expired unpaid. */
  idempotencyKey: string
  /**
   * Until when it can be paid. The provider's bounds hold, 30 minutes to 24 hours from now: so a page may outlive this by half
   * an hour, and what is open for longer is asked for again.
   */
  expiresAt: Date
}

export interface PaymentPage {
  sessionId: string
  url: string
}

export interface Payments {
  /** @throws RangeError for an amount that is no whole number of cents or out of bounds; ApiError 503 when the provider is off or down */
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
        // The reservation's, so that everybody who asks for it at the same time sends the same.
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
        throw new RangeError(`${amountCents} is no amount in cents that can be paid`)
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
