// The administrators' first page: what is late, failing or stuck, queues, polling and figures; and a queue's failed jobs.
import type { Client } from '../../../../examples/client/client.ts'
import type { Pagination } from './admin.ts'
import { type AdminLocale, type AdminPage, adminFrame, adminPath, at, headings, json, scrolling } from './admin.ts'
import { buttonForm, careful, pager } from './forms.ts'
import { type Content, html } from './html.ts'
import type { Schemas } from './types.ts'

type Queue = Schemas['QueueState']

interface Readings {
  queues: Queue[]
  supervisedSecondsAgo: number | null
  stats: AdminStats
  /** Null while the process' directory is too old. */
  totals: Schemas['Statistics'] | null
  openReports: number
  /** Epoch ms. */
  now: number
}
type AdminStats = Awaited<ReturnType<typeof readStats>>
const readStats = (api: Pick<Client, 'get'>) => api.get('/admin/stats')

export interface OverviewData extends AdminPage, Readings {}

/** On the server and in the browser. */
export async function readOverview(api: Pick<Client, 'get'>): Promise<Readings> {
  const [{ queues, supervisedSecondsAgo }, stats, totals, reports] = await Promise.all([
    api.get('/admin/queues'),
    readStats(api),
    api.get('/stats').catch(() => null),
    api.get('/admin/reports', { query: { status: 'open', limit: 1 } }),
  ])
  return { queues, supervisedSecondsAgo, stats, totals, openReports: reports.pagination.total, now: Date.now() }
}

const WORST_FIRST = ['stuck', 'late', 'failing', 'ok'] as const
const TONES = { stuck: 'is-bad', late: 'is-warn', failing: 'is-bad', ok: 'is-good' }
/** As the queues' verdict and `npm run doctor` have it. */
const SUPERVISED_WITHIN_SECONDS = 60
const OVERDUE_SECONDS = 30
const SHOWN_TOTALS = 8

const queuePath = (name: string) => `/admin/queues/${encodeURIComponent(name)}`

/** The dead letters of a queue are counted with it, so their own queue is shown only when it says more. */
function shownQueues(queues: Queue[]): Queue[] {
  const deadLetters = new Map(queues.flatMap((queue) => (queue.deadLetter ? [[queue.deadLetter, queue] as const] : [])))
  const isShown = ({ name, verdict }: Queue) => {
    const source = deadLetters.get(name)
    return !source || (verdict !== 'ok' && source.verdict === 'ok')
  }
  return queues
    .filter(isShown)
    .sort((a, b) => WORST_FIRST.indexOf(a.verdict) - WORST_FIRST.indexOf(b.verdict) || (a.name < b.name ? -1 : 1))
}

export function overviewView(locale: AdminLocale, data: OverviewData) {
  const { admin: t } = locale.t
  return adminFrame(
    locale,
    'overview',
    data,
    t.title,
    html`
      ${attention(locale, data)} ${queuesTable(locale, data)}
      <div class="admin-columns">${polling(locale, data.stats)} ${figures(locale, data.stats)}</div>
      ${data.totals && charts(locale, data.totals)}
    `,
  )
}

function attention(locale: AdminLocale, { queues, supervisedSecondsAgo, stats, totals, openReports }: OverviewData) {
  const { admin: t } = locale.t
  const { overdue, overdueSeconds } = stats.polling
  const isUnattended = supervisedSecondsAgo === null || supervisedSecondsAgo > SUPERVISED_WITHIN_SECONDS
  const problem = (tone: string, content: Content) => html`<li class="notice ${tone}">${content}</li>`
  const problems = [
    isUnattended && problem('is-bad', t.noWorker),
    totals === null && problem('is-bad', t.directoryStale),
    ...shownQueues(queues)
      .filter(({ verdict }) => verdict !== 'ok')
      .map((queue) => problem(queue.verdict === 'late' ? 'is-warn' : 'is-bad', queueProblem(locale, queue))),
    overdueSeconds !== null &&
      overdueSeconds > OVERDUE_SECONDS &&
      problem('is-warn', locale.say(t.overdue, { n: overdue, time: duration(locale, overdueSeconds) })),
    openReports > 0 &&
      problem(
        '',
        html`<a href=${locale.href(adminPath('reports'))}>${locale.say(t.openReports, { n: openReports })}</a>`,
      ),
  ].filter(Boolean)
  return html`
    <section class="stack" aria-live="polite">
      <h2>${t.attention}</h2>
      ${problems.length === 0 ? html`<p class="notice is-good">${t.allWell}</p>` : html`<ul class="stack problems">${problems}</ul>`}
    </section>
  `
}

