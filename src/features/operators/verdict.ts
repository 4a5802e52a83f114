// How a queue is doing, and what the operator should do about it: one rule for the endpoint, the command and the board.
import type { Verdict } from './queues.schema.ts'
import type { QueueRow } from './queues.sql.ts'

/** Workers look after the queues every 10 s; past this none is at work. */
export const SUPERVISED_WITHIN_SECONDS = 60
/** No job of ours may wait longer while workers keep up. */
const LATE_SECONDS = 60

/**
 * The worst that is true of a queue, with what to do first. Jobs that failed long ago count as failing as long as they are
 * kept: somebody has to look at them.
 */
export function judgeQueue(queue: QueueRow, supervisedSecondsAgo: number | null): { verdict: Verdict; advice: string } {
  const { name } = queue
  const waits = queue.oldestAgeSeconds ?? 0
  const unattended = supervisedSecondsAgo === null || supervisedSecondsAgo > SUPERVISED_WITHIN_SECONDS
  if (queue.isDeadLetter)
    return queue.ready + queue.deferred > 0
      ? {
          verdict: 'failing',
          advice: `${queue.ready + queue.deferred} jobs failed for good. Look at them with \`npm run queues -- failed ${name}\`; when the cause is mended, \`npm run queues -- redrive ${name}\`.`,
        }
      : { verdict: 'ok', advice: '' }
  if (unattended && (queue.ready > 0 || queue.active > 0))
    return {
      verdict: 'stuck',
      advice: 'No worker is at work. Start one: `npm run start:worker`; if one is running, it hangs: restart it.',
    }
  if (queue.lostJobs > 0)
    return {
      verdict: 'stuck',
      advice: `${queue.lostJobs} jobs are with a worker that has stopped. They are given to another within a minute; if not, restart the workers.`,
    }
  if (queue.ready > 0 && waits > LATE_SECONDS)
    return queue.active === 0
      ? {
          verdict: 'stuck',
          advice: `Jobs wait for ${duration(waits)} and nobody works on them. Look at the workers’ log; restart a worker that hangs.`,
        }
      : {
          verdict: 'late',
          advice: `Jobs wait for ${duration(waits)}. The workers don’t keep up: start another one.`,
        }
  if (queue.failed > 0 || queue.dead > 0)
    return {
      verdict: 'failing',
      advice: `${queue.failed + queue.dead} jobs failed for good. Look at them with \`npm run queues -- failed ${name}\`; when the cause is mended, \`npm run queues -- ${queue.dead ? 'redrive' : 'retry'} ${name}\`.`,
    }
  return { verdict: 'ok', advice: '' }
}

function duration(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`
}
