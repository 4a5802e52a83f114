// Statements over the audit log, which is only ever added to.
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../../platform/db/pool.ts'

export interface AuditEntry {
  /** The user who did it. */
  actorId: string
  /** What was done, as `server.delete`. */
  action: string
  targetType: 'server' | 'user' | 'queue' | 'auction' | 'ad-slot' | 'placement' | 'report' | 'contact-message'
  targetId: string
  /** What else a reader must know; never a secret. */
  details?: object
}

/** Call it in the transaction of the deed: neither is there without the other. */
export async function recordAction(db: Db, entry: AuditEntry): Promise<void> {
  await db.query(
    `insert into audit_log (id, actor_id, action, target_type, target_id, details) values ($1, $2, $3, $4, $5, $6)`,
    [uuidv7(), entry.actorId, entry.action, entry.targetType, entry.targetId, entry.details ?? {}],
  )
}

export interface AuditFilter {
  actorId: string | undefined
  targetId: string | undefined
  action: string | undefined
}

export interface AuditRow {
  id: string
  at: Date
  actorId: string
  actorUsername: string
  action: string
  targetType: string
  targetId: string
  details: Record<string, unknown>
}

const MATCHES = `($1::uuid is null or actor_id = $1) and ($2::text is null or target_id = $2)
  and ($3::text is null or action = $3)`

const valuesOf = ({ actorId, targetId, action }: AuditFilter) => [actorId, targetId, action]

/** Newest first. */
export async function findEntries(
  db: Db,
  filter: AuditFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<AuditRow[]> {
  const { rows } = await db.query<AuditRow>(
    `select audit_log.id, at, actor_id as "actorId", coalesce(username, '') as "actorUsername", action,
       target_type as "targetType", target_id as "targetId", details
     from audit_log
     left join users on users.id = actor_id
     where ${MATCHES}
     order by audit_log.id desc
     limit $4 offset $5`,
    [...valuesOf(filter), limit, offset],
  )
  return rows
}

export async function countEntries(db: Db, filter: AuditFilter): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*) from audit_log where ${MATCHES}`,
    valuesOf(filter),
  )
  return rows[0]?.count ?? 0
}
