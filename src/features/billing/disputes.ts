// Reads the disputes of a charge at the provider.
import type Stripe from 'stripe'
import type { Log } from '../../platform/observability/log.ts'
import { isUnknownDispute } from './provider-objects.ts'

/** Empty for a charge that was never disputed. */
export async function findDisputes(
  { stripe, log }: { stripe: Stripe; log: Log },
  charge: Pick<Stripe.Charge, 'id' | 'disputed'> | undefined,
): Promise<Stripe.Dispute[]> {
  if (!charge?.disputed) return []
  const { data: disputes } = await stripe.disputes.list({ charge: charge.id, limit: 100 })
  for (const { id, status } of disputes.filter(isUnknownDispute))
    log.error(
      { disputeId: id, status },
      'a dispute has an unknown status, so its payment counts as not disputed: look at it',
    )
  return disputes
}
