// The door of operators: how the queues are doing, and their recovery.
import type { Deps } from '../../deps.ts'
import type { Route } from '../../platform/http/route.ts'
import { queuesRoutes } from './queues.routes.ts'
import { createQueuesService } from './queues.service.ts'

export { createQueuesService, createQueuesView, type QueuesService, type QueuesView } from './queues.service.ts'

export interface Operators {
  routes: Route[]
}

export function createOperators({ pool, jobs }: Pick<Deps, 'pool' | 'jobs'>): Operators {
  return { routes: queuesRoutes({ pool, queues: createQueuesService({ pool, jobs }) }) }
}
