// What can happen to payments in the sandbox: paid, failed, expired, renewed, canceled, refunded, disputed, each with
// its events.
import { type ChargeActions, createChargeActions } from './charge-actions.ts'
import type { Ledger } from './ledger.ts'
import { createSessionActions, type SessionActions } from './session-actions.ts'
import { createSubscriptionActions, type SubscriptionActions } from './subscription-actions.ts'

export interface Actions extends SessionActions, SubscriptionActions, ChargeActions {
  /** Applies what is due: expired sessions and ended periods. */
  tick(): void
}

export function createActions(ledger: Ledger): Actions {
  const { state, seconds } = ledger
  const actions: Actions = {
    ...createSessionActions(ledger),
    ...createSubscriptionActions(ledger),
    ...createChargeActions(ledger),

    tick() {
      for (const session of Object.values(state.sessions)) if (session.expires_at <= seconds()) actions.expire(session)
      for (const subscription of Object.values(state.subscriptions))
        if ((subscription.items.data[0]?.current_period_end ?? 0) <= seconds()) actions.renew(subscription)
    },
  }
  return actions
}
