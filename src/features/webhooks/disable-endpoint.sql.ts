// Disabling endpoints. SQL: locks, updates of sets, and the database's clock.
import type { Db } from '../../platform/db/pool.ts'
import type { DisabledReason } from './webhooks.schema.ts'

/**
 * Waits for transactions that are queueing deliveries for the endpoint, so that `cancelPending` sees those.
 * @returns its server, that server's owner, null if it has none, and when; undefined if no enabled endpoint has this URL
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

export async function cancelPending(db: Db, endpointIds: string[]): Promise<void> {
  await db.query(
    `update endpoint_deliveries set status = 'canceled', due_at = null, settled_at = now()
     where endpoint_id = any($1::uuid[]) and status = 'pending'`,
    [endpointIds],
  )
}

/** @returns undefined if the endpoint is enabled, the user no longer owns the server, is banned or has no verified address */
export async function findDisabled(db: Db, endpointId: string, userId: string) {
  const { rows } = await db.query<{
    email: string
    username: string
    serverName: string
    kind: string
    storedUrl: string
    reason: DisabledReason
  }>(
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
