// Queues and failed jobs as text for a terminal.
import type { listFailedJobs, listQueues } from '../../src/features/queues/index.ts'

type Listed = Awaited<ReturnType<typeof listQueues>>
type Failed = Awaited<ReturnType<typeof listFailedJobs>>

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

export function failedTable({ jobs, pagination }: Failed): string {
  if (!jobs.length) return `no failed jobs${pagination.total ? ' on this page' : ''}\n`
  const lines = jobs.map(
    ({ id, queue, failedAt, attempts, reason, payload }) =>
      `${id}  ${queue}  ${failedAt?.toISOString() ?? '-'}  ${attempts} attempts\n    ${reason.replace(/\s+/g, ' ').slice(0, 300)}\n    ${JSON.stringify(payload)?.slice(0, 300)}`,
  )
  return `${lines.join('\n')}\npage ${pagination.page} of ${pagination.totalPages}, ${pagination.total} jobs\n`
}

function align(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  return rows
    .map((row) => row.map((cell, n) => (n < 2 ? cell.padEnd(widths[n] ?? 0) : cell.padStart(widths[n] ?? 0))).join(' '))
    .map((line) => `${line.trimEnd()}\n`)
    .join('')
}
