// Runs the commands of a reward in a worker, at most once.
import type { Deps } from '../../deps.ts'
import { createSecretCipher } from '../../platform/config/secret-cipher.ts'
import { inTransaction } from '../../platform/db/pool.ts'
import { createRconClient, redact, type SendRcon } from '../rcon/index.ts'
import { renderCommands } from './commands.ts'
import type { RewardOutcome } from './outcomes.ts'
import { voteReward } from './rewards.jobs.ts'
import { findWaitingReward, postponeReward, settleReward, startReward } from './rewards.sql.ts'
import { findRewardSettings, type RewardSettings, stopRewards } from './settings.sql.ts'
import { recordReward } from './settlement.ts'

/** Of one command. */
const LIMIT_MS = 10_000
/** Waits after attempts that did not reach the game server: it may be restarting. About four hours in all. */
const WAIT_SECONDS = [30, 120, 600, 1_800, 3_600, 7_200]
/** What the owner is shown of the game server's answers. */
const MAX_ANSWER = 500

interface End {
  outcome: RewardOutcome
  commandsRun: number
  answers: string[]
}

export function createRewardRunner({ pool, jobs, settings, log }: Pick<Deps, 'pool' | 'jobs' | 'settings' | 'log'>) {
  const secretCipher = createSecretCipher(settings)
  const rcon = createRconClient({ pool, settings, log })

  async function sendAll(serverId: string, commands: string[], send: SendRcon): Promise<End> {
    const answers: string[] = []
    for (const command of commands) {
      const { outcome, response = '' } = await rcon.send({ serverId, command, timeoutMs: LIMIT_MS }, send)
      if (outcome !== 'answered') return { outcome, commandsRun: answers.length, answers }
      answers.push(response)
    }
    return { outcome: 'answered', commandsRun: answers.length, answers }
  }

  const settle = (voteId: string, { outcome, commandsRun, answers }: End, setBy: string | undefined) =>
    inTransaction(pool, async (tx) => {
      const answer = answers.length ? secretCipher.encrypt('rcon', answers.join('\n').slice(0, MAX_ANSWER)) : null
      const settled = await settleReward(tx, { voteId, outcome, commandsRun, answer })
      if (!settled || setBy === undefined) return
      await recordReward(tx, settled, setBy)
      // Source servers ban an address after a handful of wrong passwords, and all owners share ours.
      if (outcome === 'wrong_password') await stopRewards(tx, settled.serverId)
    })

  const refuse = (voteId: string, outcome: RewardOutcome) =>
    settle(voteId, { outcome, commandsRun: 0, answers: [] }, undefined)

  const postpone = (voteId: string, seconds: number) =>
    inTransaction(pool, async (tx) => {
      await postponeReward(tx, voteId)
      await jobs.enqueue(tx, voteReward, [{ voteId }], { startAfter: seconds })
    })

  /** Whether the RCON password that the game server refused is still the one that is set. */
  async function isStopped(serverId: string, { stoppedAt }: RewardSettings): Promise<boolean> {
    if (!stoppedAt) return false
    const setAt = await rcon.passwordSetAt(serverId)
    return !setAt || setAt <= stoppedAt
  }

  return {
    /** Does nothing for a reward that was started or settled before. */
    async run({ voteId }: { voteId: string }, send: SendRcon): Promise<void> {
      const waiting = await findWaitingReward(pool, voteId)
      if (!waiting) return
      const { serverId, attempts } = waiting
      const rewards = await findRewardSettings(pool, serverId)
      if (!rewards) return refuse(voteId, 'removed')
      if (await isStopped(serverId, rewards)) return refuse(voteId, 'stopped')
      const commands = renderCommands(rewards.commands, waiting)
      if (!commands) return refuse(voteId, 'unrepresentable')
      // Committed before the first byte is sent: a worker that is killed from here on leaves a reward that is not run again.
      if (
        !(await startReward(
          pool,
          voteId,
          commands.map((command) => redact(command)),
        ))
      )
        return
      const end = await sendAll(serverId, commands, send)
      const wait = WAIT_SECONDS[attempts]
      if (end.outcome === 'unreachable' && end.commandsRun === 0 && wait !== undefined) return postpone(voteId, wait)
      await settle(voteId, end, rewards.setBy)
    },
  }
}
