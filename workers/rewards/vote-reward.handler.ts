// Runs the commands of a vote's reward on the game server.
import type { Deps } from '../../src/deps.ts'
import { createRewardRunner, type VoteRewardJob } from '../../src/features/rewards/index.ts'
import { createRconSender } from '../rcon/send.ts'

/** @returns a handler that runs a reward at most once, even if its job is delivered several times */
export function createVoteRewardHandler(
  deps: Pick<Deps, 'pool' | 'jobs' | 'settings' | 'log'>,
): (job: VoteRewardJob) => Promise<void> {
  const send = createRconSender(deps.settings)
  const runner = createRewardRunner(deps)
  return (job) => runner.run(job, send)
}
