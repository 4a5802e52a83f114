// What the buttons on the sandbox' pages do, and the page that follows.
import type { Actions } from './actions.ts'
import { type Fields, textAt } from './form.ts'
import type { Ledger } from './ledger.ts'
import { notFoundPage, overviewPage, payPage, portalPage } from './pages.ts'
import type { Price, StoredEvent } from './state.ts'
import { type Language, languageOf, textsOf } from './texts.ts'

/** A page to show, or where to redirect the browser. */
export type Page = { html: string } | { to: string }

export const NOT_FOUND: Page = { html: notFoundPage() }

/** How long the redirect from the pay page waits until the product has acknowledged the events. */
const ACKNOWLEDGED_WITHIN_MS = 2_000

/** @param options.isDelivering whether events are sent to the product */
export function createButtons(options: {
  ledger: Ledger
  actions: Actions
  prices: readonly Price[]
  isDelivering: boolean
}) {
  const { ledger, actions, prices, isDelivering } = options
  const { state, currency } = ledger

  async function untilAcknowledged(events: StoredEvent[]): Promise<void> {
    const deadline = Date.now() + ACKNOWLEDGED_WITHIN_MS
    while (isDelivering && events.some(({ acknowledged }) => !acknowledged) && Date.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 20))
  }

  async function pay(id: string, fields: Fields, accepted: Language): Promise<Page> {
    const session = Object.hasOwn(state.sessions, id) ? state.sessions[id] : undefined
    if (!session) return NOT_FOUND
    const language = session.locale ? languageOf(session.locale) : accepted
    switch (textAt(fields, 'do')) {
      case 'pay':
        await untilAcknowledged(actions.pay(session))
        return { to: session.success_url.replace('{CHECKOUT_SESSION_ID}', id) }
      case 'fail':
        actions.fail(session)
        return { html: payPage(session, language, textsOf(language).declined) }
      case 'cancel':
        return { to: session.cancel_url }
      default:
        return { html: payPage(session, language) }
    }
  }

  function portal(id: string, fields: Fields, language: Language): Page {
    const session = Object.hasOwn(state.portals, id) ? state.portals[id] : undefined
    const customer = session && state.customers[session.customer]
    if (!session || !customer) return NOT_FOUND
    const subscriptions = Object.values(state.subscriptions).filter((one) => one.customer === customer.id)
    const subscription = subscriptions.find((one) => one.id === textAt(fields, 'subscription'))
    const button = textAt(fields, 'do')
    if (!button) return { html: portalPage(session, { customer, subscriptions, prices, currency }, language) }
    if (subscription && button === 'cancel') actions.cancelAtPeriodEnd(subscription, true)
    if (subscription && button === 'resume') actions.cancelAtPeriodEnd(subscription, false)
    if (subscription && button === 'change') actions.changePrice(subscription, textAt(fields, 'price') ?? '')
    return { to: session.change ? session.return_url : `/portal/${id}` }
  }

  function overview(fields: Fields): Page {
    const id = textAt(fields, 'id') ?? ''
    const [subscription, charge, session] = [state.subscriptions[id], state.charges[id], state.sessions[id]]
    const button = textAt(fields, 'do')
    if (!button) return { html: overviewPage(state, prices) }
    if (subscription && button === 'renew') actions.renew(subscription)
    if (subscription && button === 'fail-renewal') actions.failRenewal(subscription)
    if (subscription && button === 'end') actions.cancelNow(subscription)
    if (charge && button === 'refund') actions.refund(charge)
    if (charge && button === 'dispute') actions.dispute(charge)
    if (charge && (button === 'win' || button === 'lose'))
      actions.closeDispute(charge, button === 'win' ? 'won' : 'lost')
    if (session && button === 'expire') actions.expire(session)
    return { to: '/' }
  }

  /** @param fields of a form that was posted; none for a page that is read @param language that the browser prefers */
  return async function press(pathname: string, fields: Fields, language: Language): Promise<Page> {
    if (pathname === '/') return overview(fields)
    const [, kind, id = ''] = pathname.split('/')
    if (kind === 'pay') return pay(id, fields, language)
    if (kind === 'portal') return portal(id, fields, language)
    return NOT_FOUND
  }
}
