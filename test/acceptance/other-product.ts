// A second product for faults, limits and what other settings promise.

import type { Pool } from '../../src/platform/db/pool.ts'
import { postmasterPid } from '../commands/support/start-launcher.ts'
import { signalAll } from '../faults/support/postgres.ts'
import { openDatabaseOf, type Product, startProduct } from './product.ts'
import { onceNeeded } from './section.ts'

export const STALE_AFTER_SECONDS = 3
export const MAX_LISTINGS = 60

export const theOther = onceNeeded(async (): Promise<Product & { database: Pool }> => {
  const other = await startProduct({
    RATE_LIMIT_IP_PER_MINUTE: '0',
    RATE_LIMIT_STORE: 'postgres',
    DIRECTORY_MAX_STALENESS_SECONDS: String(STALE_AFTER_SECONDS),
    POLL_INTERVAL_SECONDS: '3',
    LISTINGS_PER_ACCOUNT: String(MAX_LISTINGS),
    SITE: 'off',
    VOTE_PROOF: 'altcha',
  })
  return { ...other, database: await openDatabaseOf(other) }
})

/** Freezes its PostgreSQL for the duration of `during`: connections stay open without answers. */
export async function whileFrozen<T>({ launcher }: Product, look: () => Promise<T>): Promise<T> {
  const postmaster = postmasterPid(launcher.env.DATA_DIR ?? '')
  if (!postmaster) throw new Error('PostgreSQL is not running')
  try {
    signalAll(postmaster, 'SIGSTOP')
    return await look()
  } finally {
    signalAll(postmaster, 'SIGCONT')
  }
}

/** Leaves these seconds of the hour in which requests are counted. */
export async function endHourIn(seconds: number): Promise<void> {
  const { database } = await theOther()
  await database.query(`update rate_limits set expire = $1 where key like '%ip-hour%'`, [Date.now() + seconds * 1_000])
}
