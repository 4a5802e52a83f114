// Reports about listings.
import { area, hiddenFields } from '../fields.ts'
import { careful } from '../forms.ts'
import { html } from '../html.ts'
import { ago, tag } from '../parts.ts'
import type { Schemas } from '../types.ts'
import { type AdminLocale, adminPath, choiceFilter, listedName, targetLink } from './frame.ts'
import { cards, type List, list } from './list.ts'

export interface ReportsData extends List {
  reports: Schemas['AdminReport'][]
}

const STATUSES = ['open', 'resolved', 'dismissed', 'all'] as const
const REASONS = ['offline', 'spam', 'abuse', 'misleading', 'other'] as const

export function reportsView(locale: AdminLocale, data: ReportsData) {
  const { admin: t } = locale.t
  const { query, reports, now } = data
  return list(locale, 'reports', data, {
    filters: [
      choiceFilter(
        { status: 'open', ...query },
        'status',
        t.status,
        STATUSES.map((status) => [status, t.statuses[status]]),
      ),
      choiceFilter(query, 'reason', t.reason, [
        ['', t.any],
        ...REASONS.map((reason) => [reason, t.reasons[reason]] as const),
      ]),
    ],
    items: cards(reports.map((report) => reportItem(locale, report, now))),
  })
}

function reportItem(locale: AdminLocale, report: Schemas['AdminReport'], now: number) {
  const { admin: t } = locale.t
  const { id, serverId, serverName, isListed, reporterId, reporterUsername, reason, details, status, note, createdAt } =
    report
  const decision = (to: string, label: string, look = 'quiet-button') =>
    html`<button class=${look} name="status" value=${to}>${label}</button>`
  return html`
    <li class="card stack" key=${id}>
      <div class="row">
        ${listedName(locale, serverId, serverName, isListed)}
        ${tag('warn', t.reasons[reason])}
        ${status !== 'open' && tag('', t.statuses[status])}
        ${!isListed && tag('', t.notListed)}
      </div>
      <p class="quiet">
        ${reporterId ? targetLink(locale, 'users', reporterId, locale.say(t.by, { name: reporterUsername })) : locale.say(t.by, { name: t.deletedAccount })},
        ${' '}${ago(locale, createdAt, now)}
      </p>
      ${details && html`<p class="prose" dir="auto">${details}</p>`}
      <form method="post" class="stack">
        ${hiddenFields({ action: 'decide', id })}
        ${area({ id: `note-${id}`, name: 'note', label: t.note, value: note, rows: 2, maxlength: 1000 })}
        <div class="row">
          ${status === 'open' ? [decision('resolved', t.resolve, ''), decision('dismissed', t.dismiss)] : decision('open', t.reopen)}
          <a class="button quiet-button" href=${locale.href(adminPath('servers'), { search: serverId })}>${t.moderate}</a>
        </div>
      </form>
      ${careful({ fields: { action: 'delete', id }, label: t.delete, warning: t.deleteReport, confirm: t.confirmDelete })}
    </li>
  `
}
