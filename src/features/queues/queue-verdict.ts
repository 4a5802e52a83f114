// Whether a queue works, and what an operator should do if not: one rule for the operation, the command and the board.
import type { Verdict } from './queues.schema.ts'
import type { QueueRow } from './queues.sql.ts'

/** Workers supervise the queues every 10 s. After this time no worker is running. */
const SUPERVISED_WITHIN_SECONDS = 60
/** No job waits longer while workers keep up. */
const LATE_SECONDS = 60

/**
 * The worst verdict that applies to a queue, with the first step to take. A queue is failing as long as failed jobs are
 * kept, because an operator must examine them; a scheduled one until its next run completes.
 */
export function classifyQueue(
  queue: QueueRow,
  supervisedSecondsAgo: number | null,
): { verdict: Verdict; advice: string } {
  const { name } = queue
  const last = queue.lastReason === null ? '' : `, the last because of “${queue.lastReason}”`
  const waits = queue.oldestAgeSeconds ?? 0
  const unattended = supervisedSecondsAgo === null || supervisedSecondsAgo > SUPERVISED_WITHIN_SECONDS
  if (queue.isDeadLetter)
    return queue.ready + queue.deferred > 0
      ? {
          verdict: 'failing',
          advice: `${queue.ready + queue.deferred} jobs failed permanently. Look at them with \`npm run queues -- failed ${name}\`; when the cause is fixed, \`npm run queues -- redrive ${name}\`.`,
        }
      : { verdict: 'ok', advice: '' }
  if (unattended && (queue.ready > 0 || queue.active > 0))
    return {
      verdict: 'stuck',
      advice: 'No worker is running. Start one with `npm run start:worker`. If one is running, it hangs: restart it.',
    }
  if (queue.lostJobs > 0)
    return {
      verdict: 'stuck',
      advice: `${queue.lostJobs} jobs belong to a worker that has stopped. Another worker gets them within a minute; if not, restart the workers.`,
    }
  if (queue.ready > 0 && waits > LATE_SECONDS)
    return queue.active === 0
      ? {
          verdict: 'stuck',
          advice: `Jobs have waited for ${formatDuration(waits)} and no worker handles them. Look at the workers’ log; restart a worker that hangs.`,
        }
      : {
          verdict: 'late',
          advice: `Jobs have waited for ${formatDuration(waits)}. The workers don’t keep up: start another one.`,
        }
  if (queue.failed > 0 || queue.dead > 0)
    return {
      verdict: 'failing',
      advice: `${queue.failed + queue.dead} jobs failed permanently${last}. Look at them with \`npm run queues -- failed ${name}\`; when the cause is fixed, \`npm run queues -- ${queue.dead ? 'redrive' : 'retry'} ${name}\`.`,
    }
  return { verdict: 'ok', advice: '' }
}

function formatDuration(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`
}
