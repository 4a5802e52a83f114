// The end of a reward: recorded once, with an audit entry in the same transaction if a command was sent.
import type { Db } from '../../platform/db/pool.ts'
import { recordAction } from '../audit/index.ts'
import type { SettledReward } from './rewards.sql.ts'

/** @param setBy who set the commands */
export async function recordReward(tx: Db, reward: SettledReward, setBy: string): Promise<void> {
  const { serverId, commands, ...details } = reward
  if (!commands.length) return
  await recordAction(tx, {
    actorId: setBy,
    action: 'vote-reward.run',
    targetType: 'server',
    targetId: serverId,
    details: { ...details, commands },
  })
}
