// Refunds: a payment that buys nothing is refunded through the provider, exactly once.
import type Stripe from 'stripe'
import { v7 as uuidv7 } from 'uuid'
import type { Deps } from '../../deps.ts'
import type { Db } from '../../platform/db/pool.ts'
import type { JobQueue } from '../../platform/queue/jobs.ts'
import { paymentRefund } from './billing.jobs.ts'
import { findDisputes } from './disputes.ts'
import { idempotencyKeyOf, isProviderError, isUnreachable, type Provider } from './provider.ts'
import { chargeOf, idOf, isLosing, isLost } from './provider-objects.ts'
import { createProviderSync } from './provider-sync.service.ts'
import { findRefund, insertRefund, type RefundOutcome, type RefundRow, writeRefund } from './refunds.sql.ts'

/** Requests the refund of a one-time payment in the caller's transaction. Repeating it changes nothing. */
export async function requestRefund(tx: Db, jobs: JobQueue, sessionId: string): Promise<void> {
  const refundId = await insertRefund(tx, uuidv7(), sessionId)
  if (refundId) await jobs.enqueue(tx, paymentRefund, [{ refundId }])
}

/** Handler of `payment-refund`. @throws StripeError if the provider refuses or fails, so that the job is retried */
export function createRefunds(deps: Pick<Deps, 'pool' | 'jobs' | 'log'>, optionalProvider: Provider | undefined) {
  const { pool, log } = deps

  async function attempt(stripe: Stripe, refundId: string, { sessionId, attempts }: RefundRow): Promise<RefundOutcome> {
    const session = await stripe.checkout.sessions.retrieve(sessionId, { expand: ['payment_intent.latest_charge'] })
    const charge = chargeOf(session)
    const paymentId = idOf(session.payment_intent)
    if (!charge || !paymentId) throw new Error(`nothing was charged in session ${sessionId}`)
    // Read first: the provider forgets idempotency keys after a day, but not that a charge was refunded.
    const done = { status: 'succeeded', providerRefundId: null, error: null } as const
    if (charge.refunded) return done
    const disputes = await findDisputes({ stripe, log }, charge)
    if (disputes.some(isLost)) return done
    if (disputes.some(isLosing)) return { status: 'due', providerRefundId: null, error: 'the payment is disputed' }
    if (attempts > 0) {
      // An attempt that failed may have created it all the same.
      const { data: refunds } = await stripe.refunds.list({ payment_intent: paymentId, limit: 100 })
      const created = refunds.find(({ metadata }) => metadata?.paymentRefundId === refundId)
      if (created) return outcomeOf(created)
    }
    const refund = await stripe.refunds.create(
      { payment_intent: paymentId, metadata: { paymentRefundId: refundId } },
      // Each attempt has its own key: a key keeps its first answer, also an error, for a day. A payment is
      // refunded only once anyway.
      { idempotencyKey: idempotencyKeyOf(`refund-${refundId}`, attempts + 1) },
    )
    return outcomeOf(refund)
  }

  return async function refund({ refundId }: { refundId: string }): Promise<void> {
    const row = await findRefund(pool, refundId)
    if (!row) return
    if (!optionalProvider) throw new Error('billing is off: the refund waits')
    if (row.status === 'due') await send(optionalProvider, refundId, row)
    // Also if a worker stopped in between: this reports the refund to the feature that sold the payment.
    await createProviderSync(deps, optionalProvider).apply({ kind: 'session', id: row.sessionId })
  }

  async function send(provider: Provider, refundId: string, row: RefundRow): Promise<void> {
    try {
      const stripe = await provider.stripe()
      const outcome = row.providerRefundId
        ? outcomeOf(await stripe.refunds.retrieve(row.providerRefundId))
        : await attempt(stripe, refundId, row)
      await writeRefund(pool, refundId, outcome)
      const line = { refundId, sessionId: row.sessionId, ...outcome }
      if (outcome.status === 'failed') log.error(line, 'the provider could not refund a payment: refund it by hand')
      else log.info(line, 'refund attempted')
    } catch (cause) {
      const error = errorOf(cause)
      await writeRefund(pool, refundId, { status: 'due', providerRefundId: null, error })
      throw cause
    }
  }
}

/** The error's text for administrators; an error of our own is in the log of the job. */
function errorOf(cause: unknown): string {
  if (isUnreachable(cause)) return 'the provider can’t be reached'
  if (isProviderError(cause)) return cause.code ?? cause.type
  return cause instanceof Error ? cause.message : String(cause)
}

function outcomeOf({ id, status, failure_reason: reason }: Stripe.Refund): RefundOutcome {
  if (status === 'failed' || status === 'canceled')
    return { status: 'failed', providerRefundId: id, error: reason ?? status }
  // The sweep reads `pending` and `requires_action` again.
  return { status: status === 'succeeded' ? 'succeeded' : 'due', providerRefundId: id, error: null }
}
