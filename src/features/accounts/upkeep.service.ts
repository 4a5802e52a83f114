// Deletes expired sessions, logins, mailed tokens, challenges and used nonces, and re-encrypts the
// secrets of one-time codes.
import type { Deps } from '../../deps.ts'
import { reencrypt } from '../../platform/db/reencrypt.ts'
import { deleteExpiredSessions } from './login/sessions.sql.ts'

/** Longer than a secret may wait for the code that confirms it. */
const UNCONFIRMED = `confirmed_at is null and created_at < now() - interval '2 hours'`

type Expiring = 'login_steps' | 'email_tokens' | 'passkey_challenges' | 'used_nonces'

export async function runAccountsUpkeep(deps: Pick<Deps, 'pool' | 'log' | 'settings'>): Promise<void> {
  const { pool, log } = deps
  const deleteExpired = async (table: Expiring) =>
    (await pool.query(`delete from ${table} where expires_at <= now()`)).rowCount
  const sessions = await deleteExpiredSessions(pool)
  const tokens = await deleteExpired('email_tokens')
  const nonces = await deleteExpired('used_nonces')
  const logins = await deleteExpired('login_steps')
  const challenges = await deleteExpired('passkey_challenges')
  log.info({ sessions, logins, tokens, challenges, nonces }, 'expired sessions, logins, tokens and nonces deleted')
  await pool.query(`delete from one_time_code_secrets where ${UNCONFIRMED}`)
  await reencrypt(deps, 'one-time-code', { table: 'one_time_code_secrets', key: 'user_id', columns: ['secret'] })
}
