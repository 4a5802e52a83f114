// The subscription.
import { buttonForm } from '../fields.ts'
import { careful } from '../forms.ts'
import { html } from '../html.ts'
import { card, pairs, tag } from '../parts.ts'
import { refusal } from '../refusal.ts'
import { type AccountData, type AccountLocale, around } from './frame.ts'

export interface SubscriptionData extends AccountData {
  /** Page at the payment provider, and what it is for. */
  leads: { to: string; for: 'checkout' | 'portal' } | undefined
}

export function subscriptionView(locale: AccountLocale, data: SubscriptionData) {
  const { subscription: texts } = locale.t.account
  const { canSubscribe, tier, tiers, status, currentPeriodEnd, cancelAtPeriodEnd } = data.subscription
  const { leads } = data
  const hasOne = status !== 'none'
  const known: string | undefined = texts.statuses[status as keyof typeof texts.statuses]
  return around(locale, 'subscription', data, [
    refusal(locale, data.refused),
    leads &&
      html`
        <section class="notice is-good row spread" role="status">
          <p>${leads.for === 'checkout' ? texts.ready : texts.portalReady}</p>
          <a class="button" href=${leads.to} rel="noreferrer">${leads.for === 'checkout' ? texts.pay : texts.toPortal}</a>
        </section>
      `,
    card(texts.title)`
      ${pairs([
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
      <ul class="lines">
        ${tiers.map(
          (one) => html`
            <li class="row spread">
              <span><b>${texts.tiers[one.name]}</b> <span class="quiet">${locale.say(texts.limits, { n: one.rateLimit })}</span></span>
              ${
                one.name === tier
                  ? tag('good', texts.current)
                  : canSubscribe &&
                    one.name !== 'free' &&
                    buttonForm({
                      fields: { action: 'checkout', tier: one.name },
                      label: locale.say(texts.choose, { tier: texts.tiers[one.name] }),
                    })
              }
            </li>
          `,
        )}
      </ul>
      ${!canSubscribe && html`<p>${texts.off}</p>`}
      ${
        canSubscribe &&
        hasOne &&
        html`
          <div class="row">
            ${buttonForm({ fields: { action: 'portal' }, label: texts.portal })}
            ${!cancelAtPeriodEnd && careful({ fields: { action: 'cancel' }, label: texts.cancel, warning: texts.cancelWarning, confirm: texts.cancelConfirm })}
          </div>
        `
      }
    `,
  ])
}
