// Deletes expired sessions, mailed tokens and used nonces.
import type { Deps } from '../../deps.ts'
import { deleteExpiredSessions } from './login/sessions.sql.ts'
import { deleteExpiredNonces, deleteExpiredTokens } from './mails/email-tokens.sql.ts'

export async function runAccountsUpkeep({ pool, log }: Pick<Deps, 'pool' | 'log'>): Promise<void> {
  const sessions = await deleteExpiredSessions(pool)
  const tokens = await deleteExpiredTokens(pool)
  const nonces = await deleteExpiredNonces(pool)
  log.info({ sessions, tokens, nonces }, 'expired sessions, tokens and nonces deleted')
}
