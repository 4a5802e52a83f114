// Whether a queue works, and what an operator should do if not: one rule for the operation, the command and the page.
import type { Verdict } from './queues.schema.ts'
import type { QueueRow } from './queues.sql.ts'

/** Workers supervise the queues when they start and every 10 s. After this time no worker is running. */
const SUPERVISED_WITHIN_SECONDS = 60
/** No job waits longer while workers keep up. */
const LATE_SECONDS = 60
/** Except runs of sources: a worker has two at a time, each of up to half an hour, and others wait without harm. */
const LATE_SECONDS_OF: Record<string, number> = { discovery: 1800 }

const MORE_WORKERS = 'The workers don’t keep up: start another one.'
/** Of scheduled queues, whose policy allows one active job. */
const ONE_RUN = 'The run before lasts longer than usual, and only one runs at a time: look at the workers’ log.'
const LOG_ADVICE = 'Look at the workers’ log; restart a worker that hangs.'
const COPY_ADVICE = `This database is a restored copy: jobs that send or charge wait until \`npm run adopt\`. If these do neither: ${LOG_ADVICE}`

/** Whether a worker is running. */
export const isSupervised = (supervisedSecondsAgo: number | null): boolean =>
  supervisedSecondsAgo !== null && supervisedSecondsAgo <= SUPERVISED_WITHIN_SECONDS

export interface Installation {
  hasWorker: boolean
  /** Whether the database is a restored copy that no operator has adopted. */
  isCopy: boolean
}

/**
 * The worst verdict that applies to a queue, with the first step to take. A queue is failing as long as failed jobs are
 * kept, because an operator must examine them, unless a later run has completed their work.
 */
export function classifyQueue(
  queue: QueueRow,
  { hasWorker, isCopy }: Installation,
): { verdict: Verdict; advice: string } {
  const { name } = queue
  const last = queue.lastReason === null ? '' : `, the last because of “${queue.lastReason}”`
  const waits = queue.oldestAgeSeconds ?? 0
  if (queue.isDeadLetter) {
    const dead = queue.ready + queue.deferred + queue.failed
    if (dead === 0) return { verdict: 'ok', advice: '' }
    const conflicts = queue.failed
      ? ` ${jobs(queue.failed)} could not be moved, because the queue had a job with the same key: redrive again when that job has ended.`
      : ''
    return {
      verdict: 'failing',
      advice: `${jobs(dead)} failed permanently. Look at them with \`npm run queues -- failed ${name}\`; when the cause is fixed, \`npm run queues -- redrive ${name}\`.${conflicts}`,
    }
  }
  if (!hasWorker && (queue.ready > 0 || queue.active > 0))
    return {
      verdict: 'stuck',
      advice: 'No worker is running. Start one with `npm run start:worker`. If one is running, it hangs: restart it.',
    }
  if (queue.lostJobs > 0)
    return {
      verdict: 'stuck',
      advice: `A worker stopped while it had ${jobs(queue.lostJobs)}. Another worker takes over within a minute; if not, restart the workers.`,
    }
  if (queue.ready > 0 && waits > LATE_SECONDS && !isHandled(queue))
    return {
      verdict: 'stuck',
      advice: `Jobs have waited for ${formatDuration(waits)} and no worker handles them. ${isCopy ? COPY_ADVICE : LOG_ADVICE}`,
    }
  if (queue.ready > 0 && waits > (LATE_SECONDS_OF[name] ?? LATE_SECONDS))
    return {
      verdict: 'late',
      advice: `Jobs have waited for ${formatDuration(waits)}. ${queue.schedule === null ? MORE_WORKERS : ONE_RUN}`,
    }
  if (queue.failed > 0 || queue.dead > 0)
    return {
      verdict: 'failing',
      advice: `${jobs(queue.failed + queue.dead)} failed permanently${last}. Look at them with \`npm run queues -- failed ${name}\`; when the cause is fixed, \`npm run queues -- ${queue.dead ? 'redrive' : 'retry'} ${name}\`.`,
    }
  return { verdict: 'ok', advice: '' }
}

/** Between two fetches of a loop no job is active, so jobs that were completed lately count too. */
const isHandled = ({ active, completedPerMinute }: QueueRow): boolean => active > 0 || (completedPerMinute ?? 0) > 0

function formatDuration(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`
}

const jobs = (count: number) => (count === 1 ? '1 job' : `${count} jobs`)