/** The advice is the API's, in English, as for `npm run queues`. */
const queueProblem = (locale: AdminLocale, queue: Queue) => html`
  <p class="row"><b>${queue.name}</b>${verdictTag(locale, queue)}${
    queue.failed + queue.dead + (queue.verdict === 'failing' ? 1 : 0) > 0 &&
    html`<a href=${locale.href(queuePath(queue.name))}>${locale.t.admin.showFailed}</a>`
  }</p>
  <p lang="en" dir="ltr">${withCode(queue.advice)}</p>
`

/** Shows what is between backticks as code. */
const withCode = (text: string): Content =>
  text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))

const verdictTag = ({ t: { admin: t } }: AdminLocale, { verdict }: Queue) =>
  html`<span class="tag ${TONES[verdict]}">${t.verdicts[verdict]}</span>`

function queuesTable(locale: AdminLocale, { queues, supervisedSecondsAgo, now }: OverviewData) {
  const { admin: t } = locale.t
  const supervised =
    supervisedSecondsAgo === null
      ? t.never
      : locale.relative(new Date(now - supervisedSecondsAgo * 1000).toISOString(), now)
  const count = (value: number) => html`<td class="number ${value === 0 ? 'quiet' : ''}">${locale.number(value)}</td>`
  return html`
    <section class="card stack">
      <h2>${t.queues}</h2>
      ${scrolling(
        t.queues,
        html`<table>
          ${headings(t.queue, t.verdict, t.ready, t.active, t.deferred, t.failed, t.oldest, t.perMinute, t.schedule, t.lastRun)}
          <tbody>
            ${shownQueues(queues).map(
              (queue) => html`<tr key=${queue.name}>
                <th scope="row"><a href=${locale.href(queuePath(queue.name))}>${queue.name}</a></th>
                <td>${verdictTag(locale, queue)}</td>
                ${count(queue.ready)} ${count(queue.active)} ${count(queue.deferred)} ${count(queue.failed + queue.dead)}
                <td class="number">${queue.oldestAgeSeconds === null ? '–' : duration(locale, queue.oldestAgeSeconds)}</td>
                <td class="number">${queue.completedPerMinute === null ? '–' : locale.number(queue.completedPerMinute)}</td>
                <td>${queue.schedule && html`<code>${queue.schedule}</code>`}</td>
                <td>${queue.schedule && (queue.lastRunAt ? locale.relative(queue.lastRunAt, now) : t.never)}</td>
              </tr>`,
            )}
          </tbody>
        </table>`,
      )}
      <p class="hint">${locale.say(t.supervised, { time: supervised })}</p>
    </section>
  `
}

/** Of whole seconds, minutes, hours or days. */
function duration(locale: AdminLocale, seconds: number): string {
  const [unit, length] =
    seconds < 120
      ? (['second', 1] as const)
      : seconds < 7200
        ? (['minute', 60] as const)
        : seconds < 172_800
          ? (['hour', 3600] as const)
          : (['day', 86_400] as const)
  return Math.round(seconds / length).toLocaleString(locale.language, { style: 'unit', unit, unitDisplay: 'short' })
}

const pairs = (rows: (readonly [name: string, value: Content])[]) =>
  html`<dl class="pairs">${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`

function polling(locale: AdminLocale, { polling: { overdue }, polls, servers }: AdminStats) {
  const { admin: t } = locale.t
  return html`
    <section class="card stack">
      <h2>${t.polling}</h2>
      ${pairs([
        [t.polls.overdue, locale.number(overdue)],
        [
          t.polls.lastHour,
          `${locale.number(servers.polledLastHour)} / ${locale.number(servers.total - servers.hidden)}`,
        ],
        [t.polls.neverAnswered, locale.number(servers.neverAnswered)],
        ...(polls
          ? [
              [
                locale.say(t.polls.answered, { time: locale.time(polls.hour) }),
                `${locale.percent(polls.polls > 0 ? polls.answered / polls.polls : 0)} (${locale.number(polls.answered)} / ${locale.number(polls.polls)})`,
              ] as const,
            ]
          : []),
      ])}
    </section>
  `
}

function figures(locale: AdminLocale, { users, sessions, apiKeys, servers, claims }: AdminStats) {
  const { stats: t } = locale.t.admin
  const figure = (total: number, ...parts: (readonly [number, string])[]) => html`
    <b>${locale.number(total)}</b>
    ${parts.length > 0 && html`<span class="quiet"> (${parts.map(([value, name]) => `${locale.number(value)} ${name}`).join(', ')})</span>`}
  `
  return html`
    <section class="card stack">
      <h2>${locale.t.admin.figures}</h2>
      ${pairs([
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
    </section>
  `
}

