// SQL, because the same rule is part of statements that decide logins and sessions.
import type { Db } from '../../../platform/db/pool.ts'
import { CONFIRMED_MINUTES, type Method } from './second-factor.schema.ts'

/** Condition on a row of `users`. A disabled passkey counts too: a copy of it must not switch the second factor off. */
export const HAS_SECOND_FACTOR = `(
  exists (select from passkeys where passkeys.user_id = users.id)
  or exists (select from one_time_code_secrets where one_time_code_secrets.user_id = users.id and confirmed_at is not null))`

/** Condition on a row of `sessions`, joined with that of its user. */
export const IS_CONFIRMED = `(second_factor_at > now() - interval '${CONFIRMED_MINUTES} minutes' or not ${HAS_SECOND_FACTOR})`

export async function hasSecondFactor(db: Db, userId: string): Promise<boolean> {
  const { rows } = await db.query<{ has: boolean }>({
    name: 'accounts-has-second-factor',
    text: `select ${HAS_SECOND_FACTOR} as has from users where id = $1`,
    values: [userId],
  })
  return rows[0]?.has ?? false
}

/** Whether the account of a session has a password, or else the session was opened lately. */
export async function hasPasswordOrRecentLogin(db: Db, sessionId: Buffer): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'accounts-has-password-or-recent-login',
    text: `
      select from sessions
      join users on users.id = user_id
      where token_hash = $1
        and (password_hash is not null or sessions.created_at > now() - interval '${CONFIRMED_MINUTES} minutes')`,
    values: [sessionId],
  })
  return rowCount === 1
}

/** What the account accepts now. */
export async function findMethods(db: Db, userId: string): Promise<Method[]> {
  const { rows } = await db.query<{ passkey: boolean; code: boolean; recoveryCode: boolean }>({
    name: 'accounts-find-methods',
    text: `
      select exists (select from passkeys where user_id = $1 and disabled_at is null) as passkey,
        exists (select from one_time_code_secrets where user_id = $1 and confirmed_at is not null) as code,
        exists (select from recovery_codes where user_id = $1 and used_at is null) as "recoveryCode"`,
    values: [userId],
  })
  const [found] = rows
  return (['passkey', 'code', 'recoveryCode'] as const).filter((method) => found?.[method])
}

/** @returns until when the session is confirmed; null if it is not */
export async function findConfirmedUntil(db: Db, sessionId: Buffer): Promise<Date | null> {
  const { rows } = await db.query<{ until: Date | null }>({
    name: 'accounts-find-confirmed-until',
    text: `
      select second_factor_at + interval '${CONFIRMED_MINUTES} minutes' as until from sessions
      where token_hash = $1 and second_factor_at > now() - interval '${CONFIRMED_MINUTES} minutes'`,
    values: [sessionId],
  })
  return rows[0]?.until ?? null
}

/** @returns until when the session is confirmed; undefined if it has ended */
export async function confirmSession(db: Db, sessionId: Buffer): Promise<Date | undefined> {
  const { rows } = await db.query<{ until: Date }>({
    name: 'accounts-confirm-session',
    text: `
      update sessions set second_factor_at = now() where token_hash = $1 and expires_at > now()
      returning second_factor_at + interval '${CONFIRMED_MINUTES} minutes' as until`,
    values: [sessionId],
  })
  return rows[0]?.until
}

/**
 * Removes every second factor of an account, with its recovery codes and the logins that wait for it.
 * @returns whether it had one
 */
export async function deleteSecondFactor(db: Db, userId: string): Promise<boolean> {
  const had = await hasSecondFactor(db, userId)
  for (const table of ['passkeys', 'one_time_code_secrets', 'recovery_codes', 'login_steps', 'passkey_challenges'])
    await db.query(`delete from ${table} where user_id = $1`, [userId])
  return had
}
