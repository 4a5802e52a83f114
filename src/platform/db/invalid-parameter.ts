// Distinguishes a value that PostgreSQL does not accept from other failures.
import pg from 'pg'

/** Whether a function got a value that it does not accept, as the name of a time zone (SQLSTATE 22023). */
export const isInvalidParameter = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '22023'
