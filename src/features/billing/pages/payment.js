// The page that the provider's pages return to: shows the result and, with a session, the state of the subscription.
const WORDS = {
  success: ['Thank you', 'The payment went through. What you paid for begins within a moment.'],
  canceled: ['Nothing was paid', 'You left the payment page before anything was paid. You can come back to it.'],
}
const [title, text] = WORDS[new URLSearchParams(location.search).get('checkout')] ?? [
  'Your subscription',
  'What you changed takes effect within a moment.',
]
document.title = document.title.replace(/^[^·]+/, `${title} `)
document.querySelector('h1').textContent = title
document.querySelector('[role=status]').textContent = text

/** The provider's event may arrive after the user: the subscription is requested for up to ten seconds. */
async function showSubscription() {
  for (let tries = 0; tries < 5; tries++) {
    const response = await fetch('/api/user/subscription').catch(() => undefined)
    const { status = 'none', tier, currentPeriodEnd, cancelAtPeriodEnd } = (await response?.json()) ?? {}
    if (!response?.ok) return // no session: payers need not be logged in in this browser
    if (status !== 'none') {
      const day = currentPeriodEnd?.slice(0, 10)
      const period = day ? `, ${cancelAtPeriodEnd ? 'ends' : 'renews'} on ${day}` : ''
      document.querySelector('#tier').textContent = `Your tier: ${tier}${period}.`
      return
    }
    await new Promise((resolve) => setTimeout(resolve, 2000))
  }
}

await showSubscription()
