// The subscription: what each tier costs and allows, and one press to the payment page.
import { withoutUndefined } from '../../../../platform/without-undefined.ts'
import type { Client } from '../../components/client.ts'
import { buttonForm, refusal } from '../../components/fields.ts'
import { confirmButton } from '../../components/forms.ts'
import { html } from '../../components/html.ts'
import type { Locale } from '../../components/locale.ts'
import { card, factList, notice, tag } from '../../components/parts.ts'
import type { Schemas } from '../../components/types.ts'
import { fallbackOn } from '../../page.ts'
import { isCheckoutOpen } from '../checkout.ts'
import { type ACCOUNT, accountPage, accountPath } from './page.ts'

type AccountLocale = Locale<(typeof ACCOUNT.texts)[number]>
type Subscription = Schemas['Subscription']

export const subscriptionPage = accountPage({
  tab: 'subscription',
  query: ['paid'],
  script: 'buttons.ts',
  async data({ api, once, query }) {
    const [prices, isPaying] = await Promise.all([
      fallbackOn(503, [], readPrices(api)),
      query.paid ? isCheckoutOpen(api, query.paid) : false,
    ])
    /** The address of the payment provider's page, and its purpose. */
    const leads = once as { to: string; for: 'checkout' | 'portal' } | undefined
    return { leads, prices, isPaying }
  },
  head: ({ leads }) => ({ styles: 'offers.css', ...(leads && { leadsTo: leads.to }) }),
  view(locale, { subscription, leads, refused, prices, isPaying }) {
    const { subscription: texts } = locale.t.account
    const { canSubscribe, tier, tiers, status, currentPeriodEnd, cancelAtPeriodEnd } = subscription
    const hasOne = status !== 'none'
    // The first payment of a subscription is not confirmed yet.
    const isProcessing = isPaying || status === 'incomplete'
    const known: string | undefined = texts.statuses[status as keyof typeof texts.statuses]
    return [
      refusal(locale, refused),
      notice('warn', isProcessing && texts.processing),
      leads &&
        html`
          <section class="notice is-good row spread" role="status">
            <p>${leads.for === 'checkout' ? texts.ready : texts.portalReady}</p>
            <a class="button" href=${leads.to} rel="noreferrer">${leads.for === 'checkout' ? texts.pay : texts.toPortal}</a>
          </section>
        `,
      card(texts.title)`
        ${factList([
          [texts.tier, html`<b>${texts.tiers[tier]}</b>`],
          [
            texts.status,
            [
              known ?? status,
              currentPeriodEnd &&
                ` · ${locale.say(cancelAtPeriodEnd ? texts.ends : texts.renews, { date: locale.date(currentPeriodEnd) })}`,
            ],
          ],
        ])}
        <ul class="offers">
          ${tiers.map((one) => tierCard(locale, one, { subscription, prices, isOffered: canSubscribe && !isProcessing }))}
        </ul>
        ${!canSubscribe && html`<p>${texts.off}</p>`}
        ${
          canSubscribe &&
          hasOne &&
          html`
            <div class="row">
              ${buttonForm({ fields: { action: 'portal' }, label: texts.portal, wait: texts.opening })}
              ${!cancelAtPeriodEnd && confirmButton({ fields: { action: 'cancel' }, label: texts.cancel, warning: texts.cancelWarning, confirm: texts.cancelConfirm })}
            </div>
          `
        }
      `,
    ]
  },
  // A form may not redirect to another origin (Content-Security-Policy), so the page in its reply does.
  async post({ api, form, locale }) {
    const { action } = form
    if (action === 'checkout') {
      const language = locale.isChosen ? locale.language : undefined
      const body = { tier: form.tier as 'standard', ...withoutUndefined({ language }) }
      return { to: (await api.post('/billing/checkout', { body })).url, for: 'checkout' }
    }
    if (action === 'portal') return { to: (await api.post('/user/subscription/portal')).url, for: 'portal' }
    await api.delete('/user/subscription')
    return locale.href(accountPath('subscription'))
  },
})

const readPrices = async (api: Client) => (await api.get('/billing/prices')).prices

interface Offer {
  subscription: Subscription
  prices: Schemas['Price'][]
  isOffered: boolean
}

/** @param price undefined: not known at the moment */
function priceOf(locale: AccountLocale, price: Schemas['Price'] | undefined) {
  const { subscription: texts } = locale.t.account
  if (!price) return html`<span class="hint">${texts.priceLater}</span>`
  const period = locale.say(texts.periods[price.interval], { n: price.intervalCount })
  return html`<b>${locale.money(price.amountCents, price.currency)}</b> <span class="quiet">${period}</span>`
}

function tierCard(
  locale: AccountLocale,
  { name, rateLimit }: Subscription['tiers'][number],
  { subscription: { tier, status }, prices, isOffered }: Offer,
) {
  const { subscription: texts } = locale.t.account
  const price = prices.find((one) => one.tier === name)
  const label = status === 'none' ? texts.choose : texts.change
  return html`
    <li class="offer stack">
      <h3>${texts.tiers[name]} ${name === tier && tag('good', texts.current)}</h3>
      <p class="offer-price">${name === 'free' ? texts.free : priceOf(locale, price)}</p>
      <p class="quiet">${locale.say(texts.limits, { n: rateLimit })}</p>
      ${
        name !== tier &&
        isOffered &&
        name !== 'free' &&
        buttonForm({
          fields: { action: 'checkout', tier: name },
          label: locale.say(label, { tier: texts.tiers[name] }),
          wait: texts.opening,
          look: '',
        })
      }
    </li>
  `
}
