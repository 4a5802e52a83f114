// What can happen to charges in the sandbox: refunds and disputes, each with its events.
import type { Ledger } from './ledger.ts'
import { type Charge, type Dispute, newId, type Refund } from './state.ts'

export interface ChargeActions {
  /** Refunds the whole amount. @returns undefined if it was refunded before */
  refund(charge: Charge, metadata?: Record<string, string>): Refund | undefined
  /** A refund that seemed to succeed fails: the money comes back. */
  failRefund(refund: Refund): void
  dispute(charge: Charge): void
  closeDispute(charge: Charge, outcome: 'won' | 'lost'): void
}

export function createChargeActions({ state, record, send, seconds }: Ledger): ChargeActions {
  return {
    refund(charge, metadata = {}) {
      if (charge.refunded) return undefined
      const refund: Refund = {
        id: newId('re'),
        object: 'refund',
        amount: charge.amount - charge.amount_refunded,
        currency: charge.currency,
        charge: charge.id,
        payment_intent: charge.payment_intent,
        status: 'succeeded',
        metadata,
        created: seconds(),
      }
      Object.assign(charge, { refunded: true, amount_refunded: charge.amount })
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
