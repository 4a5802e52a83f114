// Reads an object at the provider and writes what follows from its current state. Idempotent, in any order.
import { validate as isUuid } from 'uuid'
import type { Deps } from '../../deps.ts'
import { type Db, inTransaction } from '../../platform/db/pool.ts'
import { duplicateSubscriptions, paymentSettled } from './billing.jobs.ts'
import { findDisputes } from './disputes.ts'
import { insertDuplicate, isDuplicate } from './duplicates.store.ts'
import { beginRead, type EventSubject, isLatestRead } from './events.store.ts'
import { findOpenSessionId, lockPaymentSession, writePaymentStatus } from './payments.store.ts'
import { isUnknownToProvider, type Provider } from './provider.ts'
import {
  activeSubscriptions,
  chargeOf,
  idOf,
  isEnded,
  paidTierOf,
  readPayment,
  toSubscriptionRow,
} from './provider-objects.ts'
import { completeRefund } from './refunds.sql.ts'
import {
  endUnreadSubscription,
  findOwner,
  findStoredPeriodEnd,
  findSubscriber,
  findSubscriptionsOf,
  lockUser,
  type SubscriptionRow,
  upsertSubscription,
  writePaidTier,
} from './subscriptions.store.ts'

export function createProviderSync({ pool, jobs, log }: Pick<Deps, 'pool' | 'jobs' | 'log'>, provider: Provider) {
  async function applySubscription(id: string, { reportsDuplicates = true } = {}): Promise<void> {
    const readNumber = await beginRead(pool, id)
    const stripe = await provider.stripe()
    const subscription = await stripe.subscriptions.retrieve(id)
    const row = toSubscriptionRow(subscription, provider.tierOf)
    const isOrphan = await inTransaction(pool, async (tx) => {
      if (!(await isLatestRead(tx, id, readNumber))) return false
      const owner = await findOwner(tx, {
        subscriptionId: id,
        customerId: row.customerId,
        paymentSessionId: uuidOf(subscription.metadata.paymentSessionId),
      })
      if (!owner) return false // sold by another product with the same account at the provider
      const user = owner.userId === null ? undefined : await lockUser(tx, owner.userId)
      const userId = user?.id ?? null
      if (!userId && (await isPaidForNothing(tx, row)))
        await insertDuplicate(tx, { subscriptionId: id, keptSubscriptionId: null, userId: null })
      await upsertSubscription(tx, { ...row, userId })
      const all = userId ? await findSubscriptionsOf(tx, userId) : []
      if (userId) await writePaidTier(tx, userId, paidTierOf(all))
      if (userId && reportsDuplicates && activeSubscriptions(all).length > 1)
        await jobs.enqueue(tx, duplicateSubscriptions, [{ userId }], { singletonKey: userId })
      // Also of one that was resolved before: a bank debit of it may have cleared since.
      if (reportsDuplicates && (await isDuplicate(tx, id)))
        await jobs.enqueue(tx, duplicateSubscriptions, [{ subscriptionId: id }], { singletonKey: id })
      if (row.tier === 'free')
        log.error({ subscriptionId: id, priceId: row.priceId }, 'the price of a subscription gives no tier')
      return !userId && !isEnded(row)
    })
    if (!isOrphan) return
    log.warn({ subscriptionId: id }, 'canceling the subscription of an account that was deleted')
    await stripe.subscriptions.cancel(id)
    await applySubscription(id)
  }

  async function applySession(sessionId: string, { lostIsExpired = false } = {}): Promise<void> {
    const readNumber = await beginRead(pool, sessionId)
    const stripe = await provider.stripe()
    const expand = ['payment_intent.latest_charge']
    const session = await stripe.checkout.sessions.retrieve(sessionId, { expand }).catch((error: unknown) => {
      if (lostIsExpired && isUnknownToProvider(error)) return undefined
      throw error
    })
    const rowId = session ? uuidOf(session.metadata?.paymentSessionId) : await findOpenSessionId(pool, sessionId)
    const charge = session && chargeOf(session)
    const disputes = await findDisputes({ stripe, log }, charge)
    const { status, paymentId, isProcessing = false } = session ? readPayment(session, disputes) : LOST
    // Applied before the page counts as paid: otherwise a second page could be opened in between.
    const subscriptionId = idOf(session?.subscription)
    if (subscriptionId) await applySubscription(subscriptionId)
    await inTransaction(pool, async (tx) => {
      if (!rowId || !(await isLatestRead(tx, sessionId, readNumber))) return
      const row = await lockPaymentSession(tx, rowId)
      if (!row || (row.status === status && row.isProcessing === isProcessing)) return
      if (row.status === 'expired' && status === 'open') return // it was replaced, and another page may be open
      // A failed attempt has left a second page, whose address no payer has.
      if (row.sessionId !== null && row.sessionId !== sessionId && (status === 'open' || status === 'expired')) return
      await writePaymentStatus(tx, rowId, { status, isProcessing, sessionId, paymentId })
      if (status === 'refunded') await completeRefund(tx, rowId)
      if (row.reference !== null && status !== 'open')
        await jobs.enqueue(tx, paymentSettled, [{ reference: row.reference, status, paymentId, sessionId }])
    })
  }

  return {
    /** Applies a page that is about to be replaced: a page that the provider does not have counts as expired. */
    refreshPage: (sessionId: string) => applySession(sessionId, { lostIsExpired: true }),
    /** Applies a subscription without enqueuing the job that resolves duplicates. */
    refreshSubscription: (id: string) => applySubscription(id, { reportsDuplicates: false }),

    /** Ends a subscription that the provider does not have, unless it was read within a week. */
    async endLostSubscription(id: string): Promise<void> {
      const isEnded = await inTransaction(pool, async (tx) => {
        const userId = await findSubscriber(tx, id)
        if (userId) await lockUser(tx, userId)
        if (!(await endUnreadSubscription(tx, id))) return false
        if (userId) await writePaidTier(tx, userId, paidTierOf(await findSubscriptionsOf(tx, userId)))
        return true
      })
      if (isEnded) log.warn({ subscriptionId: id }, 'ended a subscription that the payment provider no longer has')
    },

    /**
     * Reads and writes what the subject is about. Objects that are not ours change nothing.
     * @throws StripeError, also for an object that the provider does not have: the key may be another
     * account's for a while
     */
    async apply({ kind, id }: EventSubject): Promise<void> {
      if (kind === 'subscription') return applySubscription(id)
      if (kind === 'session') return applySession(id)
      const stripe = await provider.stripe()
      const { data: sessions } = await stripe.checkout.sessions.list({ payment_intent: id, limit: 10 })
      for (const session of sessions) await applySession(session.id)
    },
  }
}

const LOST = { status: 'expired', paymentId: null, isProcessing: false } as const

/** Whether the current period of a deleted account's subscription began after the account was last seen to have it. */
async function isPaidForNothing(tx: Db, { id, currentPeriodEnd }: Pick<SubscriptionRow, 'id' | 'currentPeriodEnd'>) {
  const known = await findStoredPeriodEnd(tx, id)
  return !known || (currentPeriodEnd !== null && known < currentPeriodEnd)
}

const uuidOf = (text: string | undefined): string | null => (text && isUuid(text) ? text : null)
