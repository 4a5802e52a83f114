// Favorites, and the alerts on them.
import { withPort } from '../../../../platform/public-address.ts'
import { buttonForm, field, form, type RefusedForm, refusal } from '../../components/fields.ts'
import { checkboxes, savedNotice } from '../../components/forms.ts'
import { html } from '../../components/html.ts'
import type { Locale } from '../../components/locale.ts'
import { card, lines } from '../../components/parts.ts'
import { playersBar, serverPath } from '../../components/server-parts.ts'
import type { Schemas } from '../../components/types.ts'
import { listOf, numberOf } from '../../form.ts'
import { accountPage, accountPath } from './page.ts'

export const favoritesPage = accountPage({
  tab: 'favorites',
  async data({ api }) {
    const [{ favorites }, { alerts }] = await Promise.all([api.get('/user/favorites'), api.get('/user/alerts')])
    return { favorites, alerts }
  },
  view(locale, { favorites, alerts, refused, saved }) {
    const { favorites: texts } = locale.t.account
    const alertsOf = new Map(alerts.map((one) => [one.serverId, one]))
    return card(texts.title)`
      ${savedNotice(locale, saved)}
      ${lines(
        favorites.map(
          (server) => html`
            <li>
              <div class="row spread"><div class="grow">
                <a href=${locale.href(serverPath(server))} dir="auto"><b>${server.name}</b></a>
                <p class="hint">${withPort(server.ipAddress, server.gamePort)}</p>
              </div>
              <div class="row"><div class="players-cell">${playersBar(locale, server)}</div>
              ${buttonForm({ fields: { id: server.id }, label: html`${texts.remove}<span class="visually-hidden"> ${server.name}</span>` })}</div></div>
              ${alertsForm(locale, server, alertsOf.get(server.id), refused?.form.id === server.id ? refused : undefined)}
            </li>
          `,
        ),
        texts.none,
      )}
      <p><a href=${locale.href('/')}>${texts.browse}</a></p>
    `
  },
  async post({ api, form, locale }) {
    const path = { id: form.id ?? '' }
    if (form.action !== 'alerts') {
      await api.delete('/servers/{id}/favorite', { path })
      return locale.href(accountPath('favorites'))
    }
    const chosen = listOf(form.when)
    const body = {
      playersAtLeast: numberOf(form.playersAtLeast) ?? null,
      playersAtMost: numberOf(form.playersAtMost) ?? null,
      backOnline: chosen.includes('backOnline'),
      wipeSoon: chosen.includes('wipeSoon'),
    }
    await api.put('/servers/{id}/favorite/alerts', { path, body })
    return locale.href(accountPath('favorites'), { saved: 'alerts' })
  },
})

function alertsForm(
  locale: Locale<'account' | 'forms'>,
  { id, name }: { id: string; name: string },
  alerts: Schemas['ServerAlerts'] | undefined,
  refused: RefusedForm | undefined,
) {
  const { alerts: texts } = locale.t.account.favorites
  const people = (kind: 'playersAtLeast' | 'playersAtMost', least: number) =>
    field({
      name: kind,
      id: `${kind}-${id}`,
      label: texts[kind],
      value: alerts?.[kind],
      refused,
      type: 'number',
      min: least,
      max: 100_000,
    })
  return html`
    <details open=${Boolean(refused)}>
      <summary>${alerts ? texts.some : texts.none}<span class="visually-hidden"> ${name}</span></summary>
      <p class="hint">${texts.hint}</p>
      ${refusal(locale, refused)}
      ${form(texts.save, { action: 'alerts', id })`
        ${people('playersAtLeast', 1)} ${people('playersAtMost', 0)}
        ${checkboxes({
          name: 'when',
          label: texts.when,
          refused,
          chosen: (['backOnline', 'wipeSoon'] as const).filter((kind) => alerts?.[kind]),
          options: [
            ['backOnline', texts.backOnline],
            ['wipeSoon', texts.wipeSoon],
          ],
        })}
      `}
    </details>
  `
}
