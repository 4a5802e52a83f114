// The table of all servers, in which administrators select some and hide them.
import { withPort } from '../../../../platform/public-address.ts'
import { gameName } from '../../../games/index.ts'
import { type AdminLocale, adminPath } from '../../components/admin/frame.ts'
import { hiddenFields, refusedOf } from '../../components/fields.ts'
import { html } from '../../components/html.ts'
import { table } from '../../components/lists.ts'
import { ago, onlineTag, tag } from '../../components/parts.ts'
import type { Schemas } from '../../components/types.ts'
import { accountLink } from './list.ts'
import type { Shared } from './page.ts'

type Server = Schemas['AdminServer']

const BULK = 'bulk'

export function serverTable(locale: AdminLocale, servers: readonly Server[], page: Shared) {
  const { admin: t } = locale.t
  // The script that makes the checkbox work displays it.
  const selectAll = html`<input type="checkbox" id="select-all" aria-label=${t.servers.selectAll} hidden />`
  const columns = [
    selectAll,
    t.common.server,
    t.servers.game,
    t.servers.address,
    t.servers.state,
    t.servers.players,
    t.common.votes,
    t.servers.owner,
    t.servers.polled,
  ]
  return html`
    <form method="post" id=${BULK} class="row bulk">
      ${hiddenFields({ action: 'bulk' })}
      <label class="grow">${t.servers.hideReason} <input name="reason" maxlength="200" autocomplete="off" defaultValue=${refusedOf(page.refused, BULK)?.form.reason ?? ''} /></label>
      <button class="quiet-button" name="to" value="true">${t.servers.hideSelected}</button>
      <button class="quiet-button" name="to" value="false">${t.servers.restoreSelected}</button>
      <span id="selected" class="quiet" role="status"></span>
    </form>
    <div class="server-table">${table(
      t.frame.areas.servers,
      columns,
      servers.map((server) => serverRow(locale, server, page)),
    )}</div>
  `
}

function serverRow(locale: AdminLocale, server: Server, page: Shared) {
  const { admin: t } = locale.t
  const { id, name, game, ownerId, ownerUsername, isVerified, isFeatured, lastPolledAt } = server
  return html`
    <tr key=${id}>
      <td><input type="checkbox" name="selected" value=${id} form=${BULK} aria-label=${locale.say(t.servers.select, { name })} /></td>
      <th scope="row" title=${name}><a href=${locale.href(adminPath('servers'), { search: id })} dir="auto">${name}</a></th>
      <td>${gameName(game)}</td>
      <td><code>${withPort(server.ipAddress, server.gamePort)}</code></td>
      <td>${stateTag(locale, server)} ${isVerified && tag('', t.servers.verified)} ${isFeatured && tag('', t.servers.featured)}</td>
      <td class="number">${locale.number(server.currentPlayers)} / ${locale.number(server.maxPlayers)}</td>
      <td class="number">${locale.number(server.totalVotes)}</td>
      <td dir="auto">${ownerId ? accountLink(locale, page, ownerId, ownerUsername) : html`<span class="quiet">${t.servers.noOwner}</span>`}</td>
      <td>${lastPolledAt ? ago(locale, lastPolledAt, page.now) : t.common.never}</td>
    </tr>
  `
}

/** Only a server that does not answer is red: a hidden server is not polled, and a new one has not been polled yet. */
export function stateTag(locale: AdminLocale, server: Pick<Server, 'hiddenBy' | 'lastPolledAt' | 'isOnline'>) {
  const { admin: t } = locale.t
  if (server.hiddenBy) return tag('warn', t.servers.hiddenBy[server.hiddenBy])
  return server.lastPolledAt === null ? tag('', t.servers.notPolled) : onlineTag(locale, server)
}
