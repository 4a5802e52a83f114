// The page after a payment: follows it for a minute, because the provider's confirmation may arrive after the visitor.
import { paymentView, stateOf } from '../components/payment.ts'
import { api } from './api.ts'
import { live } from './live.ts'

const LOOK_EVERY_MS = 2_000
const LOOKS = 30

const page = live(paymentView)
const { sessionId } = page.data

async function look(): Promise<void> {
  if (!sessionId) return
  const [state, subscription] = await Promise.all([
    api.get('/billing/checkout/{sessionId}', { path: { sessionId } }),
    api.get('/user/subscription'),
  ])
  page.show({
    ...page.data,
    state: stateOf(state),
    subscription: subscription.status === 'none' ? null : subscription,
  })
}

/** Whether nothing more will change: a paid subscription appears a moment after its payment. */
const isSettled = () => page.data.state !== 'open' && (page.data.state !== 'paid' || page.data.subscription !== null)

for (let looks = 0; sessionId && page.data.state !== 'unknown' && looks < LOOKS && !isSettled(); looks++) {
  await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  await look().catch(() => {})
}
