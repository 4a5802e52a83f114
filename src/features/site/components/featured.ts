// Servers with a running placement.
import { html } from './html.ts'
import type { Locale } from './locale.ts'
import { copyButton, face, playersBar, serverPath } from './server-parts.ts'
import { serverRow } from './server-row.ts'
import type { Followed, Row } from './types.ts'

export interface FeaturedData extends Followed {
  servers: Row[]
}

/** A few cards above the list. */
export function featuredCards(locale: Locale<'directory'>, servers: readonly Row[]) {
  if (servers.length === 0) return null
  return html`
    <section class="featured" aria-label=${locale.t.directory.featured}>
      ${servers.map(
        (server) => html`
          <article class="card featured-card" key=${server.id}>
            <p class="quiet">${locale.t.directory.featured} · ${server.gameName}</p>
            <h2>${face(server, 24)}<a href=${locale.href(serverPath(server))} dir="auto">${server.name}</a></h2>
            ${playersBar(locale, server)} ${copyButton(locale, server.connectAddress, server.id)}
          </article>
        `,
      )}
    </section>
  `
}

export function featuredView(locale: Locale<'directory' | 'featured'>, { servers }: FeaturedData) {
  const { featured } = locale.t
  return html`
    <div class="stack">
      <h1>${featured.title}</h1>
      <p class="quiet">${featured.about} <a href=${locale.href('/auctions')}>${featured.auctions}</a></p>
      ${
        servers.length > 0
          ? html`<ol class="servers">${servers.map((server, n) => serverRow(locale, server, n + 1))}</ol>`
          : html`<div class="empty"><p>${featured.none}</p></div>`
      }
    </div>
  `
}
