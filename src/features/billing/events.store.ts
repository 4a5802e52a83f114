// The provider's events (models), and the reads of the objects they are about (SQL: by age, by the database's clock,
// or deciding a race).
import type { Db } from '../../platform/db/pool.ts'

/** The object at the provider that an event is about, whose state is to be read. */
export interface EventSubject {
  kind: 'subscription' | 'session' | 'payment'
  id: string
}

/** Stores an event; one without a subject counts as applied. @returns false if it is stored already */
export async function insertEvent(
  { prisma }: Db,
  event: { id: string; type: string; createdAt: Date; subject: EventSubject | undefined },
): Promise<boolean> {
  const { subject, ...data } = event
  const about = subject ? { subjectKind: subject.kind, subjectId: subject.id } : { appliedAt: new Date() }
  const { count } = await prisma.paymentEvent.createMany({ data: { ...data, ...about }, skipDuplicates: true })
  return count === 1
}

/** The subject of an event that is not applied; undefined if there is no such event. */
export async function findUnappliedEvent({ prisma }: Db, id: string): Promise<EventSubject | undefined> {
  const event = await prisma.paymentEvent.findUnique({ where: { id, appliedAt: null } })
  if (!event?.subjectKind || !event.subjectId) return undefined
  return { kind: event.subjectKind as EventSubject['kind'], id: event.subjectId }
}

export async function markEventApplied({ prisma }: Db, id: string): Promise<void> {
  await prisma.paymentEvent.updateMany({ where: { id, appliedAt: null }, data: { appliedAt: new Date() } })
}

/** Gives up an event about an object that the provider did not have for a day. @returns false if it is not that old */
export async function giveUpEventOfMissingObject(db: Db, id: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `update payment_events set applied_at = now()
     where id = $1 and applied_at is null and received_at < now() - interval '1 day'`,
    [id],
  )
  return rowCount === 1
}

/** Events of the last month whose job was lost or failed; oldest first. */
export async function findLostEvents(db: Db, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select id from payment_events
     where applied_at is null and received_at between now() - interval '30 days' and now() - interval '10 minutes'
     order by received_at
     limit $1`,
    [limit],
  )
  return rows.map(({ id }) => id)
}

/** The provider retries an event for some days at most, so that no deleted event comes again. */
export async function deleteOldEvents(db: Db): Promise<void> {
  await db.query(`delete from payment_events where received_at < now() - interval '90 days'`)
}

/**
 * Deletes the numbers of objects that are not ours, whose events arrive too; a read that may still
 * run keeps its number.
 */
export async function deleteForeignReads(db: Db): Promise<void> {
  await db.query(
    `delete from payment_reads
     where begun_at < now() - interval '1 day'
       and not exists (select from subscriptions where id = object_id)
       and not exists (select from payment_sessions where session_id = object_id)`,
  )
}

/** Begins a read of an object at the provider. @returns its number, for `isLatestRead` */
export async function beginRead(db: Db, objectId: string): Promise<number> {
  const { rows } = await db.query<{ started: number }>(
    `insert into payment_reads as read (object_id) values ($1)
     on conflict (object_id) do update set started = read.started + 1, begun_at = now()
     returning started`,
    [objectId],
  )
  const [row] = rows
  if (!row) throw new Error('beginning a read gave no row')
  return row.started
}

/**
 * Whether the result of a read may be written: none that began later was. Locks the object's row until the
 * transaction ends. Nothing is lost by dropping the older one: a read that began after a change has seen it, and each
 * change's event causes one.
 * @returns false if a read that began later is written already
 */
export async function isLatestRead(db: Db, objectId: string, readNumber: number): Promise<boolean> {
  const { rowCount } = await db.query('update payment_reads set written = $2 where object_id = $1 and written < $2', [
    objectId,
    readNumber,
  ])
  return rowCount === 1
}

/**
 * The key may be another account's for some hours: an object counts as lost after so many reads in a row that failed.
 */
const LOST_AFTER_READS = 24

/**
 * Those of these objects, which the provider does not have, whose reads failed for at least a day: the sweep is hourly.
 */
export async function findLostObjects(db: Db, objectIds: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    'select object_id as id from payment_reads where object_id = any($1) and started - written >= $2',
    [objectIds, LOST_AFTER_READS],
  )
  return rows.map(({ id }) => id)
}
