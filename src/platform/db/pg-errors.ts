// What an error of the database means, by its SQLSTATE.
import pg from 'pg'

/**
 * SQLSTATE classes and codes of temporary failures: connections (08), out of resources (53), operator intervention and
 * start-up (57P), I/O errors (58), conflicts that a retry solves (40), and a read-only standby.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const PASSING = /^(08|53|58|40|57P|25006$)/

/** Messages of pg itself for a connection that broke, timed out or does not answer. */
const UNANSWERED =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|timeout expired|Query read timeout|The client was closed)/i

/** Socket errors carry the system call that failed. Errors of files and listening ports are not outages. */
const CALLS_OF_A_CONNECTION = ['connect', 'read', 'write', 'getaddrinfo']

/** Whether the same work may succeed later without a fix on our side. */
export function isOutage(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return PASSING.test(error.code ?? '')
  if (error instanceof AggregateError) return error.errors.some(isOutage)
  if (!(error instanceof Error)) return false
  const { syscall } = error as NodeJS.ErrnoException
  return CALLS_OF_A_CONNECTION.includes(syscall ?? '') || UNANSWERED.test(error.message)
}

/** Whether pg stopped waiting for a statement, which the connection still runs. */
export const isStatementTimeout = (error: unknown): error is Error =>
  error instanceof Error && error.message === 'Query read timeout'

/** Whether a unique index rejected a row (SQLSTATE 23505). */
export const isUniqueViolation = (error: unknown): boolean => hasCode(error, '23505')

/** Whether a foreign key rejected a row because no row has this id any longer (SQLSTATE 23503). */
export const isMissingReference = (error: unknown, id: string): boolean =>
  hasCode(error, '23503') && (error.detail?.includes(`(${id})`) ?? false)

/** Whether a function got a value that it does not accept, such as the name of a time zone (SQLSTATE 22023). */
export const isInvalidParameter = (error: unknown): boolean => hasCode(error, '22023')

/** Whether the transaction was rolled back to end a deadlock (SQLSTATE 40P01). */
export const isDeadlock = (error: unknown): boolean => hasCode(error, '40P01')

/** Whether a statement waited longer than `lock_timeout` for a lock (SQLSTATE 55P03). */
export const isLockTimeout = (error: unknown): boolean => hasCode(error, '55P03')

const hasCode = (error: unknown, code: string): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && error.code === code
