// What the endpoints of billing take and return (interface.md §2 "Checkout session", api-decisions.md "Money").
import * as z from 'zod'
import { TIERS } from '../api-keys/index.ts'

const PAID_TIERS = TIERS.filter((tier) => tier !== 'free')

export const CheckoutOrder = z.object({
  tier: z.enum(PAID_TIERS, `must be one of ${PAID_TIERS.join(', ')}`),
})

export const CheckoutSession = z
  .object({ sessionId: z.string(), url: z.url().describe('Page at the payment provider') })
  .meta({ id: 'CheckoutSession' })

export const Subscription = z
  .object({
    tier: z.enum(TIERS).describe('What your API keys are limited by'),
    status: z
      .string()
      .meta({ examples: ['none', 'active', 'trialing', 'past_due', 'unpaid', 'incomplete', 'paused'] })
      .describe('As the payment provider calls it; `none` without a subscription'),
    currentPeriodEnd: z.iso.datetime({ precision: 3 }).nullable().describe('Until when it is paid'),
    cancelAtPeriodEnd: z.boolean().describe('Whether it ends then instead of being renewed'),
  })
  .meta({ id: 'Subscription' })

export const Portal = z.object({ url: z.url().describe('Page at the payment provider') })

export const ReceivedEvent = z.object({ received: z.boolean() })

/** Described, not validated: the bytes are verified as they came. */
export const SignedEvent = z.looseObject({ id: z.string(), type: z.string() })
