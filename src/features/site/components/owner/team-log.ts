// The part of the audit log that a server's team sees: who did what on the server.
import { namesOfFields } from '../fields.ts'
import { html } from '../html.ts'
import { pager } from '../lists.ts'
import { card, lines, time } from '../parts.ts'
import type { Schemas } from '../types.ts'
import { type OwnerLocale, ownerPath } from './frame.ts'

export type TeamLog = { entries: readonly Schemas['ServerAuditEntry'][]; pagination: Schemas['Pagination'] }

export function teamLogCard(locale: OwnerLocale, serverId: string, { entries, pagination }: TeamLog) {
  const { log: texts } = locale.t.owner.team
  return card(texts.title)`
    <p class="quiet">${texts.lead}</p>
    ${lines(
      entries.map((entry) => entryLine(locale, entry)),
      texts.none,
    )}
    ${pager(locale, pagination, (page) => locale.href(ownerPath(serverId, 'team'), { page }))}
  `
}

function entryLine(locale: OwnerLocale, entry: Schemas['ServerAuditEntry']) {
  const { log: texts, roles } = locale.t.owner.team
  const { id, at, action, actorUsername, memberUsername, role, fields } = entry
  const names = namesOfFields(locale)
  const changed = [...new Set(fields.map((field) => names[field]).filter(Boolean))].join(', ')
  const about = [memberUsername && html`<bdi>${memberUsername}</bdi>`, role && roles[role], changed].filter(Boolean)
  return html`
    <li key=${id}>
      <b>${texts.actions[action]}</b>${about.map((part) => [' · ', part])}
      <p class="hint"><bdi>${actorUsername ?? texts.unnamed}</bdi>, ${time(locale, at)}</p>
    </li>
  `
}