function charts(locale: AdminLocale, { hours, playersByHour, games, countries }: Schemas['Statistics']) {
  const { admin: t } = locale.t
  const bars = (title: string, rows: { name: string; players: number }[]) => {
    const most = Math.max(1, ...rows.map(({ players }) => players))
    return html`
      <section class="card stack">
        <h2>${title}</h2>
        <ul class="bars">
          ${rows.slice(0, SHOWN_TOTALS).map(
            ({ name, players }) => html`<li>
              <span dir="auto">${name}</span> <b>${locale.number(players)}</b>
              <svg class="gauge" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect class="gauge-all" width="100" height="6" /><rect class="gauge-now" width=${(players / most) * 100} height="6" /></svg>
            </li>`,
          )}
        </ul>
      </section>
    `
  }
  return html`
    <section class="card stack">
      <h2>${t.playersDay}</h2>
      ${playersByHour.every((value) => value === null) ? html`<p class="quiet">${t.noHours}</p>` : hoursChart(locale, hours, playersByHour)}
    </section>
    <div class="admin-columns">
      ${bars(
        t.playersByGame,
        games.map(({ gameName, players }) => ({ name: gameName, players })),
      )}
      ${bars(
        t.playersByCountry,
        countries.map(({ country, players }) => ({ name: locale.country(country), players })),
      )}
    </div>
  `
}

const CHART = { width: 960, height: 120, gap: 4 }

/** A bar for each hour; an hour without polls has none. */
function hoursChart(locale: AdminLocale, hours: string[], players: (number | null)[]) {
  const most = Math.max(1, ...players.map((value) => value ?? 0))
  const step = CHART.width / hours.length
  const label = locale.say(locale.t.admin.peak, { n: most })
  return html`
    <svg class="hours" viewBox="0 0 ${CHART.width} ${CHART.height}" preserveAspectRatio="none" role="img" aria-label="${locale.t.admin.playersDay}: ${label}">
      ${players.map((value, index) => {
        if (value === null) return null
        const height = Math.max(1, (value / most) * CHART.height)
        return html`<rect x=${index * step + CHART.gap / 2} y=${CHART.height - height} width=${step - CHART.gap} height=${height} rx="2"><title>${locale.time(hours[index] ?? '')}: ${locale.number(value)}</title></rect>`
      })}
    </svg>
    <p class="row spread hint"><span>${locale.time(hours[0] ?? '')}</span><span>${label}</span><span>${locale.time(hours.at(-1) ?? '')}</span></p>
  `
}

export interface QueueData extends AdminPage {
  queue: Queue
  isDeadLetter: boolean
  jobs: Schemas['FailedJob'][]
  pagination: Pagination
}

export function queueView(locale: AdminLocale, data: QueueData) {
  const { admin: t } = locale.t
  const { queue, isDeadLetter, jobs, pagination } = data
  /** Dead letters are moved back; a job that stayed in its own queue is retried. */
  const actionOf = ({ queue: kept }: Schemas['FailedJob']) =>
    isDeadLetter || kept !== queue.name ? 'redrive' : 'retry'
  const all = (action: 'redrive' | 'retry', label: string, warning: string) =>
    careful({ fields: { action }, label, warning, confirm: label })
  return adminFrame(
    locale,
    'overview',
    data,
    queue.name,
    html`
      <p><a href=${locale.href(adminPath('overview'))}>${t.queues}</a></p>
      <div class="row">${verdictTag(locale, queue)}${queue.advice && html`<span lang="en" dir="ltr">${withCode(queue.advice)}</span>`}</div>
      <section class="card stack">
        <h2>${t.failedJobs}</h2>
        ${jobs.length === 0 && html`<p class="quiet">${t.noFailed}</p>`}
        ${
          jobs.length > 0 &&
          html`<div class="row">
            ${(isDeadLetter || queue.dead > 0) && all('redrive', t.redriveAll, t.redriveWarning)}
            ${!isDeadLetter && queue.failed > 0 && all('retry', t.retryAll, t.retryWarning)}
          </div>`
        }
        <ul class="lines">
          ${jobs.map(
            (job) => html`<li class="stack">
              <p dir="auto"><b>${job.reason || '–'}</b></p>
              <p class="facts"><span>${t.failedAt} ${at(locale, job.failedAt)}</span><span>${locale.say(t.attempts, { n: job.attempts })}</span></p>
              <details><summary>${t.payload}</summary>${json(job.payload)}</details>
              ${buttonForm({ fields: { action: actionOf(job), id: job.id }, label: actionOf(job) === 'redrive' ? t.redrive : t.retry })}
            </li>`,
          )}
        </ul>
        ${pager(locale, pagination, (to) => locale.href(queuePath(queue.name), { page: to }))}
      </section>
    `,
  )
}
