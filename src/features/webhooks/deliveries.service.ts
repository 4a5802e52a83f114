// How an event becomes a delivery: in the transaction of whatever it tells, with the job that has it sent.
import type { Db } from '../../platform/db/pool.ts'
import type { Jobs } from '../../platform/queue/jobs.ts'
import { insertDeliveries } from './deliveries.sql.ts'
import type { ServerEvent } from './event-types.ts'
import { webhookWake } from './webhooks.jobs.ts'

/**
 * Queues each event for the endpoint of its server, where there is one that is enabled and subscribed to it; call it in the
 * transaction that makes the event true. Events of a server are sent in the order given.
 * @returns those that were queued
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
