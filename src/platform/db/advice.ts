// Advice to operators about a database that can't be used.
import pg from 'pg'
import { reasonOf } from '../error-reason.ts'
import { isOutage } from './pg-errors.ts'

const ADVICE: Record<string, string> = {
  '28000': 'fix the user in DATABASE_URL, or allow it in pg_hba.conf',
  '28P01': 'fix the user and password in DATABASE_URL',
  '3D000': 'create it with `createdb`, or fix DATABASE_URL',
  '42501': 'let its user own the database',
}

/** Formats an error of a DATABASE_URL in one line, with advice where there is any. */
export function describeDatabaseError(error: unknown): string {
  const reason = reasonOf(error)
  const { code = '' } = error as { code?: string }
  const away = !(error instanceof pg.DatabaseError) && isOutage(error)
  const advice = away ? 'start it, fix DATABASE_URL, or unset DATABASE_URL to use the embedded database' : ADVICE[code]
  return advice ? `${reason}: ${advice}` : reason
}
