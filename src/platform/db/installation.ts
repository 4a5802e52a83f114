// Detects a restored copy of a database, so that the copy sends and charges nothing until an operator adopts it.
import type { Db, Sql } from './pool.ts'

/**
 * Identifies the cluster, the database and the table: a dump restored elsewhere differs in at least one. A failover to
 * a standby keeps all three. A major upgrade changes the cluster's, so the upgraded database must be adopted.
 */
const FINGERPRINT = `
  (select system_identifier from pg_control_system())::text || '/' ||
  (select oid from pg_database where datname = current_database()) || '/' || 'installation'::regclass::oid`

/** Marks a database without a fingerprint as the installation. Part of `npm run migrate`. */
export async function markInstallation(db: Db): Promise<void> {
  await db.query(`insert into installation (fingerprint) select ${FINGERPRINT} on conflict do nothing`)
}

/** Whether this database is a copy that no operator has adopted: then mails, webhooks and payments are held back. */
export async function isUnadoptedCopy(db: Db): Promise<boolean> {
  const { rows } = await db.query<{ isCopy: boolean }>(
    `select fingerprint <> ${FINGERPRINT} as "isCopy" from installation`,
  )
  return rows[0]?.isCopy ?? true
}

/** Makes this copy the installation. @returns false if it already was */
export async function adoptInstallation(db: Db): Promise<boolean> {
  const { rowCount } = await db.query(
    `update installation set fingerprint = ${FINGERPRINT}, adopted_at = now() where fingerprint <> ${FINGERPRINT}`,
  )
  return rowCount === 1
}

/**
 * Marks restored data as a copy, even in the database it was dumped from: what was sent since the dump can't be undone.
 */
export async function markRestored(db: Sql): Promise<void> {
  await db.query('delete from installation')
  await db.query(`insert into installation (fingerprint) values ('restored')`)
}
