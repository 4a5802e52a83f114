// One-time payments for other rooms: a page on which exactly one amount can be paid once, and what became of it as a job.
import { v7 as uuidv7 } from 'uuid'
import type { Deps } from '../../deps.ts'
import { reservePayment, writeProviderSession } from './payments.sql.ts'
import { ask, billingIsOff, type Provider } from './provider.ts'

/** What the provider takes at most: eight digits. */
export const MAX_AMOUNT_CENTS = 99_999_999

export interface PaymentOrder {
  userId: string
  email?: string | undefined
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
  /** One key, one page: asked again, the same is answered. */
  idempotencyKey: string
  /** Until when it can be paid. The provider's bounds hold: between 30 minutes and 24 hours from now. */
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

export function createPayments({ pool }: Pick<Deps, 'pool'>, provider: Provider | undefined): Payments {
  return {
    async createPaymentSession(order) {
      const { amountCents } = order
      if (!(Number.isInteger(amountCents) && amountCents >= 1 && amountCents <= MAX_AMOUNT_CENTS))
        throw new RangeError(`${amountCents} is no amount in cents that can be paid`)
      if (!provider) throw billingIsOff()
      const reserved = await reservePayment(pool, { ...order, id: uuidv7(), currency: order.currency.toLowerCase() })
      if (reserved.sessionId && reserved.url) return { sessionId: reserved.sessionId, url: reserved.url }
      if (reserved.amountCents !== amountCents || reserved.reference !== order.reference)
        throw new Error(`the idempotency key of payment ${reserved.id} is used for another payment`)
      const metadata = { paymentSessionId: reserved.id }
      const session = await ask(async () =>
        (await provider.stripe()).checkout.sessions.create(
          {
            mode: 'payment',
            line_items: [
              {
                quantity: 1,
                price_data: {
                  currency: reserved.currency ?? order.currency,
                  unit_amount: amountCents,
                  product_data: { name: order.description },
                },
              },
            ],
            ...(order.email ? { customer_email: order.email } : {}),
            client_reference_id: order.userId,
            metadata,
            payment_intent_data: { metadata },
            success_url: order.successUrl,
            cancel_url: order.cancelUrl,
            // The reservation's, so that everybody who asks for it at the same time sends the same.
            expires_at: Math.floor(reserved.expiresAt.getTime() / 1000),
          },
          { idempotencyKey: `payment-${reserved.id}` },
        ),
      )
      const page = { sessionId: session.id, url: session.url ?? '' }
      await writeProviderSession(pool, reserved.id, page)
      return page
    },
  }
}
