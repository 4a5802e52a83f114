// SQL, because the database's clock decides whether a mailed token or a setup code is valid. One per user and purpose,
// stored as its SHA-256.
import type { Db } from '../../../platform/db/pool.ts'

export type MailedPurpose = 'verify' | 'reset'
type Purpose = MailedPurpose | 'setup'

/** Replaces the user's token of this purpose, which invalidates the one in an older mail. */
export async function replaceToken(
  db: Db,
  token: { tokenHash: Buffer; userId: string; purpose: Purpose; email: string; lifetimeSeconds: number },
): Promise<void> {
  await db.query({
    name: 'accounts-replace-token',
    text: `
      insert into email_tokens (token_hash, user_id, purpose, email, expires_at)
      values ($1, $2, $3, $4, now() + make_interval(secs => $5))
      on conflict (user_id, purpose) do update
      set token_hash = excluded.token_hash, email = excluded.email, created_at = now(), expires_at = excluded.expires_at`,
    values: [token.tokenHash, token.userId, token.purpose, token.email, token.lifetimeSeconds],
  })
}

/**
 * @returns the user of a valid token; undefined if it is invalid, the user's address has changed or the user is banned
 */
export async function findTokenUser(db: Db, { tokenHash, purpose }: { tokenHash: Buffer; purpose: Purpose }) {
  const { rows } = await db.query<{ id: string; email: string; username: string; passwordHash: string | null }>({
    name: 'accounts-find-token-user',
    text: `
      select id, users.email, username, password_hash as "passwordHash"
      from email_tokens
      join users on users.id = user_id and users.email = email_tokens.email
      where token_hash = $1 and purpose = $2 and expires_at > now() and banned_at is null`,
    values: [tokenHash, purpose],
  })
  return rows[0]
}

/** Whether this is a valid one of the user. */
export async function hasToken(
  db: Db,
  { tokenHash, userId, purpose }: { tokenHash: Buffer; userId: string; purpose: Purpose },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'accounts-has-token',
    text: 'select from email_tokens where token_hash = $1 and user_id = $2 and purpose = $3 and expires_at > now()',
    values: [tokenHash, userId, purpose],
  })
  return rowCount === 1
}

/** @returns false if it was used or has expired; of parallel calls, one gets true */
export async function deleteToken(
  db: Db,
  { tokenHash, purpose }: { tokenHash: Buffer; purpose: Purpose },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'accounts-delete-token',
    text: 'delete from email_tokens where token_hash = $1 and purpose = $2 and expires_at > now()',
    values: [tokenHash, purpose],
  })
  return rowCount === 1
}

/** Invalidates the user's mailed tokens for these purposes. */
export async function deleteTokensOf(db: Db, userId: string, purposes: Purpose[]): Promise<void> {
  await db.query({
    name: 'accounts-delete-tokens-of',
    text: 'delete from email_tokens where user_id = $1 and purpose = any($2)',
    values: [userId, purposes],
  })
}
