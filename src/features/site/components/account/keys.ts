// API keys.
import { buttonForm, field, form } from '../fields.ts'
import { careful, copyBlock, shownOnce } from '../forms.ts'
import { html } from '../html.ts'
import { card, lines, tag } from '../parts.ts'
import { refusal, refusedOf } from '../refusal.ts'
import type { Schemas } from '../types.ts'
import { type AccountData, type AccountLocale, around } from './frame.ts'

export interface KeysData extends AccountData {
  apiKeys: Schemas['ApiKeyItem'][]
  created: Schemas['CreatedApiKey'] | undefined
}

export function keysView(locale: AccountLocale, data: KeysData) {
  const { keys, subscription } = locale.t.account
  const { apiKeys, created, now } = data
  const { tier, tiers } = data.subscription
  const limit = tiers.find((one) => one.name === tier)?.rateLimit ?? 0
  return around(locale, 'keys', data, [
    created &&
      shownOnce(locale, keys.created, `${created.key}.${created.secret}`, [
        html`<p>${keys.use}</p>`,
        copyBlock(locale, `Authorization: Bearer ${created.key}.${created.secret}`),
      ]),
    card(keys.title)`
      <p class="quiet">${keys.lead} <a href="/docs">${keys.docs}</a></p>
      <p>${locale.say(keys.limit, { n: limit, tier: subscription.tiers[tier] })}</p>
      ${refusal(locale, data.refused)}
      ${lines(
        apiKeys.map(
          ({ id, name, key, isActive, createdAt, lastUsedAt }) => html`
            <li class="row spread">
              <div>
                <b dir="auto">${name}</b> ${isActive ? tag('good', keys.active) : tag('', keys.inactive)}
                <p class="hint"><code>${key}</code></p>
                <p class="hint">${keys.columns.made}: ${locale.date(createdAt)} · ${keys.columns.used}: ${lastUsedAt ? locale.relative(lastUsedAt, now) : keys.never}</p>
              </div>
              <div class="row">
                ${buttonForm({ fields: { action: isActive ? 'off' : 'on', id }, label: isActive ? keys.off : keys.on })}
                ${careful({ fields: { action: 'revoke', id }, label: keys.revoke, warning: keys.revokeWarning, confirm: keys.revokeConfirm })}
              </div>
            </li>
          `,
        ),
        keys.none,
      )}
      ${form(keys.create, { action: 'create' })`
        ${field({ name: 'name', label: keys.name, refused: refusedOf(data.refused, 'create'), required: true, maxlength: 100 })}
      `}
    `,
  ])
}
