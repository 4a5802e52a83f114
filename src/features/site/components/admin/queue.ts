// A queue's failed jobs.
import { buttonForm } from '../fields.ts'
import { careful } from '../forms.ts'
import { html } from '../html.ts'
import { pager } from '../lists.ts'
import { crumb, inEnglish, lines } from '../parts.ts'
import type { Schemas } from '../types.ts'
import { type AdminLocale, type AdminPage, adminFrame, adminPath, at, json, type Pagination } from './frame.ts'
import { queuePath, verdictTag, withCode } from './queues.ts'

type Queue = Schemas['QueueState']

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
      ${crumb(locale, adminPath('overview'), t.queues)}
      <div class="row">${verdictTag(locale, queue)}${queue.advice && html`${inEnglish(withCode(queue.advice))}`}</div>
      <section class="card stack">
        <h2>${t.failedJobs}</h2>
        ${
          jobs.length > 0 &&
          html`<div class="row">
            ${(isDeadLetter || queue.dead > 0) && all('redrive', t.redriveAll, t.redriveWarning)}
            ${!isDeadLetter && queue.failed > 0 && all('retry', t.retryAll, t.retryWarning)}
          </div>`
        }
        ${lines(
          jobs.map(
            (job) => html`<li class="stack">
              <p lang="en" dir="auto"><b>${job.reason || '–'}</b></p>
              <p class="facts"><span>${t.failedAt} ${at(locale, job.failedAt)}</span><span>${locale.say(t.attempts, { n: job.attempts })}</span></p>
              <details><summary>${t.payload}</summary>${json(job.payload)}</details>
              ${buttonForm({ fields: { action: actionOf(job), id: job.id }, label: actionOf(job) === 'redrive' ? t.redrive : t.retry })}
            </li>`,
          ),
          t.noFailed,
        )}
        ${pager(locale, pagination, (to) => locale.href(queuePath(queue.name), { page: to }))}
      </section>
    `,
  )
}
