// Vote rewards: commands that owners have run on their game server when a player votes, or when votes are redeemed.

export { eraseRewardRecords } from './erasures.sql.ts'
export { personalData } from './personal-data.ts'
export { queueRewards } from './queueing.service.ts'
export { rewardsOperations } from './rewards.operations.ts'
export { createRewardRunner } from './runner.service.ts'
export { deleteRewardSettings, transferRewardSettings } from './settings.sql.ts'
export { runRewardsErasure, runRewardsReencryption, runRewardsUpkeep } from './upkeep.service.ts'
