// Favorites.

import { withPort } from '../../../../platform/public-address.ts'
import { buttonForm } from '../../components/fields.ts'
import { html } from '../../components/html.ts'
import { card, lines } from '../../components/parts.ts'
import { playersBar, serverPath } from '../../components/server-parts.ts'
import { accountPage, accountPath } from './page.ts'

export const favoritesPage = accountPage({
  tab: 'favorites',
  data: ({ api }) => api.get('/user/favorites'),
  view(locale, { favorites }) {
    const { favorites: texts } = locale.t.account
    return card(texts.title)`
      ${lines(
        favorites.map(
          (server) => html`
            <li class="row spread">
              <div class="grow">
                <a href=${locale.href(serverPath(server))} dir="auto"><b>${server.name}</b></a>
                <p class="hint">${withPort(server.ipAddress, server.gamePort)}</p>
              </div>
              <div class="row"><div class="players-cell">${playersBar(locale, server)}</div>
              ${buttonForm({ fields: { id: server.id }, label: html`${texts.remove}<span class="visually-hidden"> ${server.name}</span>` })}</div>
            </li>
          `,
        ),
        texts.none,
      )}
      <p><a href=${locale.href('/')}>${texts.browse}</a></p>
    `
  },
  async post({ api, form, locale }) {
    await api.delete('/servers/{id}/favorite', { path: { id: form.id ?? '' } })
    return locale.href(accountPath('favorites'))
  },
})
