// The sandbox' pages: paying, changing a subscription, and triggering everything else that happens to payments.
import { PRODUCT_NAME } from '../../src/platform/product.ts'
import type { Charge, Customer, Dispute, Portal, Price, Session, State, Subscription } from './state.ts'
import { fill, type Language, textsOf } from './texts.ts'

/** HTML that is already escaped. */
class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Part = string | number | Html | Part[]

/** Escapes all values except Html. */
function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.reduce((text, string, n) => text + render(parts[n - 1] ?? '') + string))
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function render(part: Part): string {
  if (part instanceof Html) return part.text
  if (Array.isArray(part)) return part.map(render).join('')
  return String(part).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}

// Light or dark as the system is; every text color has a contrast of at least 4.5 : 1.
const STYLE = new Html(`<style>
  :root { color-scheme: light dark; --text: #1c2430; --ground: #f6f7f9; --card: #fff; --line: #d9dee5; --edge: #6b7787; --link: #1558b0;
    --note: #fff4d6; --note-edge: #c7a54a }
  @media (prefers-color-scheme: dark) {
    :root { --text: #e6e9ee; --ground: #12161c; --card: #1b2129; --line: #343d49; --edge: #8793a3; --link: #8ab8ff; --note: #3a3113; --note-edge: #7d6a2a }
  }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: var(--text); background: var(--ground) }
  header { display: flex; flex-wrap: wrap; gap: .25rem 1rem; justify-content: space-between; margin-bottom: 1rem } header b { font-weight: 600 }
  main { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 1.5rem }
  h1 { font-size: 1.4rem; margin: 0 0 1rem } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem } a { color: var(--link) }
  .note { background: var(--note); border: 1px solid var(--note-edge); border-radius: 6px; padding: .5rem .75rem; margin: 0 0 1rem }
  .amount { font-size: 1.8rem; font-weight: 600 }
  form { display: inline }
  button { font: inherit; padding: .4rem .9rem; margin: .2rem .2rem .2rem 0; border: 1px solid var(--edge); border-radius: 6px; color: inherit; background: var(--card); cursor: pointer }
  button.main { background: #1a6b3f; border-color: #1a6b3f; color: #fff }
  :focus-visible { outline: 3px solid var(--link); outline-offset: 2px }
  table { border-collapse: collapse; width: 100% } td { padding: .3rem .5rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere }
  code { font-size: .85em }
  @media (max-width: 34rem) { main { padding: 1rem } td { display: block; border: 0; padding: 0 } tr { display: block; padding: .5rem 0; border-bottom: 1px solid var(--line) } }
</style>`)

interface Frame {
  language?: Language
  /** Where the way back leads. */
  back?: string
}

function page(title: string, body: Html, { language = 'en', back }: Frame = {}): string {
  const texts = textsOf(language)
  return html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title} · payment sandbox</title><link rel="icon" href="data:,">${STYLE}</head>
<body><header><b>${PRODUCT_NAME}</b>${back ? html`<a href="${back}">${fill(texts.back, { site: PRODUCT_NAME })}</a>` : ''}</header>
<p class="note">${texts.sandbox}</p><main><h1>${title}</h1>${body}</main></body></html>
`.text
}

/** Formats cents for display. */
export function money(cents: number, currency: string): string {
  const digits = String(cents).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)} ${currency.toUpperCase()}`
}

const button = (action: string, values: Record<string, string>, text: string, kind = '') =>
  html`<form method="post" action="${action}">${Object.entries(values).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}<button class="${kind}">${text}</button></form>`

const day = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10)

export function payPage(session: Session, language: Language, message = ''): string {
  const texts = textsOf(language)
  const per = session.mode === 'subscription' ? ` ${texts.aMonth}` : ''
  const action = `/pay/${session.id}`
  const isPaid = session.status === 'complete'
  if (session.status !== 'open') {
    const back = isPaid ? session.success_url.replace('{CHECKOUT_SESSION_ID}', session.id) : session.cancel_url
    return page(
      isPaid ? texts.isPaid : texts.hasExpired,
      html`<p>${session.sold.name}</p><p><a href="${back}">${texts.goBack}</a></p>`,
      { language },
    )
  }
  return page(
    texts.pay,
    html`${message ? html`<p class="note" role="alert">${message}</p>` : ''}
<p>${session.sold.name}</p><p class="amount">${money(session.amount_total, session.currency)}${per}</p>
${button(action, { do: 'pay' }, texts.pay, 'main')}${button(action, { do: 'fail' }, texts.fail)}${button(action, { do: 'cancel' }, texts.cancel)}`,
    { language, back: session.cancel_url },
  )
}

