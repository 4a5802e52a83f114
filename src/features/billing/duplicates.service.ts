// Of several active subscriptions of one account the earliest is kept; the others, and those that were paid after their
// account was deleted, are canceled and refunded, each once (docs/decisions/0017-one-subscription.md).
import type { Deps } from '../../deps.ts'
import { inTransaction } from '../../platform/db/pool.ts'
import { recordAction } from '../audit/index.ts'
import { type Mail, mail } from '../mail/index.ts'
import type { DuplicateSubscriptionsJob } from './billing.jobs.ts'
import { formatAmount } from './currency.ts'
import {
  type DuplicateRow,
  deleteDuplicate,
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
import { activeSubscriptions, isEnded } from './provider-objects.ts'
import { createProviderSync } from './provider-sync.service.ts'
import { findSubscriptionsOf, lockUser } from './subscriptions.store.ts'

export function createDuplicates(deps: Pick<Deps, 'pool' | 'jobs' | 'log'>, provider: Provider) {
  const { pool, jobs, log } = deps
  const providerSync = createProviderSync(deps, provider)

  /**
   * @returns false if the provider does not have the subscription: the key may belong to another account than before
   */
  async function refreshIfKnown(id: string): Promise<boolean> {
    try {
      await providerSync.refreshSubscription(id)
      return true
    } catch (error) {
      if (isUnknownToProvider(error)) return false
      throw error
    }
  }

  /** Reads before it decides: a subscription that has just ended does not make the next one a duplicate. */
  async function recordDuplicates(userId: string): Promise<void> {
    const active = activeSubscriptions(await findSubscriptionsOf(pool, userId))
    if (active.length < 2) return
    const confirmed: string[] = []
    for (const { id } of active) if (await refreshIfKnown(id)) confirmed.push(id)
    await inTransaction(pool, async (tx) => {
      await lockUser(tx, userId)
      const now = activeSubscriptions(await findSubscriptionsOf(tx, userId))
      const [kept, ...later] = now.filter(({ id }) => confirmed.includes(id))
      if (!kept) return
      for (const { id } of later) await insertDuplicate(tx, { subscriptionId: id, keptSubscriptionId: kept.id, userId })
    })
  }

  /** Reads the subscription that is kept; one that has ended since makes none a duplicate. */
  async function isKeptActive({ keptSubscriptionId, userId }: DuplicateRow): Promise<boolean> {
    if (!userId || !keptSubscriptionId) return true // of a deleted account none is kept
    if (!(await refreshIfKnown(keptSubscriptionId))) return false
    return activeSubscriptions(await findSubscriptionsOf(pool, userId)).some(({ id }) => id === keptSubscriptionId)
  }

  /** @returns undefined for one that is no longer a duplicate */
  async function cancelAndRefund(duplicate: DuplicateRow): Promise<Refund | undefined> {
    const { subscriptionId } = duplicate
    const stripe = await provider.stripe()
    const subscription = await stripe.subscriptions.retrieve(subscriptionId)
    if (!isEnded(subscription)) {
      if (!(await isKeptActive(duplicate))) return undefined
      await stripe.subscriptions.cancel(subscriptionId)
    }
    await providerSync.refreshSubscription(subscriptionId)
    return refundCurrentPeriod({ stripe, log }, subscription)
  }

  async function resolveOne(duplicate: DuplicateRow): Promise<void> {
    const { subscriptionId, keptSubscriptionId, userId } = duplicate
    const refund = await cancelAndRefund(duplicate)
    if (!refund) {
      await deleteDuplicate(pool, subscriptionId)
      log.info(duplicate, 'the first subscription has ended, so the second one stays')
      return
    }
    const { isDisputed, isUnpaid } = refund
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
      await jobs.enqueue(tx, mail, [{ kind: 'duplicate-subscription', userId, subscriptionId, isDisputed, isUnpaid }])
      return true
    })
    if (isNews) log.warn({ ...duplicate, ...refund }, 'canceled and refunded a subscription that buys nothing')
  }

  return {
    /**
     * Cancels and refunds one recorded subscription or, after reading all of a user, all active ones but the
     * earliest. Idempotent.
     * @throws StripeError if the provider fails, so that the job is retried
     */
    async resolve(job: DuplicateSubscriptionsJob): Promise<void> {
      if ('subscriptionId' in job) {
        const duplicate = await findDuplicate(pool, job.subscriptionId)
        if (duplicate) await resolveOne(duplicate)
        return
      }
      await recordDuplicates(job.userId)
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

/**
 * The mail of kind `duplicate-subscription`.
 * @returns undefined if the account has no verified address, or is banned
 */
export async function writeDuplicateSubscription(
  { pool }: Pick<Deps, 'pool'>,
  { subscriptionId, isDisputed, isUnpaid }: { subscriptionId: string; isDisputed: boolean; isUnpaid: boolean },
): Promise<Mail | undefined> {
  const resolved = await findResolvedDuplicate(pool, subscriptionId)
  if (!resolved) return undefined
  const { email, username, tier, keptTier, refundedCents, currency } = resolved
  const outcomes = [
    currency &&
      `Its payment of ${formatAmount(refundedCents, currency)} was refunded. The refund reaches your card within some days.`,
    isDisputed && 'Its payment is disputed, so it was not refunded: the bank decides about it.',
    isUnpaid && 'Its payment has not arrived yet. If it arrives, it is refunded.',
  ].filter(Boolean)
  return {
    to: email,
    subject: 'Your second subscription was canceled',
    text: [
      `Hello ${username},`,
      `a second subscription (tier ${tier}) began while your first one (tier ${keptTier}) was active. An account has one subscription, so the second one was canceled. ${outcomes.join(' ') || 'Nothing was charged for it.'}`,
      `Your first subscription continues. To change its tier, order the other tier: the payment page then changes the subscription.`,
    ].join('\n\n'),
  }
}
