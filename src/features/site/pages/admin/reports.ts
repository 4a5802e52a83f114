// Reports about listings.
import { type AdminLocale, adminPath } from '../../components/admin/frame.ts'
import { area, hiddenFields } from '../../components/fields.ts'
import { confirmButton } from '../../components/forms.ts'
import { html } from '../../components/html.ts'
import { ago, tag } from '../../components/parts.ts'
import type { Schemas } from '../../components/types.ts'
import { accountLink, cards, choiceFilter, listedName, listPage } from './list.ts'
import { backToList, type Shared } from './page.ts'

export const reportsPage = listPage({
  area: 'reports',
  query: ['status', 'reason'],
  data({ api }, filters) {
    const { status = 'open', ...others } = filters as { status?: string }
    return api.get('/admin/reports', { query: status === 'all' ? others : ({ ...others, status } as object) })
  },
  view(locale, { reports, ...page }) {
    const { query } = page
    const { admin: t } = locale.t
    return {
      filters: [
        choiceFilter({ status: 'open', ...query }, 'status', t.status, Object.entries(t.statuses)),
        choiceFilter(query, 'reason', t.reason, [['', t.any], ...Object.entries(t.reasons)]),
      ],
      items: cards(reports.map((report) => reportItem(locale, report, page))),
    }
  },
  async post(input) {
    const { id = '', action, status, note = '' } = input.form
    const { api } = input
    if (action === 'delete') {
      await api.delete('/admin/reports/{id}', { path: { id } })
      return backToList(input, 'reports', 'deleted')
    }
    await api.patch('/admin/reports/{id}', { path: { id }, body: { status: status as 'resolved', note } })
    return backToList(input, 'reports', 'saved')
  },
})

function reportItem(locale: AdminLocale, report: Schemas['AdminReport'], page: Shared) {
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
        ${reporterId ? accountLink(locale, page, reporterId, locale.say(t.by, { name: reporterUsername })) : locale.say(t.by, { name: t.deletedAccount })},
        ${' '}${ago(locale, createdAt, page.now)}
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
      ${confirmButton({ fields: { action: 'delete', id }, label: t.delete, warning: t.deleteReport, confirm: t.confirmDelete })}
    </li>
  `
}
