// The operators' endpoints of queues (api-decisions.md "Admin and operators").
import type { Pool } from '../../platform/db/pool.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { recordAction } from '../audit/index.ts'
import { FailedJobs, FailedQuery, JobsChoice, QueueParams, Queues, Redriven, Retried } from './queues.schema.ts'
import type { QueuesService } from './queues.service.ts'

const common = { tag: 'Operators', access: 'admin' } as const

export function queuesRoutes({ pool, queues }: { pool: Pool; queues: QueuesService }): Route[] {
  const record = (actorId: string, action: string, queue: string, details: Record<string, unknown>) =>
    recordAction(pool, { actorId, action, targetType: 'queue', targetId: queue, details })

  return [
    route({
      ...common,
      method: 'get',
      path: '/admin/queues',
      operationId: 'listQueues',
      summary: 'Every queue: what is late, failing or stuck, and what to do',
      returns: Queues,
      handle: () => queues.list(),
    }),
    route({
      ...common,
      method: 'get',
      path: '/admin/queues/{name}/failed',
      operationId: 'listFailedJobs',
      summary: 'Jobs that failed for good, newest first',
      params: QueueParams,
      query: FailedQuery,
      returns: FailedJobs,
      errors: [404],
      handle: ({ params, query }) => queues.failed(params.name, query),
    }),
    route({
      ...common,
      method: 'post',
      path: '/admin/queues/{name}/retry',
      operationId: 'retryJobs',
      summary: 'Runs failed jobs of a queue again',
      params: QueueParams,
      body: JobsChoice,
      returns: Retried,
      errors: [404],
      async handle({ actor, params, body }) {
        const retried = await queues.retry(params.name, body.ids)
        await record(actor.userId, 'queue.retry', params.name, { retried })
        return { retried }
      },
    }),
    route({
      ...common,
      method: 'post',
      path: '/admin/queues/{name}/redrive',
      operationId: 'redriveJobs',
      summary: 'Puts dead letters back into the queue they came from',
      params: QueueParams,
      body: JobsChoice,
      returns: Redriven,
      errors: [404],
      async handle({ actor, params, body }) {
        const redriven = await queues.redrive(params.name, body.ids)
        await record(actor.userId, 'queue.redrive', params.name, { redriven })
        return { redriven }
      },
    }),
  ]
}
