// Work that PostgreSQL rolled back to end a deadlock.
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeadlock } from './pg-errors.ts'

const TRIES = 3
/** During the pause the other transaction gets the lock that it waits for; a victim that is faster would block it again. */
const MAX_PAUSE_MS = 100

/**
 * Runs a transaction again if it was the victim of a deadlock (SQLSTATE 40P01): PostgreSQL has undone all of it, and the other transaction
 * continues. @param transaction must have no effect outside the database
 */
export async function retryDeadlocks<T>(transaction: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await transaction()
    } catch (error) {
      if (tries === TRIES || !isDeadlock(error)) throw error
      await sleep(MAX_PAUSE_MS * (0.5 + Math.random() / 2))
    }
}
