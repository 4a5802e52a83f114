// Archives finished months and deletes old cooldowns, in batches: short transactions, so that the change feed's cursor advances.
import type { Deps } from '../../deps.ts'
import type { Pool } from '../../platform/db/pool.ts'
import { deleteOldVoteAddresses, FIRST_VOTE_ADDRESS } from './networks.sql.ts'
import { deleteInvalidVoteKeys } from './plugins/vote-keys.sql.ts'
import { deleteExpiredProofs } from './proofs/proofs.sql.ts'
import { archiveMonths, deleteOldCooldowns, FIRST_COOLDOWN } from './upkeep.sql.ts'

const BATCH = 2_000

interface BatchOptions {
  /** The database's clock unless given. */
  now?: Date
  batch?: number
}

/**
 * Moves counters of finished months to the archive, each exactly once, also when this runs several times at once.
 * @returns number of counters
 */
export async function archiveVoteMonths(pool: Pool, { now, batch = BATCH }: BatchOptions = {}): Promise<number> {
  for (let total = 0; ; ) {
    const archived = await archiveMonths(pool, { now: now ?? null, limit: batch })
    if (archived === 0) return total
    total += archived
  }
}

/** @returns number of cooldowns deleted */
export async function clearCooldowns(pool: Pool, { now, batch = BATCH }: BatchOptions = {}): Promise<number> {
  let after = FIRST_COOLDOWN
  for (let total = 0; ; ) {
    const { deleted, last } = await deleteOldCooldowns(pool, { after, now: now ?? null, limit: batch })
    if (!last) return total
    total += deleted
    after = last
  }
}

/** @returns number of votes whose networks were deleted */
export async function clearVoteAddresses(pool: Pool, { now, batch = BATCH }: BatchOptions = {}): Promise<number> {
  let after = FIRST_VOTE_ADDRESS
  for (let total = 0; ; ) {
    const { deleted, last } = await deleteOldVoteAddresses(pool, { after, now: now ?? null, limit: batch })
    if (!last) return total
    total += deleted
    after = last
  }
}

/** @returns number of used proofs of work deleted */
export async function clearProofs(pool: Pool, { now, batch = BATCH }: BatchOptions = {}): Promise<number> {
  for (let total = 0; ; ) {
    const deleted = await deleteExpiredProofs(pool, { now: now ?? null, limit: batch })
    if (deleted === 0) return total
    total += deleted
  }
}

export async function runVotesMonth({ pool, log }: Pick<Deps, 'pool' | 'log'>): Promise<void> {
  log.info({ counters: await archiveVoteMonths(pool) }, 'finished months of votes archived')
}

export async function runVotesUpkeep({ pool, log }: Pick<Deps, 'pool' | 'log'>): Promise<void> {
  log.info({ cooldowns: await clearCooldowns(pool) }, 'old vote cooldowns deleted')
  log.info({ votes: await clearVoteAddresses(pool) }, 'networks of old votes deleted')
  log.info({ proofs: await clearProofs(pool) }, 'used proofs of work deleted')
  log.info({ keys: await deleteInvalidVoteKeys(pool) }, 'invalid vote keys deleted')
}
