// English: where the payment provider's pages lead back to.
export const payment = {
  title: 'Payment',
  states: {
    open: {
      title: 'Your payment is being processed',
      text: 'The payment provider has not confirmed a payment yet. This usually takes seconds, and this page follows it. Don’t pay a second time.',
    },
    processing: {
      title: 'Your payment is on its way',
      text: 'You paid by a method that takes days, such as a bank debit. What you paid for begins at the latest when the payment arrives. Don’t pay a second time.',
    },
    paid: { title: 'Thank you', text: 'The payment went through. What you paid for begins within a moment.' },
    expired: {
      title: 'Nothing was paid',
      text: 'The payment page expired before anything was paid. You can order again.',
    },
    refunded: { title: 'Refunded', text: 'The payment was refunded.' },
    disputed: { title: 'Disputed', text: 'The payment is disputed. What it paid for has stopped.' },
    canceled: {
      title: 'You left the payment page',
      text: 'Nothing was paid. You can come back to it by ordering again.',
    },
    changed: { title: 'Your subscription', text: 'What you changed takes effect within a moment.' },
    unknown: {
      title: 'Your payment',
      text: 'You are back from the payment page. If you paid, what you paid for begins within a moment.',
    },
  },
  tier: 'Your tier: {tier}',
  renews: 'Renews on {date}',
  ends: 'Ends on {date}',
  back: 'Back to your subscription',
  toSite: 'To the server list',
}
