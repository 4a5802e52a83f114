// Reports about listings, and findings of suspicious votes.
import { type AdminLocale, adminPath } from '../../components/admin/frame.ts'
import { area, hiddenFields, refusal, refusedOf } from '../../components/fields.ts'
import { confirmButton } from '../../components/forms.ts'
import { html } from '../../components/html.ts'
import { ago, tag } from '../../components/parts.ts'
import type { Schemas } from '../../components/types.ts'
import { accountLink, cards, choiceFilter, listedName, listPage } from './list.ts'
import { backToList, type Shared } from './page.ts'
import { voidingLink, voidingReason } from './voiding.ts'

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
        choiceFilter({ status: 'open', ...query }, 'status', t.common.status, Object.entries(t.reports.statuses)),
        choiceFilter(query, 'reason', t.reports.reason, [['', t.common.any], ...Object.entries(t.reports.reasons)]),
      ],
      items: cards(reports.map((report) => reportItem(locale, report, page))),
    }
  },
  async post(input) {
    const { id = '', action, status, note = '', reason = '' } = input.form
    const { api } = input
    if (action === 'void') {
      await api.post('/admin/reports/{id}/void', { path: { id }, body: { reason } })
      return backToList(input, 'reports', 'voiding')
    }
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
  const { id, serverId, serverName, isListed, reason, details, finding, status } = report
  return html`
    <li class="card stack" key=${id}>
      <div class="row">
        ${serverId === null ? html`<h2>${t.findings.allServers}</h2>` : listedName(locale, serverId, serverName, isListed)}
        ${tag('warn', finding ? t.findings.signals[finding.signal] : t.reports.reasons[reason])}
        ${status !== 'open' && tag('', t.reports.statuses[status])}
        ${serverId !== null && !isListed && tag('', t.common.notListed)}
      </div>
      <p class="quiet">${finding ? t.findings.by : reporterOf(locale, report, page)}, ${ago(locale, report.createdAt, page.now)}</p>
      ${finding && html`<p>${findingText(locale, finding)}</p>`}
      ${details && html`<p class="prose" dir="auto">${details}</p>`}
      ${decisionForm(locale, report, page)}
      ${finding && status === 'open' && voidForm(locale, id, page)}
      ${confirmButton({ fields: { action: 'delete', id }, label: t.common.delete, warning: t.reports.deleteReport, confirm: t.common.confirmDelete })}
    </li>
  `
}

function reporterOf(locale: AdminLocale, { reporterId, reporterUsername }: Schemas['AdminReport'], page: Shared) {
  const { admin: t } = locale.t
  return reporterId
    ? accountLink(locale, page, reporterId, locale.say(t.reports.by, { name: reporterUsername }))
    : locale.say(t.reports.by, { name: t.reports.unnamedAccount })
}

function findingText(locale: AdminLocale, finding: Schemas['VoteFinding']) {
  const { findings: t } = locale.t.admin
  const { signal, votes, selected, usualShare, busiestDay, selection } = finding
  const [looked, suspicious] = [locale.number(votes), locale.number(selected)]
  const usual = locale.percent(usualShare ?? 0)
  const busiest = locale.number(busiestDay ?? 0)
  const elsewhere = selection.serverId === undefined ? t.before : t.others
  const n = selection.networks?.split(',').length ?? 0
  return [
    locale.say(t.texts[signal], { n, votes: looked, selected: suspicious, busiest }),
    usualShare !== null && [' ', locale.say(elsewhere, { share: usual })],
  ]
}

function decisionForm(locale: AdminLocale, report: Schemas['AdminReport'], { refused }: Shared) {
  const { id, serverId, status, note, finding } = report
  const ofDecision = refused?.form.id === id ? refusedOf(refused, 'decide') : undefined
  const { admin: t } = locale.t
  const decision = (to: string, label: string, look = 'quiet-button') =>
    html`<button class=${look} name="status" value=${to}>${label}</button>`
  const answers = finding
    ? decision('dismissed', t.findings.fine, '')
    : [decision('resolved', t.reports.resolve, ''), decision('dismissed', t.reports.dismiss)]
  return html`
    <form method="post" class="stack">
      ${hiddenFields({ action: 'decide', id })}
      ${area({ id: `note-${id}`, name: 'note', label: t.reports.note, value: note, refused: ofDecision, rows: 2, maxlength: 1000 })}
      <div class="row">
        ${status === 'open' ? answers : decision('open', t.reports.reopen)}
        ${finding && voidingLink(locale, t.findings.look, finding.selection)}
        ${serverId !== null && html`<a class="button quiet-button" href=${locale.href(adminPath('servers'), { search: serverId })}>${t.reports.moderate}</a>`}
      </div>
    </form>
  `
}

function voidForm(locale: AdminLocale, id: string, { refused }: Shared) {
  const { voiding: t, findings } = locale.t.admin
  const ofVoid = refused?.form.id === id ? refusedOf(refused, 'void') : undefined
  return html`
    ${refusal(locale, ofVoid)}
    ${confirmButton({
      fields: { action: 'void', id },
      label: findings.void,
      warning: t.warning,
      confirm: t.confirm,
      isOpen: ofVoid !== undefined,
      asks: voidingReason(locale, ofVoid),
    })}
  `
}
