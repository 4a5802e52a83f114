// SQL, because the database's clock and races decide: the provider's events, and the readings of its objects.
import type { Db } from '../../platform/db/pool.ts'

/** The object of an event, whose state at the provider must be read. */
export interface Subject {
  kind: 'subscription' | 'session' | 'payment'
  id: string
}

/** @returns false if it is already stored; then nothing was written */
export async function insertEvent(
  db: Db,
  event: { id: string; type: string; createdAt: Date; subject: Subject | undefined },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into payment_events (id, type, subject_kind, subject_id, created_at, applied_at)
     values ($1, $2, $3, $4, $5, case when $3::text is null then now() end)
     on conflict (id) do nothing`,
    [event.id, event.type, event.subject?.kind ?? null, event.subject?.id ?? null, event.createdAt],
  )
  return rowCount === 1
}

/** The object of a waiting event; undefined if there is no such event or it was applied. */
export async function findUnapplied(db: Db, id: string): Promise<Subject | undefined> {
  const { rows } = await db.query<Subject>(
    `select subject_kind as kind, subject_id as id from payment_events
     where id = $1 and applied_at is null and subject_kind is not null`,
    [id],
  )
  return rows[0]
}

export async function markApplied(db: Db, id: string): Promise<void> {
  await db.query('update payment_events set applied_at = now() where id = $1 and applied_at is null', [id])
}

/** Ends an event about an object that the provider has not had for a day. @returns whether the event ended */
export async function endUnknown(db: Db, id: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `update payment_events set applied_at = now()
     where id = $1 and applied_at is null and received_at < now() - interval '1 day'`,
    [id],
  )
  return rowCount === 1
}

/** Events of the last month whose job was lost or failed permanently; oldest first. */
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

/** The provider retries an event for some days at most, so a deleted one does not arrive again. */
export async function deleteOldEvents(db: Db): Promise<void> {
  await db.query(`delete from payment_events where received_at < now() - interval '90 days'`)
}

/** Starts a reading of an object at the provider. @returns its number; pass it to `isLatestReading` with the result */
export async function beginReading(db: Db, objectId: string): Promise<number> {
  const { rows } = await db.query<{ started: number }>(
    `insert into payment_reads as reading (object_id) values ($1)
     on conflict (object_id) do update set started = reading.started + 1
     returning started`,
    [objectId],
  )
  const [row] = rows
  if (!row) throw new Error('starting a reading returned no row')
  return row.started
}

/**
 * Claims the right to write a reading, and locks the object's readings until the transaction ends. A reading that
 * started after a change has seen it, and the last change's event starts one, so that one is written, whatever is
 * dropped here.
 * @returns false if a reading that started later was already written
 */
export async function isLatestReading(db: Db, objectId: string, reading: number): Promise<boolean> {
  const { rowCount } = await db.query('update payment_reads set written = $2 where object_id = $1 and written < $2', [
    objectId,
    reading,
  ])
  return rowCount === 1
}
