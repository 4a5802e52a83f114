// Distinguishes a lost race for a unique value from other failures.
import pg from 'pg'

/** Whether a unique index rejected a row (SQLSTATE 23505). */
export const isUniqueViolation = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '23505'
