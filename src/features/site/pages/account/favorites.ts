// Favorites, and the alerts on them.
import { withPort } from '../../../../platform/public-address.ts'
import { buttonForm, field, form, type RefusedForm, refusal } from '../../components/fields.ts'
import { checkboxes, savedNotice } from '../../components/forms.ts'
import { html } from '../../components/html.ts'
import type { Locale } from '../../components/locale.ts'
import { ago, card, lines } from '../../components/parts.ts'
import { playersBar, serverPath } from '../../components/server-parts.ts'
import type { Schemas } from '../../components/types.ts'
import { listOf, numberOf } from '../../form.ts'
import { findListed } from '../listed-servers.ts'
import { accountPage, accountPath, type Shared } from './page.ts'

export const favoritesPage = accountPage({
  tab: 'favorites',
  script: 'favorites.ts',
  embedded: () => ({}),
  async data({ api }) {
    const [{ favorites }, { alerts }, { browsers }] = await Promise.all([
      api.get('/user/favorites'),
      api.get('/user/alerts'),
      api.get('/user/push-browsers'),
    ])
    const listed = await findListed(
      api,
      favorites.map(({ id }) => id),
    )
    const withAddresses = favorites.map((server) => ({
      ...server,
      connectAddress: listed.get(server.id)?.connectAddress ?? withPort(server.ipAddress, server.gamePort),
    }))
    return { favorites: withAddresses, alerts, browsers }
  },
  view: (locale, data) => [favoritesCard(locale, data), browsersCard(locale, data)],
  async post({ api, form, locale }) {
    const path = { id: form.id ?? '' }
    if (form.action === 'remove-browser') {
      await api.delete('/user/push-browsers/{id}', { path })
      return locale.href(accountPath('favorites'), { saved: 'browser' })
    }
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

type FavoriteServer = Parameters<typeof playersBar>[1] & {
  id: string
  name: string
  connectAddress: string
}

interface Data extends Shared {
  favorites: readonly FavoriteServer[]
  alerts: readonly Schemas['ServerAlerts'][]
  browsers: readonly Schemas['PushBrowser'][]
}

function favoritesCard(locale: Locale<'account' | 'forms'>, { favorites, alerts, refused, saved }: Data) {
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
                <p class="hint">${server.connectAddress}</p>
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
}

/** The browsers that get alerts; mails and chat messages need none. */
function browsersCard(locale: Locale<'account' | 'forms'>, { browsers, now }: Data) {
  const { browsers: texts } = locale.t.account.favorites
  return card(texts.title)`
    <p class="quiet">${texts.lead}</p>
    ${lines(
      browsers.map(
        ({ id, createdAt }) => html`
          <li class="row spread" key=${id}>
            <span>${texts.added} ${ago(locale, createdAt, now)}</span>
            ${buttonForm({ fields: { action: 'remove-browser', id }, label: texts.remove })}
          </li>
        `,
      ),
      texts.none,
    )}
    <p><button type="button" id="add-browser" hidden>${texts.add}</button></p>
    <p class="notice is-bad" role="alert" id="add-browser-problem" hidden></p>
    <noscript><p class="hint">${texts.needsScript}</p></noscript>
  `
}

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
