// Tells a restored copy from the database it was dumped from, so that a copy sends nothing and charges nobody until it is told to.
import type { Db, Sql } from './pool.ts'

/**
 * The cluster, the database in it and the table's identity: a dump restored anywhere differs in at least one. A failover to
 * a standby keeps all three. A major upgrade changes the cluster's, and the upgraded database waits to be adopted.
 */
const FINGERPRINT = `
  (select system_identifier from pg_control_system())::text || '/' ||
  (select oid from pg_database where datname = current_database()) || '/' || 'installation'::regclass::oid`

/** Marks a database that has no mark yet as the installation: part of `npm run migrate`. */
export async function markInstallation(db: Db): Promise<void> {
  await db.query(`insert into installation (fingerprint) select ${FINGERPRINT} on conflict do nothing`)
}

/** Whether this is a copy nobody has adopted: then mails, webhooks and payments are held back. */
export async function isUnadoptedCopy(db: Db): Promise<boolean> {
  const { rows } = await db.query<{ isCopy: boolean }>(
    `select fingerprint <> ${FINGERPRINT} as "isCopy" from installation`,
  )
  return rows[0]?.isCopy ?? true
}

/** Makes this copy the installation. @returns false when it was already */
export async function adoptInstallation(db: Db): Promise<boolean> {
  const { rowCount } = await db.query(
    `update installation set fingerprint = ${FINGERPRINT}, adopted_at = now() where fingerprint <> ${FINGERPRINT}`,
  )
  return rowCount === 1
}

/** Marks what was just restored as a copy, whichever database it lies in: that it was dumped from this one does not undo what was sent since. */
export async function markRestored(db: Sql): Promise<void> {
  await db.query('delete from installation')
  await db.query(`insert into installation (fingerprint) values ('restored')`)
}
