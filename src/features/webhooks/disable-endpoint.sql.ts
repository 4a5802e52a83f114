// Disabling endpoints. SQL: locks, updates of sets, and the database's clock.
import type { Db } from '../../platform/db/pool.ts'

export type DisabledReason = 'gone' | 'failing'

/**
 * Waits for transactions that are queueing deliveries for the endpoint, so that `cancelPending` sees those.
 * @returns the server's owner, null if it has none; undefined if no enabled endpoint has this URL
 */
export async function markDisabled(
  db: Db,
  { serverId, storedUrl, reason }: { serverId: string; storedUrl: string; reason: DisabledReason },
): Promise<{ ownerId: string | null } | undefined> {
  const { rows } = await db.query<{ ownerId: string | null }>(
    `with enabled as (
       select server_id from webhook_endpoints where server_id = $1 and url = $3 and disabled_at is null
       for update -- an update alone would not wait for them: they lock \`for key share\`
     )
     update webhook_endpoints as endpoint
     set disabled_at = now(), disabled_reason = $2, updated_at = clock_timestamp()
     from enabled join servers on servers.id = enabled.server_id
     where endpoint.server_id = enabled.server_id
     returning owner_id as "ownerId"`,
    [serverId, reason, storedUrl],
  )
  return rows[0]
}

export async function cancelPending(db: Db, serverId: string): Promise<void> {
  await db.query(
    `update webhook_deliveries set status = 'canceled', due_at = null, settled_at = now()
     where server_id = $1 and status = 'pending'`,
    [serverId],
  )
}

export interface DisabledEndpoint {
  email: string
  username: string
  serverName: string
  storedUrl: string
  reason: DisabledReason
}

/** @returns undefined if the endpoint is enabled, the user no longer owns the server, is banned or has no address */
export async function findDisabled(db: Db, serverId: string, userId: string): Promise<DisabledEndpoint | undefined> {
  const { rows } = await db.query<DisabledEndpoint>(
    `select email, username, servers.name as "serverName", url as "storedUrl", disabled_reason as reason
     from webhook_endpoints
     join servers on servers.id = server_id
     join users on users.id = owner_id
     where server_id = $1 and owner_id = $2 and disabled_at is not null and deleted_at is null and email is not null
       and banned_at is null`,
    [serverId, userId],
  )
  return rows[0]
}
