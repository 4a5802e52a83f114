// Recognizes a row that refers to what has been deleted meanwhile.
import pg from 'pg'

/** Whether a foreign key rejected a row because nothing has this id any more (SQLSTATE 23503). */
export const isMissingReference = (error: unknown, id: string): boolean =>
  error instanceof pg.DatabaseError && error.code === '23503' && (error.detail?.includes(`(${id})`) ?? false)
