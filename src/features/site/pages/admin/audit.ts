// The audit log.
import { type AdminLocale, adminPath } from '../../components/admin/frame.ts'
import { html } from '../../components/html.ts'
import { table } from '../../components/lists.ts'
import type { Schemas } from '../../components/types.ts'
import { json, listPage, type Query, targetLink, textFilter, timeOrNone } from './list.ts'

export const auditPage = listPage({
  area: 'audit',
  query: ['action', 'actorId', 'targetId'],
  data: ({ api }, query) => api.get('/admin/audit', { query }),
  view(locale, { query, entries }) {
    const { admin: t } = locale.t
    return {
      filters: [
        textFilter(query, 'action', t.audit.action),
        textFilter(query, 'actorId', t.audit.actorId),
        textFilter(query, 'targetId', t.audit.targetId),
      ],
      items: table(
        t.frame.areas.audit,
        [t.audit.time, t.audit.action, t.audit.actor, t.audit.target, t.audit.details],
        entries.map((entry) => auditRow(locale, entry, query)),
      ),
    }
  },
})

/** Lists that find an audited target by its id. */
const TARGETS: Record<string, 'servers' | 'users'> = { server: 'servers', user: 'users' }

function auditRow(locale: AdminLocale, entry: Schemas['AuditRecord'], query: Query) {
  const { id, action, actorId, actorUsername, targetType, targetId, details } = entry
  const area = TARGETS[targetType]
  const code = html`<code>${targetId}</code>`
  const filtered = (change: Query) => locale.href(adminPath('audit'), { ...query, page: '', ...change })
  return html`
    <tr key=${id}>
      <td>${timeOrNone(locale, entry.at)}</td>
      <td><a href=${filtered({ action })}>${action}</a></td>
      <td>${targetLink(locale, 'users', actorId, actorUsername || locale.t.admin.audit.deletedActor)}</td>
      <td>
        ${targetType} ${area ? targetLink(locale, area, targetId, code) : html`<a href=${filtered({ targetId })}>${code}</a>`}
      </td>
      <td>${Object.keys(details).length > 0 && html`<details><summary>${locale.t.admin.audit.details}</summary>${json(details)}</details>`}</td>
    </tr>
  `
}
