// The append-only audit log.
import { v7 as uuidv7 } from 'uuid'
import type * as z from 'zod'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { Db } from '../../platform/db/pool.ts'
import type { Resource } from '../../platform/http/operation.ts'
import { paginate } from '../../platform/http/paging.ts'
import { withoutUndefined } from '../../platform/without-undefined.ts'
import type { AuditQuery } from './audit.schema.ts'

export interface AuditEntry {
  /** The user who acted. */
  actorId: string
  /** The action, for example `server.delete`. */
  action: string
  targetType:
    | 'server'
    | 'user'
    | 'queue'
    | 'auction'
    | 'ad-slot'
    | 'placement'
    | 'report'
    | 'contact-message'
    | 'source'
    | 'discovery-block'
    | 'site'
    | 'vote-voiding'
  targetId: string
  /** Further facts; never a secret. */
  details?: object
}

/** Call it in the transaction of the action, so that neither is committed without the other. */
export async function recordAction({ prisma }: Db, { details = {}, ...entry }: AuditEntry): Promise<void> {
  await prisma.auditEntry.create({ data: { id: uuidv7(), ...entry, details }, select: { id: true } })
}

/** Erases an account's identities at other platforms, which the entries about their changes contain. */
export async function eraseIdentities(db: Db, userId: string): Promise<void> {
  await db.query(
    `update audit_log set details = details - '{identity,formerIdentity}'::text[]
     where target_type = 'user' and target_id = $1::text and action in ('user.identity.link', 'user.identity.unlink')`,
    [userId],
  )
}

/**
 * `after` of a resource whose actions are audited, with the details that `Audited` gives. Without details,
 * no entry is written.
 * @param action of the entry, or a function that derives it from the details
 */
export const auditAs =
  (
    targetType: AuditEntry['targetType'],
    action: string | ((details: object) => string),
  ): NonNullable<Resource['after']> =>
  async (tx, { id, actor, details }) => {
    if (!details || !actor) return
    const name = typeof action === 'string' ? action : action(details)
    await recordAction(tx, { actorId: actor.userId, action: name, targetType, targetId: id, details })
  }

/** @returns the fields that differ; undefined if none does. Compares strings, numbers, booleans and null. */
export function changesBetween<T extends object>(
  before: T,
  after: T,
): { before: Partial<T>; after: Partial<T> } | undefined {
  const differing = (Object.keys(after) as (keyof T)[]).filter((key) => before[key] !== after[key])
  const take = (from: T) => Object.fromEntries(differing.map((key) => [key, from[key]])) as Partial<T>
  return differing.length ? { before: take(before), after: take(after) } : undefined
}

/** A page, newest first. The log outlives accounts, so `actorUsername` is looked up and empty for a deleted account. */
export function findEntries({ prisma }: Db, { actorId, targetId, action, ...page }: z.output<typeof AuditQuery>) {
  const where = withoutUndefined({ actorId, targetId, action })
  return paginate('entries', page, {
    count: () => prisma.auditEntry.count({ where }),
    async find({ limit: take, offset: skip }) {
      const entries = await prisma.auditEntry.findMany({ where, orderBy: { id: 'desc' }, take, skip })
      const actors = await prisma.user.findMany({
        where: { id: { in: entries.map(({ actorId }) => actorId) } },
        select: { id: true, username: true },
      })
      const usernames = new Map(actors.map(({ id, username }) => [id, username]))
      return entries.map(({ details, ...entry }) => ({
        ...entry,
        details: details as Prisma.JsonObject,
        actorUsername: usernames.get(entry.actorId) ?? '',
      }))
    },
  })
}
