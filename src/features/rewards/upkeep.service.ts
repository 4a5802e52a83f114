// Settles rewards that no worker will end, and deletes settings that became invalid.
import type { Deps } from '../../deps.ts'
import { inTransaction } from '../../platform/db/pool.ts'
import { settleOverdue } from './rewards.sql.ts'
import { deleteInvalidRewardSettings, findRewardSettings } from './settings.sql.ts'
import { recordReward } from './settlement.ts'

export async function runRewardsUpkeep({ pool, log }: Pick<Deps, 'pool' | 'log'>): Promise<void> {
  const overdue = await inTransaction(pool, async (tx) => {
    const settled = await settleOverdue(tx)
    for (const reward of settled) {
      const rewards = await findRewardSettings(tx, reward.serverId)
      if (rewards) await recordReward(tx, reward, rewards.setBy)
    }
    return settled.length
  })
  const invalid = await deleteInvalidRewardSettings(pool)
  log.info({ overdue, invalid }, 'overdue vote rewards settled, invalid settings deleted')
}
