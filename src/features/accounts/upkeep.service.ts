// Clears away sessions, mailed tokens and used nonces that are past their time.
import type { Deps } from '../../deps.ts'
import { deleteExpiredNonces, deleteExpiredTokens } from './email-tokens.sql.ts'
import { deleteExpiredSessions } from './sessions.sql.ts'

export async function runAccountsUpkeep({ pool, log }: Pick<Deps, 'pool' | 'log'>): Promise<void> {
  const sessions = await deleteExpiredSessions(pool)
  const tokens = await deleteExpiredTokens(pool)
  const nonces = await deleteExpiredNonces(pool)
  log.info({ sessions, tokens, nonces }, 'expired sessions, tokens and nonces deleted')
}
