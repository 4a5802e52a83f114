// Requests and responses of billing.
import * as z from 'zod'
import { Timestamp } from '../../platform/http/timestamp.ts'
import { Language } from '../../platform/language.ts'
import { TIERS } from '../api-keys/index.ts'

/** The error of operations that need the payment provider while billing is off. */
export const BILLING_UNAVAILABLE = { billing_unavailable: { status: 503, fields: z.object({}) } } as const

const PAID_TIERS = TIERS.filter((tier) => tier !== 'free')

/** The languages of the return page. */
export const PageLanguage = Language.optional().describe(
  'Of the payment page and the page it leads back to; default: the browser’s',
)
export type PageLanguage = z.output<typeof PageLanguage>

export const CheckoutOrder = z.object({
  tier: z.enum(PAID_TIERS, `must be one of ${PAID_TIERS.join(', ')}`),
  language: PageLanguage,
})

export const PRICE_INTERVALS = ['day', 'week', 'month', 'year'] as const

export const Price = z
  .object({
    tier: z.enum(PAID_TIERS),
    rateLimit: z.int().describe('Requests per minute with API keys'),
    amountCents: z.int().min(0).describe('Hundredths of the currency, for one period'),
    currency: z
      .string()
      .meta({ examples: ['USD'] })
      .describe('ISO 4217'),
    interval: z.enum(PRICE_INTERVALS).describe('Of the period'),
    intervalCount: z.int().min(1).describe('How many intervals a period has'),
  })
  .meta({ id: 'Price' })
export type Price = z.output<typeof Price>
export const Prices = z.object({
  prices: z.array(Price).describe('Of the tiers that can be ordered, cheapest tier first'),
})

export const CheckoutSession = z
  .object({ sessionId: z.string(), url: z.url().describe('Page at the payment provider') })
  .meta({ id: 'CheckoutSession' })

export const CheckoutParams = z.object({
  sessionId: z.string().describe('As `startCheckout` answered it'),
})

export const PAYMENT_STATUSES = ['open', 'paid', 'expired', 'refunded', 'disputed'] as const

export const CheckoutState = z
  .object({
    status: z
      .enum(PAYMENT_STATUSES)
      .describe(
        '`open`: no payment is known yet; `expired`: it can no longer be paid; `disputed`: the payer disputes the payment. Follows ' +
          'the payment provider within seconds',
      ),
    isProcessing: z.boolean().describe('Whether a payment is on its way that takes days, such as a bank debit'),
  })
  .meta({ id: 'CheckoutState' })

export const Subscription = z
  .object({
    canSubscribe: z.boolean().describe('Whether subscriptions can be ordered here (`startCheckout`)'),
    tiers: z
      .array(z.object({ name: z.enum(TIERS), rateLimit: z.int().describe('Requests per minute, as of API keys') }))
      .describe('What each tier allows, least first'),
    tier: z.enum(TIERS).describe('Tier of your API keys’ limits'),
    status: z
      .string()
      .meta({ examples: ['none', 'active', 'trialing', 'past_due', 'unpaid', 'incomplete', 'paused'] })
      .describe('Status at the payment provider; `none` without a subscription'),
    currentPeriodEnd: Timestamp.nullable().describe(
      'End of the current period; for `past_due`, of the period whose payment is being retried',
    ),
    cancelAtPeriodEnd: z.boolean().describe('Whether it ends then instead of being renewed'),
  })
  .meta({ id: 'Subscription' })

export const Portal = z.object({ url: z.url().describe('Page at the payment provider') })

export const ReceivedEvent = z.object({ received: z.boolean() })

/** Described, not validated: the signature is checked over the bytes. */
export const SignedEvent = z.looseObject({ id: z.string(), type: z.string() })
