// Completes rewards whose worker did not, erases those of former owners, and keeps answers readable.
import { NIL } from 'uuid'
import type { Deps } from '../../deps.ts'
import { inTransaction } from '../../platform/db/pool.ts'
import { reencrypt } from '../../platform/db/reencrypt.ts'
import { endErasure, eraseBatch, findErasures, type LogPlace } from './erasures.sql.ts'
import { voteRewardWake } from './rewards.jobs.ts'
import { completeOverdue, findWaitingServers } from './rewards.sql.ts'
import { recordRun } from './runner.service.ts'
import { deleteInvalidRewardSettings, findRewardSettings } from './settings.sql.ts'

/** Rewards per statement that erases, so that locks are short. */
const ERASED_AT_ONCE = 1_000

/**
 * Completes rewards that no worker will end, runs those whose jobs were lost, and deletes settings that became invalid.
 */
export async function runRewardsUpkeep({ pool, jobs, log }: Pick<Deps, 'pool' | 'jobs' | 'log'>): Promise<void> {
  const overdue = await inTransaction(pool, async (tx) => {
    const completed = await completeOverdue(tx)
    for (const reward of completed) {
      const rewards = await findRewardSettings(tx, reward.serverId)
      if (rewards) await recordRun(tx, reward, rewards.setBy)
    }
    return completed.length
  })
  const waiting = await findWaitingServers(pool)
  await jobs.enqueue(
    pool,
    voteRewardWake,
    waiting.map((serverId) => ({ serverId })),
    ({ serverId }) => ({ singletonKey: serverId }),
  )
  const invalid = await deleteInvalidRewardSettings(pool)
  log.info({ overdue, waiting: waiting.length, invalid }, 'overdue vote rewards completed, invalid settings deleted')
}

/**
 * Deletes the commands and answers of rewards that are hidden from the server's next owner. A repeated or
 * parallel run does no harm.
 */
export async function runRewardsErasure({ pool, log }: Pick<Deps, 'pool' | 'log'>): Promise<void> {
  for (const erasure of await findErasures(pool)) {
    let total = 0
    for (let after: LogPlace | undefined = { createdAt: new Date(0), voteId: NIL }; after; ) {
      const { last, erased } = await eraseBatch(pool, erasure, { after, limit: ERASED_AT_ONCE })
      total += erased
      after = last
    }
    await endErasure(pool, erasure)
    log.info({ serverId: erasure.serverId, rewards: total }, 'commands and answers of a former owner’s rewards deleted')
  }
}

/** Encrypts answers again after APP_SECRET was changed. Reads every answer. */
export async function runRewardsReencryption(deps: Pick<Deps, 'pool' | 'settings' | 'log'>): Promise<void> {
  await reencrypt(deps, 'rcon', {
    table: 'vote_rewards',
    key: 'vote_id',
    columns: ['answer'],
    where: 'answer is not null',
  })
}
