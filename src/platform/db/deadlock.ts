// Work that PostgreSQL rolled back to end a deadlock.
import { retryOn } from '../retry.ts'
import { isDeadlock } from './pg-errors.ts'

const TRIES = 3
/**
 * During the pause the other transaction gets the lock that it waits for; a victim that is faster would block it again.
 */
const MAX_PAUSE_MS = 100

/**
 * Runs a transaction again if it was the victim of a deadlock (SQLSTATE 40P01): PostgreSQL has undone all of it, and
 * the other transaction continues.
 * @param transaction must have no effect outside the database
 */
export const retryDeadlocks = <T>(transaction: () => Promise<T>): Promise<T> =>
  retryOn(isDeadlock, transaction, { tries: TRIES, pauseMs: () => MAX_PAUSE_MS * (0.5 + Math.random() / 2) })
