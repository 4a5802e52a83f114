// Statements over the audit log, which is only ever added to.
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../../platform/db/pool.ts'

export interface AuditEntry {
  /** The user who did it. */
  actorId: string
  /** What was done, as `server.hide`. */
  action: string
  targetType: 'server' | 'user'
  targetId: string
  /** What else a reader must know; never a secret. */
  details?: Record<string, unknown>
}

/** Call it in the transaction of the deed: neither is there without the other. */
export async function recordAction(db: Db, entry: AuditEntry): Promise<void> {
  await db.query(
    `insert into audit_log (id, actor_id, action, target_type, target_id, details) values ($1, $2, $3, $4, $5, $6)`,
    [uuidv7(), entry.actorId, entry.action, entry.targetType, entry.targetId, entry.details ?? {}],
  )
}
