// Distinguishes a database that is unreachable or read-only from a statement that is wrong.
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
