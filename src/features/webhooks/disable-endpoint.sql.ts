// Disabling endpoints. SQL: locks, updates of sets, and the database's clock.
import type { Db } from '../../platform/db/pool.ts'
import type { DisabledReason } from './webhooks.schema.ts'

/**
 * Waits for transactions that are queueing deliveries for the endpoint, so that `cancelPending` sees those.
 * @returns its server, that server's owner, null if it has none, and when; undefined if no enabled
 * endpoint has this URL
 */
export async function markDisabled(
  db: Db,
  { endpointId, storedUrl, reason }: { endpointId: string; storedUrl: string; reason: DisabledReason },
): Promise<{ serverId: string; ownerId: string | null; disabledAt: Date } | undefined> {
  const { rows } = await db.query<{ serverId: string; ownerId: string | null; disabledAt: Date }>(
    `with enabled as (
       select id, server_id from endpoints where id = $1 and url = $3 and disabled_at is null
       for update -- an update alone would not wait for them: they lock \`for key share\`
     )
     update endpoints as endpoint
     set disabled_at = now(), disabled_reason = $2, updated_at = clock_timestamp()
     from enabled join servers on servers.id = enabled.server_id
     where endpoint.id = enabled.id
     returning endpoint.server_id as "serverId", owner_id as "ownerId", now() as "disabledAt"`,
    [endpointId, reason, storedUrl],
  )
  return rows[0]
}

/**
 * Rows per statement: one over all of an endpoint that has failed for days may exceed the time limit,
 * and then always does.
 */
const CANCELED_AT_ONCE = 20_000

/**
 * Call it after `lockEndpointsForUpdate` or `markDisabled`, so that no other transaction queues or settles
 * deliveries meanwhile.
 */
export async function cancelPending(db: Db, endpointIds: string[]): Promise<void> {
  for (const id of endpointIds) {
    let last: Position | undefined
    do last = await cancelAfter(db, id, last)
    while (last)
  }
}

interface Position {
  /** Never null of a pending delivery. */
  dueAt: Date | null
  number: number
}

/**
 * In the order of the index, which has those that are canceled too until the commit: each statement
 * would read them again.
 */
async function cancelAfter(db: Db, endpointId: string, after: Position | undefined): Promise<Position | undefined> {
  const { rows } = await db.query<Position>(
    `with batch as (
       select id, due_at, number from endpoint_deliveries
       where endpoint_id = $1 and status = 'pending' and (due_at, number) > (coalesce($2::timestamptz, '-infinity'), coalesce($3::bigint, 0))
       order by due_at, number limit $4
     ), canceled as (
       update endpoint_deliveries set status = 'canceled', due_at = null, settled_at = now()
       where id in (select id from batch)
     )
     select due_at as "dueAt", number from batch order by due_at desc, number desc limit 1`,
    [endpointId, after?.dueAt, after?.number, CANCELED_AT_ONCE],
  )
  return rows[0]
}

export interface DisabledEndpoint {
  /** Of the server's owner. */
  email: string
  username: string
  serverName: string
  kind: string
  /** Encrypted. */
  storedUrl: string
  reason: DisabledReason
}

/**
 * @returns undefined if the endpoint is enabled, the user no longer owns the server, is banned or
 * has no verified address
 */
export async function findDisabled(db: Db, endpointId: string, userId: string): Promise<DisabledEndpoint | undefined> {
  const { rows } = await db.query<DisabledEndpoint>(
    `select email, username, servers.name as "serverName", kind, url as "storedUrl", disabled_reason as reason
     from endpoints
     join servers on servers.id = server_id
     join users on users.id = owner_id
     where endpoints.id = $1 and owner_id = $2 and disabled_at is not null and deleted_at is null
       and email is not null and email_verified_at is not null and banned_at is null`,
    [endpointId, userId],
  )
  return rows[0]
}
