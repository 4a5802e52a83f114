// Servers similar to the one on the page.
import { html } from './html.ts'
import type { Locale } from './locale.ts'
import { card } from './parts.ts'
import { playersBar, serverPath } from './server-parts.ts'
import type { Row } from './types.ts'

/** The facts as separate elements: an Arabic map name does not change the direction of what follows it. */
const factsOf = (locale: Locale<'server'>, { map, gameMode, country }: Row) =>
  [map, gameMode, country && locale.country(country)]
    .filter(Boolean)
    .map((fact, n) => [n > 0 && ' · ', html`<bdi>${fact}</bdi>`])

export function relatedServers(locale: Locale<'server'>, servers: readonly Row[]) {
  if (servers.length === 0) return null
  return card(locale.t.server.related)`
    <ul class="related">
      ${servers.map(
        (server) => html`
          <li key=${server.id}>
            <div>
              <a href=${locale.href(serverPath(server))} dir="auto"><b>${server.name}</b></a>
              <p class="quiet">${factsOf(locale, server)}</p>
            </div>
            ${playersBar(locale, server)}
          </li>
        `,
      )}
    </ul>
  `
}
