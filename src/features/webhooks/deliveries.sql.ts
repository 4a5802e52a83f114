// Inserting deliveries. SQL: one statement for a set of events, on the path of votes and polls.
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../../platform/db/pool.ts'
import { IS_OWNER_BANNED } from './endpoints.store.ts'
import type { ServerEvent } from './event-types.ts'

export interface QueuedDelivery {
  id: string
  endpointId: string
}

/**
 * Inserts a delivery for each event and each endpoint of its server that is enabled and subscribed to it, if the owner is not banned,
 * numbered in the given order. Until the transaction ends the endpoints can't be disabled or deleted (`for key share`), so that
 * `cancelPending` sees these deliveries.
 * @param traceparent of the span that causes them, if traces are on
 */
export async function insertDeliveries(
  db: Db,
  events: readonly ServerEvent[],
  traceparent?: string,
): Promise<QueuedDelivery[]> {
  const { rows } = await db.query<QueuedDelivery>({
    name: 'webhooks-queue',
    text: `
      with event as (
        select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[]) with ordinality
          as event (id, server_id, endpoint_id, type, body, place)
      ),
      enabled as (
        select id, server_id, events from endpoints
        where server_id = any($2::uuid[]) and disabled_at is null and not ${IS_OWNER_BANNED}
        order by id
        for key share of endpoints
      )
      insert into endpoint_deliveries (id, endpoint_id, type, body, traceparent)
      -- Each endpoint's delivery has an id of its own; the first has the event's, which is ascending.
      select case row_number() over (partition by place order by enabled.id) when 1 then event.id else gen_random_uuid() end,
        enabled.id, type, body, $6
      from event join enabled using (server_id)
      where case when event.endpoint_id is null then type = any(events) else enabled.id = event.endpoint_id end
      order by place
      returning id, endpoint_id as "endpointId"`,
    values: [
      events.map(() => uuidv7()),
      events.map(({ serverId }) => serverId),
      events.map(({ endpointId }) => endpointId),
      events.map(({ type }) => type),
      events.map(({ type, at, data }) => JSON.stringify({ type, timestamp: at.toISOString(), data })),
      traceparent,
    ],
  })
  return rows
}
