// Queues events as deliveries, with the job that wakes a worker, in the transaction of the event.
import type { Db } from '../../platform/db/pool.ts'
import type { Jobs } from '../../platform/queue/jobs.ts'
import { insertDeliveries } from './deliveries.sql.ts'
import type { ServerEvent } from './event-types.ts'
import { webhookWake } from './webhooks.jobs.ts'

/**
 * Queues each event for its server's endpoint, if that is enabled and subscribed to it. Call it in the transaction of the event.
 * Events of a server are sent in the given order.
 * @returns the queued deliveries
 */
export async function queueDeliveries(
  tx: Db,
  jobs: Pick<Jobs, 'enqueue'>,
  events: readonly ServerEvent[],
): Promise<{ id: string; serverId: string }[]> {
  if (!events.length) return []
  const deliveries = events.map(({ serverId, type, at, data }) => ({
    serverId,
    type,
    body: JSON.stringify({ type, timestamp: at.toISOString(), data }),
  }))
  const queued = await insertDeliveries(tx, deliveries)
  const servers = [...new Set(queued.map(({ serverId }) => serverId))]
  if (servers.length)
    await jobs.enqueue(
      tx,
      webhookWake,
      servers.map((serverId) => ({ serverId })),
    )
  return queued
}
