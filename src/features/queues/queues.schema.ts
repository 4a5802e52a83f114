// Requests and responses of queue administration.
import * as z from 'zod'
import { pageOf, pageQuery } from '../../platform/http/paging.ts'
import { Timestamp } from '../../platform/http/timestamp.ts'

const count = z.int().min(0)

export const QueueState = z
  .object({
    name: z.string(),
    verdict: z
      .enum(['ok', 'late', 'failing', 'stuck'])
      .describe(
        '`stuck`: no worker handles its jobs; `late`: jobs wait too long; `failing`: jobs failed permanently; otherwise `ok`',
      ),
    advice: z.string().describe('What to do; empty if the verdict is `ok`'),
    ready: count.describe('Jobs that are due'),
    active: count.describe('Jobs that a worker handles'),
    deferred: count.describe('Jobs that are due later, retries included'),
    failed: count.describe(
      'Jobs that failed permanently and are still kept; not those whose work a later run has completed, such as the next run of a scheduled queue',
    ),
    dead: count.describe('Jobs of this queue in its dead letter queue'),
    lastReason: z.string().nullable().describe('Why the newest of these failed, cut to 200 characters'),
    oldestAgeSeconds: z
      .number()
      .nullable()
      .describe('How long the oldest ready job has been ready; null if there is none'),
    lostJobs: count.describe('Active jobs whose worker no longer sends heartbeats'),
    completedPerMinute: z.number().nullable().describe('Null until a worker has counted the queue'),
    failedPerMinute: z.number().nullable(),
    deadLetter: z.string().nullable().describe('The queue that gets its permanently failed jobs'),
    schedule: z.string().nullable().describe('Cron, UTC'),
    lastRunAt: Timestamp.nullable().describe(
      'When a job of a scheduled queue was last completed; null if none is kept',
    ),
  })
  .meta({ id: 'QueueState' })
export type Verdict = z.output<typeof QueueState>['verdict']

export const Queues = z.object({
  queues: z.array(QueueState),
  hasWorker: z.boolean().describe('Whether a worker is running: one has supervised the queues within a minute'),
  supervisedSecondsAgo: z
    .number()
    .nullable()
    .describe(
      'When a worker last supervised the queues; before the first time, when they were created; null: there are none',
    ),
})

export const QueueParams = z.object({ name: z.string() })
export const FailedQuery = z.object(pageQuery({ limit: 20, maxLimit: 100 }))

export const FailedJob = z
  .object({
    id: z.uuid(),
    queue: z.string().describe('The queue that keeps it: the queue itself or its dead letter queue'),
    createdAt: Timestamp,
    failedAt: Timestamp.nullable(),
    attempts: count,
    reason: z.string().describe('Error message of the last attempt'),
    payload: z.unknown().describe('Its data; never a secret'),
  })
  .meta({ id: 'FailedJob' })
export const FailedJobs = pageOf('jobs', FailedJob)

/** `failed` is not among them: failed jobs are listed with those of the dead letter queue. */
export const JobState = z.enum(['ready', 'active', 'deferred', 'completed'])
export const JobsQuery = z.object({
  state: JobState.describe(
    '`ready`: due; `active`: handled by a worker; `deferred`: due later, retries included; `completed`: as long as it is kept',
  ),
  ...pageQuery({ limit: 20, maxLimit: 100 }),
})

export const QueueJob = z
  .object({
    id: z.uuid(),
    createdAt: Timestamp,
    dueAt: Timestamp,
    startedAt: Timestamp.nullable().describe('When the last attempt began'),
    completedAt: Timestamp.nullable(),
    attempts: count.describe('How often a worker began it'),
    reason: z.string().nullable().describe('Error message of the last failed attempt; null if there is none'),
    payload: z.unknown().describe('Its data; never a secret'),
  })
  .meta({ id: 'QueueJob' })
export const QueueJobs = pageOf('jobs', QueueJob)

const ids = z
  .array(z.uuid('must be a job’s id'))
  .min(1, 'must name at least one job')
  .max(1000, 'must name at most 1000 jobs')
  .optional()
  .describe('Only these jobs; all by default')
export const JobsChoice = z.object({ ids }).default({})
export const Retried = z.object({ retried: count })
export const Redriven = z.object({ redriven: count })
