// SQL, because it locks claims and servers in order, and releases servers and counts them in one statement.
import type { Db } from '../../platform/db/pool.ts'

/**
 * Locks a user's claims in id order, as a check of claims does, to avoid deadlocks: deleting the user deletes the
 * claims.
 */
export async function lockClaimsOf(db: Db, userId: string): Promise<void> {
  await db.query('select from server_claims where user_id = $1 order by id for update', [userId])
}

/**
 * Locks a user's servers in id order, after the claims, as a check of claims does: until then the owner may be adding
 * an endpoint to one. Every change of a server locks it before its endpoints.
 * @returns their ids
 */
export async function lockServersOf(db: Db, userId: string): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    'select id from servers where owner_id = $1 order by id for no key update',
    [userId],
  )
  return rows.map(({ id }) => id)
}

/** Removes the owner and the verification of a user's servers. @returns how many of them are not removed */
export async function releaseServersOf(db: Db, userId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `with released as (
       update servers set owner_id = null, is_verified = false, updated_at = now() where owner_id = $1
       returning deleted_at)
     select count(*) from released where deleted_at is null`,
    [userId],
  )
  return rows[0]?.count ?? 0
}

/** Invitations by its confirmed address, which no foreign key knows. */
export async function deleteInvitationsByAddress(db: Db, userId: string): Promise<void> {
  await db.query(
    `delete from server_invitations using users
     where users.id = $1 and users.email = server_invitations.email and email_verified_at is not null`,
    [userId],
  )
}

/** Foreign keys delete the user's sessions, keys, favorites, claims and mailed tokens too. */
export async function deleteUser(db: Db, id: string): Promise<void> {
  await db.query('delete from users where id = $1', [id])
}
