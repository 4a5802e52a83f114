// Inserting deliveries. SQL: one statement for a set of events, on the path of votes and polls.
import { v7 as uuidv7 } from 'uuid'
import { namedParameters } from '../../platform/db/named-parameters.ts'
import type { Db } from '../../platform/db/pool.ts'
import { IS_OWNER_BANNED } from './endpoints.store.ts'
import type { ServerEvent } from './event-types.ts'

export interface QueuedDelivery {
  id: string
  endpointId: string
}

/**
 * Inserts a delivery for each event and each endpoint of its server that is enabled and subscribed to it, if the owner
 * is not banned, numbered in the given order. Until the transaction ends the endpoints can't be disabled or deleted
 * (`for key share`), so that `cancelPending` sees these deliveries.
 * @param traceparent of the span that causes them, if traces are on
 */
export async function insertDeliveries(
  db: Db,
  events: readonly ServerEvent[],
  traceparent?: string,
): Promise<QueuedDelivery[]> {
  const { rows } = await db.query<QueuedDelivery>(
    namedParameters({
      name: 'webhooks-queue',
      text: `
      with event as (
        select * from unnest($ids::uuid[], $serverIds::uuid[], $endpointIds::uuid[], $types::text[], $bodies::text[])
          with ordinality as event (id, server_id, endpoint_id, type, body, place)
      ),
      enabled as (
        select id, server_id, events, created_at from endpoints
        where server_id = any($serverIds::uuid[]) and disabled_at is null and not ${IS_OWNER_BANNED}
        order by id
        for key share of endpoints
      )
      insert into endpoint_deliveries (id, endpoint_id, type, body, traceparent, created_at)
      -- Each endpoint's delivery has an id of its own; the first has the event's, which is ascending.
      select case row_number() over (partition by place order by enabled.id) when 1 then event.id else gen_random_uuid() end,
        enabled.id, type, body, $traceparent,
        greatest(now(), created_at) -- the log shows what came after the endpoint, which may be younger than this transaction
      from event join enabled using (server_id)
      where case when event.endpoint_id is null then type = any(events) else enabled.id = event.endpoint_id end
      order by place
      returning id, endpoint_id as "endpointId"`,
      values: {
        ids: events.map(() => uuidv7()),
        serverIds: events.map(({ serverId }) => serverId),
        endpointIds: events.map(({ endpointId }) => endpointId),
        types: events.map(({ type }) => type),
        bodies: events.map(({ type, at, data }) => JSON.stringify({ type, timestamp: at.toISOString(), data })),
        traceparent,
      },
    }),
  )
  return rows
}
