// Statements that end an endpoint.
import type { Db } from '../../platform/db/pool.ts'

export type GiveUpReason = 'gone' | 'failing'

/**
 * Waits for transactions that are queueing deliveries for it, so that `cancelPending` sees those.
 * @returns the server's owner, who may be nobody; undefined when there is no endpoint with this URL, or it was disabled already
 */
export async function disableEndpoint(
  db: Db,
  { serverId, storedUrl, reason }: { serverId: string; storedUrl: string; reason: GiveUpReason },
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
  reason: GiveUpReason
}

/** What an owner is told with; undefined when there is nobody to tell, it is not his any more, or he has set the endpoint again. */
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
