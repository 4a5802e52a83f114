// All servers, also hidden ones.
import { buttonForm, hiddenFields } from '../fields.ts'
import { careful } from '../forms.ts'
import { html } from '../html.ts'
import { onlineTag, tag } from '../parts.ts'
import { addressOf } from '../server-parts.ts'
import type { Schemas } from '../types.ts'
import { type AdminLocale, auditLink, choiceFilter, flagFilter, listedName, targetLink, textFilter } from './frame.ts'
import { cards, type List, list } from './list.ts'

export interface ServersData extends List {
  servers: Schemas['AdminServer'][]
}

export function serversView(locale: AdminLocale, data: ServersData) {
  const { admin: t } = locale.t
  const { query } = data
  return list(locale, 'servers', data, {
    filters: [
      textFilter(query, 'search', t.search),
      flagFilter(locale, query, 'hidden', t.hidden),
      flagFilter(locale, query, 'verified', t.verified),
      flagFilter(locale, query, 'online', t.online),
      choiceFilter(query, 'owner', t.owner, [
        ['', t.any],
        ['none', t.noOwner],
        ...(query.owner && query.owner !== 'none' ? [[query.owner, query.owner] as const] : []),
      ]),
    ],
    items: cards(data.servers.map((server) => serverItem(locale, server, data.now))),
  })
}

function serverItem(locale: AdminLocale, server: Schemas['AdminServer'], now: number) {
  const { admin: t } = locale.t
  const { id, name, game, ownerId, ownerUsername, isVerified, isFeatured, hiddenAt } = server
  const { consecutiveFailures, lastPolledAt, totalVotes, currentPlayers, maxPlayers } = server
  const turn = (field: string, to: boolean, label: string) =>
    buttonForm({ fields: { action: 'set', id, field, to: String(to) }, label })
  return html`
    <li class="card stack" key=${id}>
      <div class="row">
        ${listedName(locale, id, name, hiddenAt === null)}
        ${onlineTag(locale, server)}
        ${hiddenAt !== null && tag('bad', t.hidden)}
        ${isVerified && tag('', t.verified)}
        ${isFeatured && tag('', t.featured)}
      </div>
      <p class="facts wraps">
        <span>${game}</span><span><code>${addressOf(server)}</code></span>
        <span>${locale.say(locale.t.common.playersOf, { now: currentPlayers, n: maxPlayers })}</span>
        <span>${locale.say(locale.t.common.votes, { n: totalVotes })}</span>
        <span>${ownerId ? targetLink(locale, 'users', ownerId, ownerUsername) : t.noOwner}</span>
        <span>${locale.say(t.lastPolled, { time: lastPolledAt ? locale.relative(lastPolledAt, now) : t.never })}</span>
        ${consecutiveFailures > 0 && html`<span>${locale.say(t.failures, { n: consecutiveFailures })}</span>`}
      </p>
      <div class="row">
        ${hiddenAt === null ? turn('hidden', true, t.hide) : turn('hidden', false, t.restore)}
        ${isVerified ? turn('isVerified', false, t.unverify) : turn('isVerified', true, t.verify)}
        ${isFeatured ? turn('isFeatured', false, t.unfeature) : turn('isFeatured', true, t.feature)}
        ${auditLink(locale, { targetId: id })}
      </div>
      <details>
        <summary>${t.setOwner}</summary>
        <form method="post" class="row">
          ${hiddenFields({ action: 'owner', id })}
          <label class="grow">${t.ownerId} <input name="ownerId" value=${ownerId ?? ''} autocomplete="off" /></label>
          <button class="quiet-button">${t.setOwner}</button>
        </form>
      </details>
      ${careful({ fields: { action: 'delete', id }, label: t.removeServer, warning: t.removeServerWarning, confirm: t.confirmRemoveServer })}
    </li>
  `
}
