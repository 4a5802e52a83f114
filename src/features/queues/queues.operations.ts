// Queue administration: the state of the queues, their failed jobs, and the recovery of those.
import type { Deps } from '../../deps.ts'
import { operation } from '../../platform/http/operation.ts'
import { recordAction } from '../audit/index.ts'
import {
  FailedJobs,
  FailedQuery,
  JobsChoice,
  JobsQuery,
  QueueJobs,
  QueueParams,
  Queues,
  Redriven,
  Retried,
} from './queues.schema.ts'
import { listFailedJobs, listJobs, listQueues, redriveJobs, retryJobs } from './queues.service.ts'

const common = { tag: 'Operators', access: 'admin' } as const
const entryOf = (actor: { userId: string }, name: string) =>
  ({ actorId: actor.userId, targetType: 'queue', targetId: name }) as const

export const queuesOperations = ({ jobs }: Pick<Deps, 'jobs'>) => [
  operation({
    ...common,
    method: 'get',
    path: '/admin/queues',
    operationId: 'listQueues',
    summary: 'List all queues, with a verdict and advice for each',
    returns: Queues,
    handle: ({ db }) => listQueues(db),
  }),
  operation({
    ...common,
    method: 'get',
    path: '/admin/queues/{name}/failed',
    operationId: 'listFailedJobs',
    summary: 'List jobs of a queue that failed permanently; newest first',
    params: QueueParams,
    query: FailedQuery,
    returns: FailedJobs,
    errors: [404],
    handle: ({ db, params, query }) => listFailedJobs(db, params.name, query),
  }),
  operation({
    ...common,
    method: 'get',
    path: '/admin/queues/{name}/jobs',
    operationId: 'listJobs',
    summary: 'List jobs of a queue in one state; those that wait or run oldest first, completed ones newest first',
    params: QueueParams,
    query: JobsQuery,
    returns: QueueJobs,
    errors: [404],
    handle: ({ db, params, query }) => listJobs(db, params.name, query),
  }),
  operation({
    ...common,
    method: 'post',
    path: '/admin/queues/{name}/retry',
    operationId: 'retryJobs',
    summary: 'Retry failed jobs of a queue',
    params: QueueParams,
    body: JobsChoice,
    returns: Retried,
    errors: [404],
    async handle({ tx, actor, params: { name }, body: { ids } }) {
      const retried = await retryJobs(tx, jobs, name, ids)
      await recordAction(tx, { ...entryOf(actor, name), action: 'queue.retry', details: { retried } })
      return { retried }
    },
  }),
  operation({
    ...common,
    method: 'post',
    path: '/admin/queues/{name}/redrive',
    operationId: 'redriveJobs',
    summary: 'Move dead letters back into the queue they came from',
    params: QueueParams,
    body: JobsChoice,
    returns: Redriven,
    errors: [404],
    async handle({ tx, actor, params: { name }, body: { ids } }) {
      const redriven = await redriveJobs(tx, jobs, name, ids)
      await recordAction(tx, { ...entryOf(actor, name), action: 'queue.redrive', details: { redriven } })
      return { redriven }
    },
  }),
]
