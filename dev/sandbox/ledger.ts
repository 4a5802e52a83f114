// What the sandbox' actions work on: its state, its prices, its clock, and the events that they record.
import { type Charge, newId, type Payment, type Price, type State, type Store, type StoredEvent } from './state.ts'

export interface LedgerOptions {
  store: Store
  prices: readonly Price[]
  currency: string
  /** Delivers an event. */
  emit: (event: StoredEvent) => void
  /** In epoch milliseconds. */
  now: () => number
}

export interface Ledger {
  state: State
  currency: string
  seconds(): number
  priceOf(id: string): Price | undefined
  /** Stores an event. It contains the object as it is at that moment, like the provider's. */
  record(type: string, object: object): StoredEvent
  /** Saves the state, then delivers these events. @returns them */
  send(...events: StoredEvent[]): StoredEvent[]
  /** Adds a charge that succeeded, and its payment. */
  addCharge(sale: Sale): { charge: Charge; payment: Payment }
}

interface Sale {
  amount: number
  currency: string
  name: string
  metadata: Record<string, string>
}

export function createLedger({ store, prices, currency, emit, now }: LedgerOptions): Ledger {
  const { state } = store
  const seconds = () => Math.floor(now() / 1000)
  return {
    state,
    currency,
    seconds,
    priceOf: (id) => prices.find((price) => price.id === id),

    record(type, object) {
      const stored: StoredEvent = {
        event: {
          id: newId('evt'),
          object: 'event',
          api_version: '2026-10-28.endive',
          type,
          created: seconds(),
          livemode: false,
          data: { object: structuredClone(object) },
        },
        attempts: 0,
        acknowledged: false,
      }
      state.events.push(stored)
      return stored
    },

    send(...events) {
      store.save()
      events.forEach(emit)
      return events
    },

    addCharge({ amount, currency: of, name, metadata }) {
      const common = { amount, currency: of, created: seconds() }
      const charge: Charge = {
        ...common,
        id: newId('ch'),
        object: 'charge',
        amount_refunded: 0,
        description: name,
        disputed: false,
        paid: true,
        payment_intent: newId('pi'),
        refunded: false,
      }
      const payment: Payment = {
        ...common,
        id: charge.payment_intent,
        object: 'payment_intent',
        status: 'succeeded',
        latest_charge: charge.id,
        metadata,
      }
      state.charges[charge.id] = charge
      state.payments[payment.id] = payment
      return { charge, payment }
    },
  }
}
