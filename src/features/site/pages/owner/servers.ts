// The servers that an account owns, the servers of others that it is a member of, and its invitations.

import { withPort } from '../../../../platform/public-address.ts'
import { refusal } from '../../components/fields.ts'
import { savedNotice } from '../../components/forms.ts'
import { type Content, html } from '../../components/html.ts'
import { pager } from '../../components/lists.ts'
import { type OwnerLocale, ownerPath } from '../../components/owner/frame.ts'
import { receivedCard, roleTags } from '../../components/owner/team.ts'
import { onlineTag } from '../../components/parts.ts'
import type { Schemas } from '../../components/types.ts'
import { page, pageOf } from '../../page.ts'
import { OWNER } from './page.ts'

export const ownedServersPage = page({
  ...OWNER,
  path: '/my/servers',
  query: ['page', 'saved'],
  async data({ api, query, refused }) {
    const [owned, memberships, { invitations }] = await Promise.all([
      api.get('/user/servers', { query: pageOf(query) }),
      api.get('/user/memberships', { query: { limit: 100 } }),
      api.get('/user/invitations'),
    ])
    return { ...owned, ofOthers: memberships.servers, invitations, refused, saved: query.saved }
  },
  head: (locale) => ({ title: locale.t.owner.list.title, noindex: true }),
  view(locale, { servers, pagination, ofOthers, invitations, refused, saved }) {
    const { owner } = locale.t
    const { list } = owner
    const add = html`<a class="button" href=${locale.href('/my/servers/new')}>${list.add}</a>`
    const isEmpty = pagination.total + ofOthers.length === 0
    return html`
      <div class="area stack">
        <div class="row spread"><h1>${list.title}</h1>${!isEmpty && add}</div>
        ${savedNotice(locale, saved)} ${refusal(locale, refused)}
        ${receivedCard(locale, invitations)}
        ${isEmpty && html`<div class="empty"><p>${list.none}</p><p>${list.noneHint}</p><p>${add}</p></div>`}
        ${
          servers.length > 0 &&
          html`
            <ul class="card lines">
              ${servers.map((server) => serverLine(locale, server))}
            </ul>
          `
        }
        ${pager(locale, pagination, (page) => locale.href('/my/servers', { page }))}
        ${
          ofOthers.length > 0 &&
          html`
            <h2>${owner.team.ofOthers}</h2>
            <ul class="card lines">${ofOthers.map((server) => serverLine(locale, server, roleTags(locale, server)))}</ul>
          `
        }
      </div>
    `
  },
  async post({ api, form, locale }) {
    const { action, id = '' } = form
    if (action !== 'accept') {
      await api.post('/user/invitations/{id}/decline', { path: { id } })
      return locale.href('/my/servers', { saved: action })
    }
    const body = { keepSecrets: form.keepSecrets === 'true', keepTeam: form.keepTeam === 'true' }
    const { serverId } = await api.post('/user/invitations/{id}/accept', { path: { id }, body })
    return locale.href(ownerPath(serverId))
  },
})

/** A server of the list. @param role the visitor's role there, if not the owner */
function serverLine(locale: OwnerLocale, server: Schemas['OwnedServer'], role: Content = null) {
  const { common, owner } = locale.t
  return html`
    <li class="row spread">
      <div class="grow">
        <h2><a href=${locale.href(ownerPath(server.id))} dir="auto">${server.name}</a></h2>
        <p class="hint">${withPort(server.ipAddress, server.gamePort)} ${role}</p>
      </div>
      ${onlineTag(locale, server)}
      <span class="owned-votes"><b>${locale.say(common.votes, { n: server.totalVotes })}</b> <span class="hint">${locale.number(server.monthlyVotes)} ${owner.list.month}, ${locale.number(server.recentVotes)} ${owner.list.today}</span></span>
    </li>
  `
}
