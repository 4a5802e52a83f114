// The servers that an account owns, the servers of others that it is a member of, and its invitations.
import type { Client } from '../../components/client.ts'
import { refusal } from '../../components/fields.ts'
import { savedNotice } from '../../components/forms.ts'
import { type Content, html } from '../../components/html.ts'
import { pager } from '../../components/lists.ts'
import { type OwnerLocale, ownerPath } from '../../components/owner/frame.ts'
import { receivedCard, roleTags } from '../../components/owner/team.ts'
import { onlineTag, tag } from '../../components/parts.ts'
import type { Listing, Schemas } from '../../components/types.ts'
import { ifFound, page, pageOf } from '../../page.ts'
import { findListed } from '../listed-servers.ts'
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
    const ofOthers = memberships.servers
    const details = await findDetails(
      api,
      [...owned.servers, ...ofOthers].map(({ id }) => id),
    )
    return { ...owned, ofOthers, details, invitations, refused, saved: query.saved }
  },
  head: (locale) => ({ title: locale.t.owner.list.title, noindex: true }),
  view(locale, { servers, pagination, ofOthers, details, invitations, refused, saved }) {
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
              ${servers.map((server) => serverLine(locale, server, details))}
            </ul>
          `
        }
        ${pager(locale, pagination, (page) => locale.href('/my/servers', { page }))}
        ${
          ofOthers.length > 0 &&
          html`
            <h2>${owner.team.ofOthers}</h2>
            <ul class="card lines">${ofOthers.map((server) => serverLine(locale, server, details, roleTags(locale, server)))}</ul>
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

interface Details {
  /** What players type to reach it. */
  connectAddress: string
  /** Missing: it is listed. */
  visibility?: Listing['visibility']
}

/** Details of each server, by id. Only its team can read those of a server that is not listed. */
async function findDetails(api: Client, ids: readonly string[]): Promise<Map<string, Details>> {
  const listed = await findListed(api, ids)
  const others = ids.filter((id) => !listed.has(id))
  const unlisted = await Promise.all(others.map((id) => ifFound(api.get('/servers/{id}/listing', { path: { id } }))))
  const found = [...listed.values(), ...unlisted].filter((server) => server !== undefined)
  return new Map(found.map((server): [string, Details] => [server.id, server]))
}

/** A server of the list. @param role the visitor's role there, if not the owner */
function serverLine(
  locale: OwnerLocale,
  server: Schemas['OwnedServer'],
  details: ReadonlyMap<string, Details>,
  role: Content = null,
) {
  const { common, owner } = locale.t
  const { connectAddress, visibility = 'listed' } = details.get(server.id) ?? {}
  return html`
    <li class="row spread">
      <div class="grow">
        <h2><a href=${locale.href(ownerPath(server.id))} dir="auto">${server.name}</a></h2>
        <p class="hint">${connectAddress} ${role}</p>
      </div>
      ${visibility !== 'listed' && tag('warn', owner.list.visibility[visibility])} ${onlineTag(locale, server)}
      <span class="owned-votes"><b>${locale.say(common.votes, { n: server.totalVotes })}</b> <span class="hint">${locale.number(server.monthlyVotes)} ${owner.list.month}, ${locale.number(server.recentVotes)} ${owner.list.day}</span></span>
    </li>
  `
}
