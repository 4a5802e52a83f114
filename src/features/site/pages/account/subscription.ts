// The subscription.
import { buttonForm, refusal } from '../../components/fields.ts'
import { confirmButton } from '../../components/forms.ts'
import { html } from '../../components/html.ts'
import { card, factList, tag } from '../../components/parts.ts'
import { accountPage, accountPath } from './page.ts'

export const subscriptionPage = accountPage({
  tab: 'subscription',
  /** The page at the payment provider, and what it is for. */
  data: async ({ once }) => ({ leads: once as { to: string; for: 'checkout' | 'portal' } | undefined }),
  view(locale, { subscription, leads, refused }) {
    const { subscription: texts } = locale.t.account
    const { canSubscribe, tier, tiers, status, currentPeriodEnd, cancelAtPeriodEnd } = subscription
    const hasOne = status !== 'none'
    const known: string | undefined = texts.statuses[status as keyof typeof texts.statuses]
    return [
      refusal(locale, refused),
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
              ${!cancelAtPeriodEnd && confirmButton({ fields: { action: 'cancel' }, label: texts.cancel, warning: texts.cancelWarning, confirm: texts.cancelConfirm })}
            </div>
          `
        }
      `,
    ]
  },
  // A form may not lead to another origin (Content-Security-Policy), so its reply has a link.
  async post({ api, form, locale }) {
    const { action } = form
    if (action === 'checkout') {
      const tier = form.tier as 'standard'
      return { to: (await api.post('/billing/checkout', { body: { tier } })).url, for: 'checkout' }
    }
    if (action === 'portal') return { to: (await api.post('/user/subscription/portal')).url, for: 'portal' }
    await api.delete('/user/subscription')
    return locale.href(accountPath('subscription'))
  },
})
