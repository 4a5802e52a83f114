// API keys.
import { SCOPES, type Scope } from '../../../../platform/http/scopes.ts'
import { buttonForm, field, form, refusal, refusedOf } from '../../components/fields.ts'
import { checkboxes, confirmButton, copyBlock, shownOnce, typedBefore } from '../../components/forms.ts'
import { html } from '../../components/html.ts'
import { card, lines, tag } from '../../components/parts.ts'
import type { Schemas } from '../../components/types.ts'
import { listOf } from '../../form.ts'
import { accountPage, accountPath } from './page.ts'

export const keysPage = accountPage({
  tab: 'keys',
  script: 'buttons.ts',
  kept: ['name', 'scopes'],
  async data({ api, once, typed }) {
    const { apiKeys: keys } = await api.get('/user/api-keys')
    const apiKeys = await Promise.all(keys.map(({ id }) => api.get('/user/api-keys/{id}', { path: { id } })))
    return { apiKeys, typed, created: once?.created as Schemas['CreatedApiKey'] | undefined }
  },
  view(locale, { apiKeys, created, typed, subscription, refused, now }) {
    const { keys, subscription: texts } = locale.t.account
    const { tier, tiers } = subscription
    const ofCreate = refusedOf(refused, 'create') ?? typedBefore(typed)
    const limit = tiers.find((one) => one.name === tier)?.rateLimit ?? 0
    return [
      created &&
        shownOnce(locale, keys.created, `${created.key}.${created.secret}`, [
          html`<p>${keys.use}</p>`,
          copyBlock(locale, `Authorization: Bearer ${created.key}.${created.secret}`),
        ]),
      card(keys.title)`
        <p class="quiet">${keys.lead} <a href=${locale.href('/docs')}>${keys.docs}</a></p>
        <p>${locale.say(keys.limit, { n: limit, tier: texts.tiers[tier] })}</p>
        ${refusal(locale, refused)}
        ${lines(
          apiKeys.map(
            ({ id, name, key, scopes, isActive, createdAt, lastUsedAt }) => html`
              <li class="row spread">
                <div>
                  <b dir="auto">${name}</b> ${isActive ? tag('good', keys.active) : tag('', keys.inactive)}
                  <p class="hint"><code>${key}</code></p>
                  <p class="hint">${scopes.length === SCOPES.length ? keys.allScopes : scopes.map((scope) => keys.scopes[scope]).join(' · ')}</p>
                  <p class="hint">${keys.columns.made}: ${locale.date(createdAt)} · ${keys.columns.used}: ${lastUsedAt ? locale.relative(lastUsedAt, now) : keys.never}</p>
                </div>
                <div class="row">
                  ${buttonForm({ fields: { action: isActive ? 'off' : 'on', id }, label: isActive ? keys.off : keys.on })}
                  ${confirmButton({ fields: { action: 'revoke', id }, label: keys.revoke, warning: keys.revokeWarning, confirm: keys.revokeConfirm })}
                </div>
              </li>
            `,
          ),
          keys.none,
        )}
        ${form(keys.create, { action: 'create' })`
          ${field({ name: 'name', label: keys.name, refused: ofCreate, required: true, maxlength: 100 })}
          ${checkboxes({ name: 'scopes', label: keys.may, refused: ofCreate, chosen: SCOPES, options: SCOPES.map((scope) => [scope, keys.scopes[scope]]) })}
        `}
      `,
    ]
  },
  async post({ api, form, locale }) {
    const { action, id = '', name = '' } = form
    if (action === 'create') {
      const scopes = listOf(form.scopes) as Scope[]
      return { created: await api.post('/user/api-keys', { body: { name, scopes } }) }
    }
    if (action === 'revoke') await api.delete('/user/api-keys/{id}', { path: { id } })
    else await api.patch('/user/api-keys/{id}', { path: { id }, body: { isActive: action === 'on' } })
    return locale.href(accountPath('keys'))
  },
})
