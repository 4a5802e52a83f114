// The state of a payment, for a buyer who is back from the provider's page.
import { html } from './html.ts'
import type { Locale } from './locale.ts'
import type { Schemas } from './types.ts'

export interface PaymentData {
  /** The provider's session; null if the address names none. */
  sessionId: string | null
  state: PaymentState
  /** Null without a login, or without a subscription. */
  subscription: Pick<Schemas['Subscription'], 'tier' | 'currentPeriodEnd' | 'cancelAtPeriodEnd'> | null
  /** Whether the site has a subscription page to go back to. */
  hasSite: boolean
}

export type PaymentState = Schemas['CheckoutState']['status'] | 'processing' | 'canceled' | 'changed' | 'unknown'

export const stateOf = ({ status, isProcessing }: Schemas['CheckoutState']): PaymentState =>
  isProcessing ? 'processing' : status

export function paymentView(locale: Locale<'payment' | 'account'>, data: PaymentData) {
  const { payment, account } = locale.t
  const { state, subscription, sessionId, hasSite } = data
  const { title, text } = payment.states[state]
  const isWaiting = state === 'open' || state === 'processing'
  const back = locale.href('/account/subscription', isWaiting && sessionId ? { paid: sessionId } : {})
  const until = subscription?.currentPeriodEnd
  return html`
    <section class="card narrow stack">
      <h1>${title}</h1>
      <p role="status">${text}</p>
      ${
        subscription &&
        html`<p>${locale.say(payment.tier, { tier: account.subscription.tiers[subscription.tier] })}${until && ` · ${locale.say(subscription.cancelAtPeriodEnd ? payment.ends : payment.renews, { date: locale.date(until) })}`}</p>`
      }
      ${
        hasSite &&
        html`<p class="row"><a class="button" href=${back}>${payment.back}</a><a href=${locale.href('/')}>${payment.toSite}</a></p>`
      }
    </section>
  `
}
