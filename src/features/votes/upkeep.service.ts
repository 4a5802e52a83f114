// Archives finished months and deletes old cooldowns, in batches: short transactions, so that the change
// feed's cursor advances.
import type { Deps } from '../../deps.ts'
import { inTransaction, type Pool } from '../../platform/db/pool.ts'
import { limitStatements } from '../../platform/db/statement-timeout.ts'
import { deleteOldVisitors, recordVisitors } from './origins/visitors.sql.ts'
import { deleteInvalidVoteKeys } from './plugins/vote-keys.sql.ts'
import { deleteExpiredProofs } from './proofs/proofs.sql.ts'
import {
  archiveMonths,
  type Batch,
  deleteEndedStreaks,
  deleteOldCooldowns,
  deleteOldVoteAddresses,
  FIRST_COOLDOWN,
  FIRST_STREAK,
  FIRST_VOTE_ADDRESS,
  findUnrankedMonths,
  lockRanking,
  rankMonth,
} from './upkeep.sql.ts'

const BATCH = 2_000

type BatchOptions = Partial<Batch>

/**
 * Moves counters of finished months to the archive, each exactly once, also when this runs several times at once.
 * @returns number of counters
 */
export const archiveVoteMonths = (pool: Pool, { now, limit = BATCH }: BatchOptions = {}): Promise<number> =>
  untilNoneIsLeft(() => archiveMonths(pool, { now, limit }))

/**
 * Ranks finished months whose counters are archived and that are not ranked yet, or whose votes have changed since.
 * @returns the months, `2026-10-01`
 */
export async function rankVoteMonths(pool: Pool, now?: Date): Promise<string[]> {
  const months = await findUnrankedMonths(pool, now)
  for (const month of months)
    await inTransaction(pool, async (tx) => {
      await limitStatements(tx)
      await lockRanking(tx)
      await rankMonth(tx, month)
    })
  return months
}

/** @returns number of cooldowns deleted */
export function clearOldCooldowns(pool: Pool, { now, limit = BATCH }: BatchOptions = {}): Promise<number> {
  return deleteInKeyOrder(FIRST_COOLDOWN, (after) => deleteOldCooldowns(pool, { after, now, limit }))
}

/** @returns number of streaks deleted */
export function clearEndedStreaks(pool: Pool, { now, limit = BATCH }: BatchOptions = {}): Promise<number> {
  return deleteInKeyOrder(FIRST_STREAK, (after) => deleteEndedStreaks(pool, { after, now, limit }))
}

/** @returns number of votes whose addresses were deleted */
export function clearOldVoteAddresses(pool: Pool, { now, limit = BATCH }: BatchOptions = {}): Promise<number> {
  return deleteInKeyOrder(FIRST_VOTE_ADDRESS, (after) => deleteOldVoteAddresses(pool, { after, now, limit }))
}

/** @param deleteBatch deletes what follows the key, and returns the keys of that in order */
function deleteInKeyOrder<Key>(first: Key, deleteBatch: (after: Key) => Promise<Key[]>): Promise<number> {
  let after = first
  return untilNoneIsLeft(async () => {
    const deleted = await deleteBatch(after)
    after = deleted.at(-1) ?? after
    return deleted.length
  })
}

/** @returns number of used proofs of work deleted */
export const clearExpiredProofs = (pool: Pool, { now, limit = BATCH }: BatchOptions = {}): Promise<number> =>
  untilNoneIsLeft(() => deleteExpiredProofs(pool, { now, limit }))

/** @returns number of visitors deleted */
export const clearOldVisitors = (pool: Pool, { now, limit = BATCH }: BatchOptions = {}): Promise<number> =>
  untilNoneIsLeft(() => deleteOldVisitors(pool, { now, limit }))

async function untilNoneIsLeft(work: () => Promise<number>): Promise<number> {
  let total = 0
  for (let count = await work(); count > 0; count = await work()) total += count
  return total
}

export async function runVotesMonth({ pool, log }: Pick<Deps, 'pool' | 'log'>): Promise<void> {
  log.info({ counters: await archiveVoteMonths(pool) }, 'finished months of votes archived')
  const months = await rankVoteMonths(pool)
  if (months.length) log.info({ months }, 'finished months of votes ranked')
}

export async function runVotesVisitors({ pool, log }: Pick<Deps, 'pool' | 'log'>): Promise<void> {
  log.info({ visitors: await recordVisitors(pool) }, 'first votes of visitors noted')
}

export async function runVotesUpkeep({ pool, log }: Pick<Deps, 'pool' | 'log'>): Promise<void> {
  log.info({ cooldowns: await clearOldCooldowns(pool) }, 'old vote cooldowns deleted')
  log.info({ streaks: await clearEndedStreaks(pool) }, 'ended streaks of votes deleted')
  log.info({ votes: await clearOldVoteAddresses(pool) }, 'addresses of old votes deleted')
  log.info({ proofs: await clearExpiredProofs(pool) }, 'used proofs of work deleted')
  log.info({ visitors: await clearOldVisitors(pool) }, 'visitors who no longer vote deleted')
  log.info({ keys: await deleteInvalidVoteKeys(pool) }, 'invalid vote keys deleted')
}
