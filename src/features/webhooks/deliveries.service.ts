// Queues events as deliveries, with the job that wakes a worker, in the transaction of the event.
import type { Db } from '../../platform/db/pool.ts'
import { currentCause } from '../../platform/observability/cause.ts'
import type { JobQueue } from '../../platform/queue/jobs.ts'
import { insertDeliveries, type QueuedDelivery } from './deliveries.sql.ts'
import type { ServerEvent } from './event-types.ts'
import { enqueueFastWakes } from './leases.service.ts'

/**
 * Queues each event for those endpoints of its server that are enabled and subscribed to it. Call it in the transaction
 * of the event. Events of a server are sent to each endpoint in the given order. Events of two transactions keep their
 * order only if both hold a lock before they call it: votes that of the counter, polls that of the status
 * (docs/decisions/0007).
 * @returns the queued deliveries
 */
export async function queueDeliveries(
  tx: Db,
  jobs: JobQueue,
  events: readonly ServerEvent[],
): Promise<QueuedDelivery[]> {
  if (!events.length) return []
  const queued = await insertDeliveries(tx, events, currentCause().traceparent)
  await enqueueFastWakes(tx, jobs, [...new Set(queued.map(({ endpointId }) => endpointId))])
  return queued
}
