// Tells that somebody was faster from a statement that is wrong.
import pg from 'pg'

/** Whether a unique index refused a row (SQLSTATE 23505): what was free when it was looked at is taken by now. */
export const isUniqueViolation = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '23505'
