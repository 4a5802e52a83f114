// The page to which the payment provider's pages lead back, unless the setting BILLING_RETURN_URL names another. It
// trusts no parameter: it shows what is stored about the visitor's own payment (docs/decisions/0008).
import { ApiError } from '../../../platform/http/errors.ts'
import type { Client } from '../components/client.ts'
import { type PaymentData, type PaymentState, paymentView, stateOf } from '../components/payment.ts'
import { fallbackOn, page } from '../page.ts'

const REFRESH_SECONDS = 5

/** @param options.hasSite whether the site has other pages than this one and the reference */
const paymentPageOf = ({ hasSite }: { hasSite: boolean }) =>
  page({
    path: '/payment',
    texts: ['payment', 'account'],
    query: ['checkout', 'session_id'],
    script: 'payment.ts',
    async data({ api, query }): Promise<PaymentData> {
      const sessionId = query.session_id ?? null
      const [state, subscription] = await Promise.all([
        sessionId ? readState(api, sessionId) : stateByOutcome(query.checkout),
        fallbackOn(401, null, api.get('/user/subscription')),
      ])
      return { sessionId, state, subscription: subscription?.status === 'none' ? null : subscription, hasSite }
    },
    head: ({ t: { payment } }, { state }) => ({
      title: payment.states[state].title,
      noindex: true,
      ...(state === 'open' && { refreshSeconds: REFRESH_SECONDS }),
    }),
    view: paymentView,
  })

export const paymentPage = paymentPageOf({ hasSite: true })
export const paymentPageAlone = paymentPageOf({ hasSite: false })

function stateByOutcome(outcome: string | undefined): PaymentState {
  if (outcome === 'success') return 'unknown'
  return outcome === 'canceled' ? 'canceled' : 'changed'
}

/** The state of the visitor's payment; `unknown` without a login, or for another user's payment. */
async function readState(api: Client, sessionId: string): Promise<PaymentState> {
  try {
    return stateOf(await api.get('/billing/checkout/{sessionId}', { path: { sessionId } }))
  } catch (error) {
    if (error instanceof ApiError && (error.status === 401 || error.status === 404)) return 'unknown'
    throw error
  }
}
