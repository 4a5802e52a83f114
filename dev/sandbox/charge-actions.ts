// What can happen to charges in the sandbox: refunds and disputes, each with its events.
import type { Ledger } from './ledger.ts'
import { type Charge, type Dispute, newId, type Refund } from './state.ts'

export interface ChargeActions {
  /** Refunds a part, or all that is left. @returns undefined if the whole amount was refunded before */
  refund(charge: Charge, options?: RefundOptions): Refund | undefined
  /** A refund that seemed to succeed fails: the money comes back. */
  failRefund(refund: Refund): void
  dispute(charge: Charge): void
  closeDispute(charge: Charge, outcome: 'won' | 'lost'): void
}

interface RefundOptions {
  /** Default: what is left. */
  cents?: number
  reason?: string | null
  metadata?: Record<string, string>
}

export function createChargeActions({ state, record, send, seconds }: Ledger): ChargeActions {
  return {
    refund(charge, { cents, reason = null, metadata = {} } = {}) {
      if (charge.refunded) return undefined
      const amount = cents ?? charge.amount - charge.amount_refunded
      const refund: Refund = {
        id: newId('re'),
        object: 'refund',
        amount,
        currency: charge.currency,
        charge: charge.id,
        payment_intent: charge.payment_intent,
        reason,
        status: 'succeeded',
        metadata,
        created: seconds(),
      }
      charge.amount_refunded += amount
      charge.refunded = charge.amount_refunded === charge.amount
      state.refunds[refund.id] = refund
      send(record('charge.refunded', charge))
      return refund
    },

    failRefund(refund) {
      const charge = state.charges[refund.charge]
      if (!charge || refund.status === 'failed') return
      refund.status = 'failed'
      Object.assign(charge, { refunded: false, amount_refunded: charge.amount_refunded - refund.amount })
      send(record('refund.failed', refund))
    },

    dispute(charge) {
      if (charge.disputed) return
      charge.disputed = true
      const dispute: Dispute = {
        id: newId('dp'),
        object: 'dispute',
        amount: charge.amount,
        charge: charge.id,
        payment_intent: charge.payment_intent,
        status: 'needs_response',
        created: seconds(),
      }
      state.disputes[dispute.id] = dispute
      send(record('charge.dispute.created', dispute))
    },

    closeDispute(charge, outcome) {
      const dispute = Object.values(state.disputes).find((one) => one.charge === charge.id)
      if (dispute?.status !== 'needs_response') return
      dispute.status = outcome
      send(record('charge.dispute.closed', dispute))
    },
  }
}
