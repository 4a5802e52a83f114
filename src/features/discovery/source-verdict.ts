// Whether a source works, and what an operator should do if not: one rule for the operation, the doctor and the board.
import type { SourceState } from './runs.sql.ts'

export const SOURCE_VERDICTS = ['ok', 'late', 'failing', 'stuck'] as const
export type SourceVerdict = (typeof SOURCE_VERDICTS)[number]

/** Runs are enqueued each minute and begin within seconds. */
const LATE_SECONDS = 300
/** A run that lasts longer is ended. */
const MAX_RUN_SECONDS = 1_800
/** One failure may be the network's. */
const MIN_FAILURES = 2
/** A source that has lost more than half of what is listed is more likely broken than right. */
const MIN_LISTED = 20

export interface JudgedSource extends Omit<SourceState, 'nextRunAt'> {
  isEnabled: boolean
  listed: number
  nextRunAt: Date | null
}

/**
 * The worst verdict that applies to a source, with the first step to take.
 * @param now by the database's clock, epoch ms
 */
export function judgeSource(source: JudgedSource, now: number): { verdict: SourceVerdict; advice: string } {
  const { isEnabled, startedAt, finishedAt, nextRunAt, failures, error, missing, listed } = source
  const age = (instant: Date) => (now - instant.getTime()) / 1000
  if (!isEnabled) return { verdict: 'ok', advice: '' }
  if (startedAt && !finishedAt && age(startedAt) > MAX_RUN_SECONDS)
    return {
      verdict: 'stuck',
      advice: `A run began ${minutes(age(startedAt))} ago and did not end: its worker was stopped. Run the source again.`,
    }
  if (nextRunAt && age(nextRunAt) > LATE_SECONDS)
    return {
      verdict: 'late',
      advice: `Its run is ${minutes(age(nextRunAt))} overdue. Look at the queues \`discovery\` and \`discovery-schedule\`, and whether a worker is running.`,
    }
  if (failures >= MIN_FAILURES)
    return {
      verdict: 'failing',
      advice: `The last ${failures} runs failed, the last because of “${error}”. \`npm run doctor\` says whether the source can be reached. No server is removed meanwhile.`,
    }
  if (listed >= MIN_LISTED && missing > listed / 2)
    return {
      verdict: 'failing',
      advice: `The last run did not find ${missing} of the ${listed} servers that are listed. They stay while they answer. Look whether the source is complete.`,
    }
  return { verdict: 'ok', advice: '' }
}

const minutes = (seconds: number) =>
  seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`
