// The first page of administrators: what is late, failing or stuck, polling and figures. Moderators see
// reports and players.
import type { Client } from '../client.ts'
import { type Content, html } from '../html.ts'
import type { Plural } from '../locale.ts'
import { card, factList, inEnglish, notice } from '../parts.ts'
import type { Schemas } from '../types.ts'
import { firstSteps } from './first-steps.ts'
import { type AdminLocale, type AdminPage, adminFrame, adminPath } from './frame.ts'
import { duration, queuePath, queuesTable, verdictTag, visibleQueues, withCode } from './queues.ts'
import { charts } from './totals.ts'

type Queue = Schemas['QueueState']

type Readings = Awaited<ReturnType<typeof readOverview>>
type Operation = Awaited<ReturnType<typeof readOperation>>
type AdminStats = Operation['stats']

export type OverviewData = AdminPage & Readings

const OVERDUE_SECONDS = 30

/** Reads the data of the page, on the server and in the browser. */
export async function readOverview(api: Pick<Client, 'get'>, isAdmin: boolean) {
  const [operation, totals, reports] = await Promise.all([
    isAdmin ? readOperation(api) : null,
    api.get('/stats').catch(() => null), // 503 while the process's directory is too old
    api.get('/admin/reports', { query: { status: 'open', limit: 1 } }),
  ])
  return { operation, totals, openReports: reports.pagination.total, now: Date.now() }
}

/** Reads the data that only administrators see. */
async function readOperation(api: Pick<Client, 'get'>) {
  const [steps, queues, stats] = await Promise.all([
    api.get('/admin/first-steps'),
    api.get('/admin/queues'),
    api.get('/admin/stats'),
  ])
  return { ...queues, firstSteps: steps, stats }
}

export function overviewView(locale: AdminLocale, data: OverviewData) {
  const { admin: t } = locale.t
  const { operation, totals, now } = data
  return adminFrame(
    locale,
    'overview',
    data,
    t.frame.title,
    html`
      ${
        operation &&
        html`
          ${firstSteps(locale, t.firstSteps, operation.firstSteps)}
          <div class="admin-columns">${figures(locale, operation.stats)} ${polling(locale, operation.stats)}</div>
        `
      }
      ${attention(locale, data)} ${operation && queuesTable(locale, operation, now)}
      ${totals && charts(locale, totals)}
    `,
  )
}

const problem = (tone: string, content: Content) => html`<li class="notice ${tone}">${content}</li>`

function attention(locale: AdminLocale, { operation, totals, openReports }: OverviewData) {
  const { admin: t } = locale.t
  const problems = [
    ...(operation ? problemsOfOperation(locale, operation) : []),
    operation && totals === null && problem('is-bad', t.overview.directoryStale),
    openReports > 0 &&
      problem(
        '',
        html`<a href=${locale.href(adminPath('reports'))}>${locale.say(t.overview.openReports, { n: openReports })}</a>`,
      ),
  ].filter(Boolean)
  return html`
    <section class="stack" aria-live="polite">
      <h2>${t.overview.attention}</h2>
      ${problems.length === 0 ? notice('good', operation ? t.overview.allWell : t.overview.noOpenReports) : html`<ul class="stack problems">${problems}</ul>`}
    </section>
  `
}

function problemsOfOperation(locale: AdminLocale, { queues, hasWorker, stats }: Operation) {
  const { admin: t } = locale.t
  const { overdue, overdueSeconds } = stats.polling
  return [
    !hasWorker && problem('is-bad', t.overview.noWorker),
    ...visibleQueues(queues)
      .filter(({ verdict }) => verdict !== 'ok')
      .map((queue) => problem(queue.verdict === 'late' ? 'is-warn' : 'is-bad', queueProblem(locale, queue))),
    overdueSeconds !== null &&
      overdueSeconds > OVERDUE_SECONDS &&
      problem('is-warn', locale.say(t.overview.overdue, { n: overdue, time: duration(locale, overdueSeconds) })),
  ]
}

/** A queue's problem, with the advice of the API: it is English, the same as of `npm run queues`. */
const queueProblem = (locale: AdminLocale, queue: Queue) => html`
  <p class="row"><b>${queue.name}</b>${verdictTag(locale, queue)}${
    queue.failed + queue.dead + (queue.verdict === 'failing' ? 1 : 0) > 0 &&
    html`<a href=${locale.href(queuePath(queue.name))}>${locale.t.admin.overview.showFailed}</a>`
  }</p>
  <p>${inEnglish(withCode(queue.advice))}</p>
`

function polling(locale: AdminLocale, { polling: { overdue }, polls, servers }: AdminStats) {
  const { admin: t } = locale.t
  return card(t.overview.polling)`
    ${factList([
      [t.overview.polls.overdue, locale.number(overdue)],
      [
        t.overview.polls.lastHour,
        `${locale.number(servers.polledLastHour)} / ${locale.number(servers.total - servers.hidden)}`,
      ],
      [t.overview.polls.neverAnswered, locale.number(servers.neverAnswered)],
      polls && [
        locale.say(t.overview.polls.answered, { time: locale.time(polls.hour) }),
        `${locale.percent(polls.polls > 0 ? polls.answered / polls.polls : 0)} (${locale.number(polls.answered)} / ${locale.number(polls.polls)})`,
      ],
    ])}
  `
}

function figures(locale: AdminLocale, { users, sessions, apiKeys, servers, claims }: AdminStats) {
  const { stats: t } = locale.t.admin.overview
  const figure = (total: number, ...parts: (readonly [number, string | Plural])[]) => html`
    <b>${locale.number(total)}</b>
    ${parts.length > 0 && html`<span class="quiet"> (${parts.map(([value, name]) => `${locale.number(value)} ${locale.say(name, { n: value })}`).join(', ')})</span>`}
  `
  return card(locale.t.admin.overview.figures)`
    ${factList([
      [
        t.users,
        figure(
          users.total,
          [users.lastDay, t.lastDay],
          [users.verified, t.verified],
          [users.banned, t.banned],
          [users.admins, t.admins],
        ),
      ],
      [t.sessions, figure(sessions.living)],
      [t.apiKeys, figure(apiKeys.usable, [apiKeys.usedLastDay, t.usedLastDay])],
      [
        t.servers,
        figure(
          servers.total,
          [servers.online, t.online],
          [servers.hidden, t.hidden],
          [servers.unowned, t.unowned],
          [servers.featured, t.featured],
        ),
      ],
      [t.claims, figure(claims.pending)],
    ])}
  `
}
