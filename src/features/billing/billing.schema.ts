// What the endpoints of billing take and return.
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
    tier: z.enum(TIERS).describe('Tier that limits your API keys'),
    status: z
      .string()
      .meta({ examples: ['none', 'active', 'trialing', 'past_due', 'unpaid', 'incomplete', 'paused'] })
      .describe('The payment provider’s status; `none` without a subscription'),
    currentPeriodEnd: z.iso.datetime({ precision: 3 }).nullable().describe('End of the paid period'),
    cancelAtPeriodEnd: z.boolean().describe('Whether the subscription ends then instead of renewing'),
  })
  .meta({ id: 'Subscription' })

export const Portal = z.object({ url: z.url().describe('Page at the payment provider') })

export const ReceivedEvent = z.object({ received: z.boolean() })

/** Described, not validated: the signature is verified over the raw bytes. */
export const SignedEvent = z.looseObject({ id: z.string(), type: z.string() })
