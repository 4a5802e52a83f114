// An owner's servers.

import { withPort } from '../../../../platform/public-address.ts'
import { html } from '../../components/html.ts'
import { pager } from '../../components/lists.ts'
import { ownerPath } from '../../components/owner/frame.ts'
import { onlineTag } from '../../components/parts.ts'
import { page, pageOf } from '../../page.ts'
import { OWNER } from './page.ts'

export const ownedServersPage = page({
  ...OWNER,
  path: '/my/servers',
  query: ['page'],
  data: ({ api, query }) => api.get('/user/servers', { query: pageOf(query) }),
  head: (locale) => ({ title: locale.t.owner.list.title, noindex: true }),
  view(locale, { servers, pagination }) {
    const { common, owner } = locale.t
    const { list } = owner
    const add = html`<a class="button" href=${locale.href('/my/servers/new')}>${list.add}</a>`
    return html`
      <div class="area stack">
        <div class="row spread"><h1>${list.title}</h1>${servers.length > 0 && add}</div>
        ${
          servers.length > 0
            ? html`
              <ul class="card lines">
                ${servers.map(
                  (server) => html`
                    <li class="row spread">
                      <div class="grow">
                        <h2><a href=${locale.href(ownerPath(server.id))} dir="auto">${server.name}</a></h2>
                        <p class="hint">${withPort(server.ipAddress, server.gamePort)}</p>
                      </div>
                      ${onlineTag(locale, server)}
                      <span class="owned-votes"><b>${locale.say(common.votes, { n: server.totalVotes })}</b> <span class="hint">${locale.number(server.monthlyVotes)} ${list.month}, ${locale.number(server.recentVotes)} ${list.today}</span></span>
                    </li>
                  `,
                )}
              </ul>
              ${pager(locale, pagination, (page) => locale.href('/my/servers', { page }))}
            `
            : html`<div class="empty"><p>${list.none}</p><p>${list.noneHint}</p><p>${add}</p></div>`
        }
      </div>
    `
  },
})
