// Of several active subscriptions of one account the earliest is kept; the others, and those that were paid after their account
// was deleted, are canceled and refunded, each once (docs/decisions/0017-one-subscription.md).
import type { Deps } from '../../deps.ts'
import { inTransaction } from '../../platform/db/pool.ts'
import { recordAction } from '../audit/index.ts'
import { type Mail, mail } from '../mail/index.ts'
import type { DuplicatesOf } from './billing.jobs.ts'
import { formatAmount } from './currency.ts'
import {
  type DuplicateRow,
  findDuplicate,
  findDuplicatesOf,
  findLostDuplicates,
  findResolvedDuplicate,
  increaseRefund,
  insertDuplicate,
  markDuplicateResolved,
} from './duplicates.store.ts'
import { type Refund, refundCurrentPeriod } from './period-refund.ts'
import { isUnknownToProvider, type Provider } from './provider.ts'
import { createReading } from './reading.service.ts'
import { activeSubscriptions, isEnded } from './readings.ts'
import { findSubscriptionsOf, lockUser } from './subscriptions.store.ts'

export function createDuplicates(deps: Pick<Deps, 'pool' | 'jobs' | 'log'>, provider: Provider) {
  const { pool, jobs, log } = deps
  const reading = createReading(deps, provider)

  /** Reads a subscription; false if the provider does not have it: the key may belong to another account than before. */
  async function isThere(id: string): Promise<boolean> {
    try {
      await reading.refreshSubscription(id)
      return true
    } catch (error) {
      if (isUnknownToProvider(error)) return false
      throw error
    }
  }

  /** Reads before it decides: a subscription that has just ended does not make the next one a duplicate. */
  async function record(userId: string): Promise<void> {
    const active = activeSubscriptions(await findSubscriptionsOf(pool, userId))
    if (active.length < 2) return
    const confirmed: string[] = []
    for (const { id } of active) if (await isThere(id)) confirmed.push(id)
    await inTransaction(pool, async (tx) => {
      await lockUser(tx, userId)
      const now = activeSubscriptions(await findSubscriptionsOf(tx, userId))
      const [kept, ...later] = now.filter(({ id }) => confirmed.includes(id))
      if (!kept) return
      for (const { id } of later) await insertDuplicate(tx, { subscriptionId: id, keptSubscriptionId: kept.id, userId })
    })
  }

  async function cancelAndRefund({ subscriptionId }: DuplicateRow): Promise<Refund> {
    const stripe = await provider.stripe()
    const subscription = await stripe.subscriptions.retrieve(subscriptionId)
    if (!isEnded(subscription)) await stripe.subscriptions.cancel(subscriptionId)
    await reading.refreshSubscription(subscriptionId)
    return refundCurrentPeriod({ stripe, log }, subscription)
  }

  async function resolveOne(duplicate: DuplicateRow): Promise<void> {
    const { subscriptionId, keptSubscriptionId, userId } = duplicate
    const refund = await cancelAndRefund(duplicate)
    const isNews = await inTransaction(pool, async (tx) => {
      if (!(await markDuplicateResolved(tx, subscriptionId, refund))) return increaseRefund(tx, subscriptionId, refund)
      if (!userId) return true
      const details = { subscriptionId, keptSubscriptionId, refundedCents: refund.cents, currency: refund.currency }
      await recordAction(tx, {
        actorId: userId,
        action: 'subscription.refund',
        targetType: 'user',
        targetId: userId,
        details,
      })
      await jobs.enqueue(tx, mail, [{ kind: 'duplicate-subscription', userId, subscriptionId }])
      return true
    })
    if (isNews) log.warn({ ...duplicate, ...refund }, 'canceled and refunded a subscription that buys nothing')
  }

  return {
    /**
     * Cancels and refunds one recorded subscription or, after reading all of a user, all active ones but the earliest. Idempotent.
     * @throws StripeError if the provider fails, so that the job is retried
     */
    async resolve(job: DuplicatesOf): Promise<void> {
      if ('subscriptionId' in job) {
        const duplicate = await findDuplicate(pool, job.subscriptionId)
        if (duplicate) await resolveOne(duplicate)
        return
      }
      await record(job.userId)
      for (const duplicate of await findDuplicatesOf(pool, job.userId)) await resolveOne(duplicate)
    },

    /** Retries duplicates that were found more than 10 minutes ago; errors are logged. */
    async resolveLost(limit: number): Promise<void> {
      for (const duplicate of await findLostDuplicates(pool, limit))
        await resolveOne(duplicate).catch((err: unknown) =>
          log.error(
            { err, ...duplicate },
            'could not cancel and refund a subscription that buys nothing; the next sweep tries again',
          ),
        )
    },
  }
}

/** The mail of kind `duplicate-subscription`. @returns undefined if the account has no address */
export async function writeDuplicateSubscription(
  { pool }: Pick<Deps, 'pool'>,
  { subscriptionId }: { subscriptionId: string },
): Promise<Mail | undefined> {
  const resolved = await findResolvedDuplicate(pool, subscriptionId)
  if (!resolved) return undefined
  const { email, username, tier, keptTier, refundedCents, currency } = resolved
  const amount = currency && formatAmount(refundedCents, currency)
  return {
    to: email,
    subject: 'Your second subscription was canceled and refunded',
    text: [
      `Hello ${username},`,
      `a second subscription (tier ${tier}) began while your first one (tier ${keptTier}) was active. An account has one subscription, so the second one was canceled${amount ? `, and its payment of ${amount} was refunded. The refund reaches your card within some days` : '. Nothing was charged for it'}.`,
      `Your first subscription continues. To change its tier, order the other tier: the payment page then changes the subscription.`,
    ].join('\n\n'),
  }
}
