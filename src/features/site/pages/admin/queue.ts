// A queue's jobs by state, with the recovery of failed ones.
import { type AdminLocale, adminFrame, adminPath } from '../../components/admin/frame.ts'
import { queuePath, verdictTag, withCode } from '../../components/admin/queues.ts'
import { buttonForm } from '../../components/fields.ts'
import { confirmButton } from '../../components/forms.ts'
import { html } from '../../components/html.ts'
import { pager } from '../../components/lists.ts'
import { breadcrumb, inEnglish, lines, links } from '../../components/parts.ts'
import type { Schemas } from '../../components/types.ts'
import { json, timeOrNone } from './list.ts'
import { adminPage } from './page.ts'

const STATES = ['failed', 'ready', 'active', 'deferred', 'completed'] as const
type State = (typeof STATES)[number]

export const queuePage = adminPage({
  path: '/admin/queues/{name}',
  query: ['state'],
  async data({ api, params: path }, { state = 'failed', ...range }: { state?: State; page?: number }) {
    const listed =
      state === 'failed'
        ? api.get('/admin/queues/{name}/failed', { path, query: range })
        : api.get('/admin/queues/{name}/jobs', { path, query: { state, ...range } })
    const [{ jobs, pagination }, { queues }] = await Promise.all([listed, api.get('/admin/queues')])
    const queue = queues.find((one) => one.name === path.name) as Schemas['QueueState']
    const isDeadLetter = queues.some(({ deadLetter }) => deadLetter === path.name)
    return { queue, isDeadLetter, state, jobs, pagination }
  },
  title: (_locale, { queue }) => queue.name,
  view(locale, data) {
    const { admin: t } = locale.t
    const { queue, isDeadLetter, state, jobs, pagination } = data
    const hrefOf = (query: Record<string, string | undefined>) => locale.href(queuePath(queue.name), query)
    const states = STATES.map((one) => ({
      href: hrefOf({ state: one === 'failed' ? undefined : one }),
      name: t.queues[one],
      isHere: one === state,
    }))
    return adminFrame(
      locale,
      'overview',
      data,
      queue.name,
      html`
        ${breadcrumb(locale, adminPath('overview'), t.queues.title)}
        <div class="row">${verdictTag(locale, queue)}${queue.advice && html`${inEnglish(withCode(queue.advice))}`}</div>
        <section class="card stack">
          <h2>${t.queues.jobs}</h2>
          ${links('sorts', t.queues.verdict, states)}
          ${
            state === 'failed'
              ? failedJobs(locale, { queue, isDeadLetter, jobs: jobs as Schemas['FailedJob'][] })
              : otherJobs(locale, jobs as Schemas['QueueJob'][])
          }
          ${pager(locale, pagination, (page) => hrefOf({ state: state === 'failed' ? undefined : state, page }))}
        </section>
      `,
    )
  },
  async post({ api, params: path, form, locale }) {
    const body = form.id ? { ids: [form.id] } : {}
    const there = (done: string, n: number) => locale.href(queuePath(path.name), { done, n: String(n) })
    if (form.action === 'redrive') {
      const { redriven } = await api.post('/admin/queues/{name}/redrive', { path, body })
      return there('redriven', redriven)
    }
    const { retried } = await api.post('/admin/queues/{name}/retry', { path, body })
    return there('retried', retried)
  },
})

interface FailedJobs {
  queue: Schemas['QueueState']
  isDeadLetter: boolean
  jobs: Schemas['FailedJob'][]
}

function failedJobs(locale: AdminLocale, { queue, isDeadLetter, jobs }: FailedJobs) {
  const { admin: t } = locale.t
  /** Dead letters are moved back to their queue; a failed job that is still in its own queue is retried. */
  const actionOf = ({ queue: kept }: Schemas['FailedJob']) =>
    isDeadLetter || kept !== queue.name ? 'redrive' : 'retry'
  const all = (action: 'redrive' | 'retry', label: string, warning: string) =>
    confirmButton({ fields: { action }, label, warning, confirm: label })
  return html`
    ${
      jobs.length > 0 &&
      html`<div class="row">
        ${(isDeadLetter || queue.dead > 0) && all('redrive', t.queues.redriveAll, t.queues.redriveWarning)}
        ${!isDeadLetter && queue.failed > 0 && all('retry', t.queues.retryAll, t.queues.retryWarning)}
      </div>`
    }
    ${lines(
      jobs.map(
        (job) => html`<li class="stack">
          <p lang="en" dir="auto"><b>${job.reason || '–'}</b></p>
          <p class="facts"><span>${t.queues.failedAt} ${timeOrNone(locale, job.failedAt)}</span><span>${locale.say(t.queues.attempts, { n: job.attempts })}</span></p>
          <details><summary>${t.queues.payload}</summary>${json(job.payload)}</details>
          ${buttonForm({ fields: { action: actionOf(job), id: job.id }, label: actionOf(job) === 'redrive' ? t.queues.redrive : t.queues.retry })}
        </li>`,
      ),
      t.queues.noFailed,
    )}
  `
}

function otherJobs(locale: AdminLocale, jobs: Schemas['QueueJob'][]) {
  const { admin: t } = locale.t
  return lines(
    jobs.map(
      (job) => html`<li class="stack">
        ${job.reason && html`<p lang="en" dir="auto"><b>${job.reason}</b></p>`}
        <p class="facts">
          <span>${t.queues.dueAt} ${timeOrNone(locale, job.dueAt)}</span>
          ${job.startedAt && html`<span>${t.queues.startedAt} ${timeOrNone(locale, job.startedAt)}</span>`}
          ${job.completedAt && html`<span>${t.queues.completedAt} ${timeOrNone(locale, job.completedAt)}</span>`}
          <span>${locale.say(t.queues.attempts, { n: job.attempts })}</span>
        </p>
        <details><summary>${t.queues.payload}</summary><code>${job.id}</code>${json(job.payload)}</details>
      </li>`,
    ),
    t.queues.noJobs,
  )
}
