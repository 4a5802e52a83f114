// SQL, because one statement checks what the login has proven and writes. A login waits here for its second step.
import type { Db } from '../../../platform/db/pool.ts'
import { hashToken as hashOf } from '../../../platform/hash-token.ts'
import type { Provider } from '../identities/identities.store.ts'
import { type LoginProof, provenBy, provenOf, SESSION_LIFETIME } from '../login/sessions.sql.ts'
import { HAS_SECOND_FACTOR } from './second-factor.sql.ts'

export const STEP_MINUTES = 10

export interface LoginStep {
  tokenHash: Buffer
  userId: string
  openedBy: 'password' | Provider
  expiresAt: Date
}

/**
 * @returns false if the account has no second factor, is banned or deleted, or the checked password or
 * identity has changed
 */
export async function insertLoginStep(
  db: Db,
  { userId, tokenHash, proof }: { userId: string; tokenHash: Buffer; proof: LoginProof },
): Promise<boolean> {
  const proven = provenOf(proof)
  const { rowCount } = await db.query({
    name: 'accounts-insert-login-step',
    text: `
      insert into login_steps (token_hash, user_id, opened_by, proof_hash, expires_at)
      select $1, id, $3, $5, now() + interval '${STEP_MINUTES} minutes'
      from users
      where id = $2 and banned_at is null and $4 = ${provenBy('$3::text')} and ${HAS_SECOND_FACTOR}`,
    values: [tokenHash, userId, proof.by, proven, hashOf(proven)],
  })
  return rowCount === 1
}

/** Those of the given logins that can be completed. */
export async function findLoginSteps(db: Db, tokenHashes: Buffer[]): Promise<LoginStep[]> {
  const { rows } = await db.query<LoginStep>({
    name: 'accounts-find-login-steps',
    text: `
      select token_hash as "tokenHash", user_id as "userId", opened_by as "openedBy", expires_at as "expiresAt"
      from login_steps
      where token_hash = any($1) and expires_at > now()`,
    values: [tokenHashes],
  })
  return rows
}

/**
 * Turns a login into a session, once. Locks the user's row, as `insertSession` does.
 * @returns false if it was used or has expired, the user is banned, or the password or identity has changed since
 */
export async function insertSessionOfStep(
  db: Db,
  { step, tokenHash }: { step: Buffer; tokenHash: Buffer },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'accounts-insert-session-of-step',
    text: `
      with step as (delete from login_steps where token_hash = $1 and expires_at > now() returning user_id, opened_by, proof_hash)
      insert into sessions (token_hash, user_id, expires_at, opened_by, second_factor_at)
      select $2, id, now() + ${SESSION_LIFETIME}, opened_by, now()
      from users
      join step on id = user_id
      where banned_at is null and proof_hash = sha256(convert_to(${provenBy('opened_by')}, 'UTF8'))
      for share of users`,
    values: [step, tokenHash],
  })
  return rowCount === 1
}
