// Queues and failed jobs as text for a terminal.
import type { listFailedJobs, listJobs, listQueues } from '../../src/features/queues/index.ts'

type Listed = Awaited<ReturnType<typeof listQueues>>
type Failed = Awaited<ReturnType<typeof listFailedJobs>>
type Listing = Awaited<ReturnType<typeof listJobs>>

/** One line for each queue, 80 columns wide if all numbers are small, then the advice for queues that need it. */
export function queuesTable({ queues, supervisedSecondsAgo }: Listed): string {
  const header = ['QUEUE', 'VERDICT', 'READY', 'ACTIVE', 'LATER', 'FAILED', 'DEAD', 'OLDEST', 'DONE/m', 'FAIL/m']
  const rows = queues.map((queue) =>
    [
      queue.name,
      queue.verdict,
      queue.ready,
      queue.active,
      queue.deferred,
      queue.failed,
      queue.dead,
      queue.oldestAgeSeconds === null ? '-' : `${Math.round(queue.oldestAgeSeconds)} s`,
      queue.completedPerMinute ?? '-',
      queue.failedPerMinute ?? '-',
    ].map(String),
  )
  const advice = queues.filter(({ verdict }) => verdict !== 'ok').map(({ name, advice }) => `${name}: ${advice}`)
  const workers =
    supervisedSecondsAgo === null
      ? 'no worker has supervised the queues yet'
      : `a worker supervised the queues ${Math.round(supervisedSecondsAgo)} s ago`
  return `${align([header, ...rows])}\n${[workers, ...advice].join('\n')}\n`
}

export function jobsTable({ jobs, pagination }: Listing, state: string): string {
  return pageOf(pagination, `${state} jobs`, jobs, (job) => {
    const { attempts, reason } = job
    const when = whenOf(job, state)
    return [`${job.id}  ${when}  ${attempts} attempts`, ...(reason === null ? [] : [cut(reason)]), cut(job.payload)]
  })
}

function whenOf({ startedAt, completedAt, dueAt }: Listing['jobs'][number], state: string): string {
  if (completedAt) return `completed ${completedAt.toISOString()}`
  if (startedAt && state === 'active') return `started ${startedAt.toISOString()}`
  return `due ${dueAt.toISOString()}`
}

export function failedTable({ jobs, pagination }: Failed): string {
  return pageOf(pagination, 'failed jobs', jobs, ({ id, queue, failedAt, attempts, reason, payload }) => [
    `${id}  ${queue}  ${failedAt?.toISOString() ?? '-'}  ${attempts} attempts`,
    cut(reason),
    cut(payload),
  ])
}

/** Each job as a line and indented lines below it. @param what plural, as in “no failed jobs” */
function pageOf<Job>(
  { page, totalPages, total }: Failed['pagination'],
  what: string,
  jobs: Job[],
  linesOf: (job: Job) => string[],
): string {
  if (!jobs.length) return `no ${what}${total ? ' on this page' : ''}\n`
  return `${jobs.map((job) => linesOf(job).join('\n    ')).join('\n')}\npage ${page} of ${totalPages}, ${total} jobs\n`
}

const cut = (value: unknown): string => {
  const text = typeof value === 'string' ? value.replace(/\s+/g, ' ') : (JSON.stringify(value) ?? '')
  return text.slice(0, 300)
}

function align(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  return rows
    .map((row) => row.map((cell, n) => (n < 2 ? cell.padEnd(widths[n] ?? 0) : cell.padStart(widths[n] ?? 0))).join(' '))
    .map((line) => `${line.trimEnd()}\n`)
    .join('')
}
