// Inserting deliveries. SQL: one statement for a set of events, on the path of votes and polls.
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../../platform/db/pool.ts'
import { IS_OWNER_BANNED } from './endpoints.store.ts'

export interface NewDelivery {
  serverId: string
  type: string
  /** The exact text that is signed and sent. */
  body: string
}

/**
 * Inserts a delivery for each event whose server has an enabled endpoint that is subscribed to it (tests need no subscription) and an
 * owner who is not banned, numbered in the given order. Until the transaction ends the endpoints can't be disabled or deleted
 * (`for key share`), so that `cancelPending` sees these deliveries.
 */
export async function insertDeliveries(db: Db, deliveries: NewDelivery[]): Promise<{ id: string; serverId: string }[]> {
  const { rows } = await db.query<{ id: string; serverId: string }>({
    name: 'webhooks-queue',
    text: `
      with event as (
        select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) with ordinality
          as event (id, server_id, type, body, place)
      ),
      enabled as (
        select server_id, events from webhook_endpoints
        where server_id = any($2::uuid[]) and disabled_at is null and not ${IS_OWNER_BANNED}
        order by server_id
        for key share of webhook_endpoints
      )
      insert into webhook_deliveries (id, server_id, type, body)
      select id, server_id, type, body
      from event join enabled using (server_id)
      where type = any(events) or type = 'webhook.test'
      order by place
      returning id, server_id as "serverId"`,
    values: [
      deliveries.map(() => uuidv7()),
      deliveries.map(({ serverId }) => serverId),
      deliveries.map(({ type }) => type),
      deliveries.map(({ body }) => body),
    ],
  })
  return rows
}
