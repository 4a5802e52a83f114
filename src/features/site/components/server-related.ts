// Servers like another one.
import { html } from './html.ts'
import type { Locale } from './locale.ts'
import { card } from './parts.ts'
import { playersBar, serverPath } from './server-parts.ts'
import type { Row } from './types.ts'

export function relatedServers(locale: Locale<'server'>, servers: readonly Row[]) {
  if (servers.length === 0) return null
  return card(locale.t.server.related)`
    <ul class="related">
      ${servers.map(
        (server) => html`
          <li key=${server.id}>
            <div>
              <a href=${locale.href(serverPath(server))} dir="auto"><b>${server.name}</b></a>
              <p class="quiet">${[server.map, server.gameMode, server.country && locale.country(server.country)].filter(Boolean).join(' · ')}</p>
            </div>
            ${playersBar(locale, server)}
          </li>
        `,
      )}
    </ul>
  `
}
