// Favorites.
import { buttonForm } from '../fields.ts'
import { html } from '../html.ts'
import { card, lines } from '../parts.ts'
import { addressOf, playersBar, serverPath } from '../server-parts.ts'
import type { Schemas } from '../types.ts'
import { type AccountData, type AccountLocale, around } from './frame.ts'

export interface FavoritesData extends AccountData {
  favorites: Schemas['FavoriteServer'][]
}

export function favoritesView(locale: AccountLocale, data: FavoritesData) {
  const { favorites: texts } = locale.t.account
  return around(
    locale,
    'favorites',
    data,
    card(texts.title)`
      ${lines(
        data.favorites.map(
          (server) => html`
            <li class="row spread">
              <div class="grow">
                <a href=${locale.href(serverPath(server.id))} dir="auto"><b>${server.name}</b></a>
                <p class="hint">${addressOf(server)}</p>
              </div>
              <div class="row"><div class="players-cell">${playersBar(locale, server)}</div>
              ${buttonForm({ fields: { id: server.id }, label: html`${texts.remove}<span class="visually-hidden"> ${server.name}</span>` })}</div>
            </li>
          `,
        ),
        texts.none,
      )}
      <p><a href=${locale.href('/')}>${texts.browse}</a></p>
    `,
  )
}
