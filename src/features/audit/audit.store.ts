// The append-only audit log.
import { v7 as uuidv7 } from 'uuid'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { Db } from '../../platform/db/pool.ts'
import { withoutUndefined } from '../../platform/db/without-undefined.ts'

export interface AuditEntry {
  /** The user who acted. */
  actorId: string
  /** The action, for example `server.delete`. */
  action: string
  targetType: 'server' | 'user' | 'queue' | 'auction' | 'ad-slot' | 'placement' | 'report' | 'contact-message'
  targetId: string
  /** Further facts; never a secret. */
  details?: object
}

/** Call it in the transaction of the action, so that neither is committed without the other. */
export async function recordAction({ prisma }: Db, { details = {}, ...entry }: AuditEntry): Promise<void> {
  await prisma.auditEntry.create({ data: { id: uuidv7(), ...entry, details }, select: { id: true } })
}

export interface AuditFilter {
  actorId: string | undefined
  targetId: string | undefined
  action: string | undefined
}

/** Newest first. The log outlives accounts, so `actorUsername` is looked up and empty for a deleted account. */
export async function findEntries(
  { prisma }: Db,
  filter: AuditFilter,
  { limit, offset }: { limit: number; offset: number },
) {
  const entries = await prisma.auditEntry.findMany({
    where: withoutUndefined(filter),
    orderBy: { id: 'desc' },
    take: limit,
    skip: offset,
  })
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
}

export const countEntries = ({ prisma }: Db, filter: AuditFilter): Promise<number> =>
  prisma.auditEntry.count({ where: withoutUndefined(filter) })
