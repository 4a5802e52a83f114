// What to do about a database that can't be used, for the person at the terminal.
import pg from 'pg'
import { isOutage } from './outage.ts'

const ADVICE: Record<string, string> = {
  '28000': 'mend the user in DATABASE_URL, or let it in (pg_hba.conf)',
  '28P01': 'mend user and password in DATABASE_URL',
  '3D000': 'create it with `createdb`, or mend DATABASE_URL',
  '42501': 'let its user own the database',
}

/** A database's error in one line with what to do, where it is known: for errors of a DATABASE_URL. */
export function withAdvice(error: unknown): string {
  const reason = reasonOf(error)
  const { code = '' } = error as { code?: string }
  const away = !(error instanceof pg.DatabaseError) && isOutage(error)
  const advice = away ? 'start it, mend DATABASE_URL, or unset that to have one brought along' : ADVICE[code]
  return advice ? `${reason}: ${advice}` : reason
}

/** The reason of a failed connection is in the parts of an AggregateError, whose own message is empty. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length) return reasonOf(error.errors[0])
  return error instanceof Error ? error.message : String(error)
}
