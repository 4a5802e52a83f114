// Where the provider's pages lead back to: the stored state of the checkout session and, with a login, of the subscription.
const WORDS = {
  open: ['Not confirmed yet', 'The payment provider has not confirmed the payment yet. This usually takes seconds.'],
  paid: ['Thank you', 'The payment went through. What you paid for begins within a moment.'],
  expired: ['Nothing was paid', 'The payment page expired before anything was paid. You can order again.'],
  refunded: ['Refunded', 'The payment was refunded.'],
  disputed: ['Disputed', 'The payment is disputed. What it paid for has stopped.'],
  canceled: ['You left the payment page', 'You can come back to it by ordering again.'],
  changed: ['Your subscription', 'What you changed takes effect within a moment.'],
  unknown: [
    'Your payment',
    'You are back from the payment page. If you paid, what you paid for begins within a moment.',
  ],
}
const query = new URLSearchParams(location.search)
const sessionId = query.get('session_id')

function show([title, text]) {
  document.title = document.title.replace(/^[^·]+/, `${title} `)
  document.querySelector('h1').textContent = title
  document.querySelector('[role=status]').textContent = text
}

/** The reply's JSON; undefined without a login, or for what is not the user's. */
async function read(path) {
  const response = await fetch(path).catch(() => undefined)
  return response?.ok ? response.json() : undefined
}

/** Shows the state of the checkout session, for a minute until it is final: the provider's event may arrive after the user. */
async function showCheckout() {
  if (!sessionId) return show(WORDS[{ success: 'unknown', canceled: 'canceled' }[query.get('checkout')] ?? 'changed'])
  for (let tries = 0; tries < 30; tries++) {
    const status = (await read(`/api/billing/checkout/${encodeURIComponent(sessionId)}`))?.status ?? 'unknown'
    show(WORDS[status])
    if (status !== 'open') return
    await new Promise((resolve) => setTimeout(resolve, 2000))
  }
}

async function showSubscription() {
  const { status = 'none', tier, currentPeriodEnd, cancelAtPeriodEnd } = (await read('/api/user/subscription')) ?? {}
  if (status === 'none') return
  const period = currentPeriodEnd
    ? `, ${cancelAtPeriodEnd ? 'ends' : 'renews'} on ${currentPeriodEnd.slice(0, 10)}`
    : ''
  document.querySelector('#tier').textContent = `Your tier: ${tier}${period}.`
}

await showCheckout()
await showSubscription()
