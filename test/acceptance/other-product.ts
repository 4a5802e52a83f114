// A second product, for what would disturb the tests of the first: no limit per minute, its counts in the database, and faults.

import type { Pool } from '../../src/platform/db/pool.ts'
import { descendants, postmasterPid } from '../tools/support/start-launcher.ts'
import { openDatabaseOf, type Product, startProduct } from './product.ts'
import { onceNeeded } from './section.ts'

export const STALE_AFTER_SECONDS = 3

export const theOther = onceNeeded(async (): Promise<Product & { database: Pool }> => {
  const other = await startProduct({
    RATE_LIMIT_IP_PER_MINUTE: '0',
    RATE_LIMIT_STORE: 'postgres',
    DIRECTORY_MAX_STALENESS_SECONDS: String(STALE_AFTER_SECONDS),
    POLL_INTERVAL_SECONDS: '3',
  })
  return { ...other, database: await openDatabaseOf(other) }
})

/** Its PostgreSQL stands still meanwhile: connections stay open, and nothing answers. */
export async function whileFrozen<T>({ launcher }: Product, look: () => Promise<T>): Promise<T> {
  const postmaster = postmasterPid(launcher.env.DATA_DIR ?? '')
  if (!postmaster) throw new Error('PostgreSQL is not running')
  const stopped: number[] = []
  const stop = (pid: number) => {
    process.kill(pid, 'SIGSTOP')
    stopped.push(pid)
  }
  try {
    stop(postmaster) // first, so that it starts no more of them
    for (const { pid } of descendants(postmaster)) stop(pid)
    return await look()
  } finally {
    for (const pid of stopped) process.kill(pid, 'SIGCONT')
  }
}

/** As if the hour in which requests are counted had but these seconds left. */
export async function endHourIn(seconds: number): Promise<void> {
  const { database } = await theOther()
  await database.query(`update rate_limits set expire = $1 where key like '%ip-hour%'`, [Date.now() + seconds * 1_000])
}