export function portalPage(
  portal: Portal,
  of: { customer: Customer; subscriptions: Subscription[]; prices: readonly Price[]; currency: string },
  language: Language,
): string {
  const texts = textsOf(language)
  const action = `/portal/${portal.id}`
  const rows = of.subscriptions.map((subscription) => {
    const item = subscription.items.data[0]
    const price = of.prices.find(({ id }) => id === item?.price.id)
    const change = portal.change?.subscription === subscription.id ? portal.change.price : undefined
    const others = of.prices.filter(({ id }) => id !== item?.price.id && (!change || id === change))
    const id = subscription.id
    if (subscription.status === 'canceled') return html`<p>${price?.name ?? texts.aSubscription}: ${texts.ended}</p>`
    const date = day(item?.current_period_end ?? 0)
    return html`<h2>${price?.name ?? texts.aSubscription}</h2><p>${money(item?.price.unit_amount ?? 0, of.currency)} ${texts.aMonth}, ${texts.states[subscription.status]},
${fill(subscription.cancel_at_period_end ? texts.ends : texts.renews, { date })}</p>
${others.map((other) =>
  button(
    action,
    { do: 'change', subscription: id, price: other.id },
    fill(texts.change, { name: other.name, amount: money(other.cents, of.currency) }),
    change ? 'main' : '',
  ),
)}${subscription.cancel_at_period_end ? button(action, { do: 'resume', subscription: id }, texts.keep) : button(action, { do: 'cancel', subscription: id }, texts.cancelLater)}`
  })
  return page(
    texts.portal,
    html`<p>${of.customer.email ?? of.customer.id}</p>${rows.length ? rows : html`<p>${texts.none}</p>`}`,
    { language, back: portal.return_url },
  )
}

/** @param prices name the subscriptions */
export function overviewPage(state: State, prices: readonly Price[]): string {
  const subscriptions = Object.values(state.subscriptions).map(
    ({
      id,
      status,
      items,
      customer,
      cancel_at_period_end: ends,
    }) => html`<tr><td>${prices.find((price) => price.id === items.data[0]?.price.id)?.name ?? 'A subscription'}${customerOf(state, customer)}<br><code>${id}</code></td><td>${status}${ends ? ', ends' : ''}, until ${day(items.data[0]?.current_period_end ?? 0)}</td><td>
${status === 'canceled' ? '' : [button('/', { do: 'renew', id }, 'Period ends now'), button('/', { do: 'fail-renewal', id }, 'Renewal fails'), button('/', { do: 'end', id }, 'End at once')]}</td></tr>`,
  )
  const charges = Object.values(state.charges).map(
    (
      charge,
    ) => html`<tr><td>${charge.description}<br><code>${charge.payment_intent}</code></td><td>${money(charge.amount, charge.currency)}, ${standingOf(charge, Object.values(state.disputes))}</td><td>
${charge.refunded ? '' : button('/', { do: 'refund', id: charge.id }, 'Refund')}${charge.disputed ? [button('/', { do: 'win', id: charge.id }, 'Dispute won'), button('/', { do: 'lose', id: charge.id }, 'Dispute lost')] : button('/', { do: 'dispute', id: charge.id }, 'Dispute')}</td></tr>`,
  )
  const pages = Object.values(state.sessions)
    .filter(({ status }) => status === 'open')
    .map(
      (session) =>
        html`<tr><td>${session.sold.name}</td><td><a href="/pay/${session.id}">${money(session.amount_total, session.currency)}</a></td><td>${button('/', { do: 'expire', id: session.id }, 'Expire')}</td></tr>`,
    )
  const events = state.events
    .slice(-30)
    .reverse()
    .map(
      ({ event, attempts, acknowledged }) =>
        html`<tr><td>${event.type}</td><td>${acknowledged ? 'acknowledged' : `waits, ${attempts} attempts`}</td><td><code>${event.id}</code></td></tr>`,
    )
  const table = (title: string, rows: Html[]) =>
    html`<h2>${title}</h2>${rows.length ? html`<table>${rows}</table>` : html`<p>None.</p>`}`
  return page(
    'Payments and subscriptions',
    html`<p>The directory opens payment pages: <code>POST /api/billing/checkout</code>, or <code>/api/auctions/{id}/checkout</code> for the winner of an auction. Trigger what happens next here.</p>${table('Open payment pages', pages)}${table('Subscriptions', subscriptions)}${table('Payments', charges)}${table('Last events', events)}`,
  )
}

function customerOf({ customers }: State, id: string): string {
  const email = customers[id]?.email
  return email ? ` of ${email}` : ''
}

function standingOf(charge: Charge, disputes: Dispute[]): string {
  const dispute = disputes.find(({ charge: id }) => id === charge.id)
  if (charge.refunded) return 'refunded'
  return dispute ? `disputed (${dispute.status})` : 'paid'
}

export const notFoundPage = () => page('Page not found', html`<p><a href="/">Overview</a></p>`)
