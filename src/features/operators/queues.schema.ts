// What operators see of the queues: how much waits, for how long, what failed, and what to do about it.
import * as z from 'zod'
import { Pagination, pageQuery } from '../../platform/http/paging.ts'

const count = z.int().min(0)
const instant = z.iso.datetime({ precision: 3 })

export const VERDICTS = ['ok', 'late', 'failing', 'stuck'] as const
export type Verdict = (typeof VERDICTS)[number]

export const QueueState = z
  .object({
    name: z.string(),
    verdict: z
      .enum(VERDICTS)
      .describe('stuck: nobody works on it; late: work waits too long; failing: jobs fail for good; else ok'),
    advice: z.string().describe('What to do, in words; empty when it is ok'),
    ready: count.describe('Jobs that could run now'),
    active: count.describe('Jobs being worked on'),
    deferred: count.describe('Jobs that are due later, retries included'),
    failed: count.describe('Jobs that failed for good and are still kept'),
    dead: count.describe('Jobs of this queue in its dead letter queue'),
    oldestAgeSeconds: z.number().nullable().describe('How long the oldest ready job has been ready; null without one'),
    lostJobs: count.describe('Active jobs whose worker has stopped saying that it is alive'),
    completedPerMinute: z.number().nullable().describe('Null until a worker has counted the queue'),
    failedPerMinute: z.number().nullable(),
    deadLetter: z.string().nullable().describe('Where its jobs go that fail for good'),
    schedule: z.string().nullable().describe('Cron, UTC'),
    lastRunAt: instant.nullable().describe('When a job of it was last completed, as far as they are kept'),
  })
  .meta({ id: 'QueueState' })
export type QueueState = z.output<typeof QueueState>

export const Queues = z.object({
  queues: z.array(QueueState),
  supervisedSecondsAgo: z
    .number()
    .nullable()
    .describe('When a worker last looked after the queues; null: never. Above a minute no worker is running'),
})

export const QueueParams = z.object({ name: z.string() })
export const FailedQuery = z.object(pageQuery({ limit: 20, maxLimit: 100 }))

export const FailedJob = z
  .object({
    id: z.uuid(),
    queue: z.string().describe('Where it lies: the queue itself, or its dead letter queue'),
    createdAt: instant,
    failedAt: instant.nullable(),
    attempts: count,
    reason: z.string().describe('What its last attempt said'),
    payload: z.unknown().describe('What it was asked to do; never a secret'),
  })
  .meta({ id: 'FailedJob' })
export const FailedJobs = z.object({ jobs: z.array(FailedJob), pagination: Pagination })

const ids = z
  .array(z.uuid('must be a job’s id'))
  .min(1, 'must name at least one job')
  .max(1000, 'must name at most 1000 jobs')
  .optional()
  .describe('Only these jobs; all unless given')
export const JobsChoice = z.object({ ids }).default({})
export const Retried = z.object({ retried: count })
export const Redriven = z.object({ redriven: count })
