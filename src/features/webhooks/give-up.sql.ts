// Statements that end an endpoint.
import type { Db } from '../../platform/db/pool.ts'

/** @returns whether it was enabled until now */
export async function disableEndpoint(db: Db, serverId: string, reason: 'gone' | 'failing'): Promise<boolean> {
  const { rowCount } = await db.query(
    `update webhook_endpoints set disabled_at = now(), disabled_reason = $2, updated_at = now()
     where server_id = $1 and disabled_at is null`,
    [serverId, reason],
  )
  return rowCount === 1
}

export async function cancelPending(db: Db, serverId: string): Promise<void> {
  await db.query(
    `update webhook_deliveries set status = 'canceled', due_at = null, settled_at = now()
     where server_id = $1 and status = 'pending'`,
    [serverId],
  )
}
