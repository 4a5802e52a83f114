// Tells a database that can't be reached, or can't write, from a statement that is wrong.
import pg from 'pg'

/**
 * SQLSTATE classes and codes by which PostgreSQL says that it is not able to at the moment: connections (08), out of resources (53),
 * operator intervention and start-up (57P), I/O errors (58), conflicts that another try solves (40), and a standby that only reads.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const PASSING = /^(08|53|58|40|57P|25006$)/

/** What pg itself says of a connection that broke, was not given in time, or does not answer. */
const UNANSWERED =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|timeout expired|Query read timeout|The client was closed)/i

/** Errors of a socket carry the system call that failed; a file's or a listening port's are ours to mend. */
const CALLS_OF_A_CONNECTION = ['connect', 'read', 'write', 'getaddrinfo']

/** Whether the same work may succeed later, without anybody mending anything in us. */
export function isOutage(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return PASSING.test(error.code ?? '')
  if (error instanceof AggregateError) return error.errors.some(isOutage)
  if (!(error instanceof Error)) return false
  const { syscall } = error as NodeJS.ErrnoException
  return CALLS_OF_A_CONNECTION.includes(syscall ?? '') || UNANSWERED.test(error.message)
}
