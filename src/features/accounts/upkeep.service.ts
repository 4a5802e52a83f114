// Deletes expired sessions, mailed tokens and used nonces.
import type { Deps } from '../../deps.ts'

export async function runAccountsUpkeep({ pool, log }: Pick<Deps, 'pool' | 'log'>): Promise<void> {
  const deleteExpired = async (table: 'sessions' | 'email_tokens' | 'used_nonces') =>
    (await pool.query(`delete from ${table} where expires_at <= now()`)).rowCount
  const sessions = await deleteExpired('sessions')
  const tokens = await deleteExpired('email_tokens')
  const nonces = await deleteExpired('used_nonces')
  log.info({ sessions, tokens, nonces }, 'expired sessions, tokens and nonces deleted')
}
