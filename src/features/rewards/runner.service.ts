// Runs the commands of rewards in a worker, at most once.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Deps } from '../../deps.ts'
import { createSecretCipher } from '../../platform/config/secret-cipher.ts'
import { isOutage } from '../../platform/db/pg-errors.ts'
import { type Db, inTransaction } from '../../platform/db/pool.ts'
import { recordAction } from '../audit/index.ts'
import { notify } from '../notifications/index.ts'
import { createRconClient, redact, type SendRcon } from '../rcon/index.ts'
import { renderCommands } from './commands.ts'
import { acceptsPassword, isUncertain, mayBeRepeated, outcomeOf, type RewardOutcome } from './outcomes.ts'
import { voteReward, voteRewardWake } from './rewards.jobs.ts'
import {
  type CompletedReward,
  completeReward,
  completeUnsent,
  findNextReward,
  findWaitingReward,
  postponeReward,
  startReward,
  type WaitingReward,
} from './rewards.sql.ts'
import { clearFailures, findRewardSettings, lockRewardSettings, recordFailure, stopRewards } from './settings.sql.ts'

/** Time limit of one command. */
const LIMIT_MS = 10_000
/** Wait while another reward of the server runs, and after a command whose answer did not come. */
const BUSY_SECONDS = 15
/**
 * How long a job begins rewards of its server. With the last one, of which no answer takes long, it ends within the
 * time that a worker which is stopped gives its jobs (FINISH_TIMEOUT_MS).
 */
const RUN_MS = 10_000
/** How long the outcome of a reward is tried to be recorded, and how often, while the database is away. */
const WRITE_MS = 25_000
const WRITE_AGAIN_MS = 500
/** What the owner is shown of the game server's answers. */
const MAX_ANSWER = 500

interface Started {
  serverId: string
  startedAt: Date
  commands: string[]
  /** The commands as the owner may see them: the row has none once the server was given to another owner. */
  shown: string[]
  /** Who set the commands. */
  setBy: string
  /** Attempts of the server before this one that sent nothing, and how the last one ended. */
  failures: number
  closedAtLogin: boolean
}

interface RunOptions {
  /** Whether it may be the next attempt after one that sent nothing. */
  mayRetry: boolean
}

interface End {
  outcome: RewardOutcome
  /** Answers to the commands that were answered. */
  answers: string[]
  /** Whether the game server closed the connection during the login: it is restarting, or the password is wrong. */
  closedAtLogin: boolean
}

/**
 * @returns handlers of `vote-reward` and `vote-reward-wake`, which do nothing for a reward that was started or
 * completed before. One reward of a server runs at a time: after a refused password there is no second login. After
 * an attempt that sent nothing, the server's rewards wait, and only its wake job tries again, so that the votes of
 * silent servers take no places from those of others. A handler continues with the server's next rewards until one
 * of them has to wait.
 */
export function createRewardRunner(deps: Pick<Deps, 'pool' | 'jobs' | 'settings' | 'log'>, send: SendRcon) {
  const { pool, jobs, settings } = deps
  const secretCipher = createSecretCipher(settings)
  const sendTo = createRconClient(deps, send)

  async function sendAll({ serverId, commands, closedAtLogin: closedBefore }: Started): Promise<End> {
    const answers: string[] = []
    for (const command of commands) {
      const sent = await sendTo({ serverId, command, timeoutMs: LIMIT_MS })
      const { response = '', isUnsent = false, closedAtLogin = false } = sent
      if (closedAtLogin && !closedBefore) return { outcome: 'no_login', answers, closedAtLogin }
      if (sent.outcome !== 'answered') return { outcome: outcomeOf(sent.outcome, { isUnsent }), answers, closedAtLogin }
      answers.push(response)
    }
    return { outcome: 'answered', answers, closedAtLogin: false }
  }

  async function stop(tx: Db, voteId: string, serverId: string): Promise<void> {
    const stopped = await stopRewards(tx, voteId)
    if (!stopped?.ownerId) return
    const at = new Date().toISOString()
    await jobs.enqueue(tx, notify, [{ event: 'rewardsStopped', at, serverId, userId: stopped.ownerId, data: {} }])
  }

  const complete = (voteId: string, { outcome, answers }: End, { serverId, setBy, shown, failures }: Started) =>
    inTransaction(pool, async (tx) => {
      const isBack = failures > 0 && (acceptsPassword(outcome) || answers.length > 0)
      // Settings before rewards, as a transfer of the server locks them, to avoid deadlocks.
      if (outcome === 'wrong_password' || isBack) await lockRewardSettings(tx, serverId)
      const answer = answers.length ? secretCipher.encrypt('rcon', answers.join('\n').slice(0, MAX_ANSWER)) : null
      const completed = await completeReward(tx, { voteId, outcome, commandsRun: answers.length, answer })
      if (!completed) return
      await recordRun(tx, { ...completed, commands: shown }, setBy)
      // Source servers ban an address after a handful of wrong passwords, and all owners share ours.
      if (outcome === 'wrong_password') await stop(tx, voteId, serverId)
      if (isBack) await clearFailures(tx, serverId)
      if (isUncertain(outcome)) await wakeLater(tx, serverId)
    })

  const postpone = (voteId: string, { outcome, closedAtLogin }: End, { serverId, startedAt, failures }: Started) =>
    inTransaction(pool, async (tx) => {
      await lockRewardSettings(tx, serverId)
      if (!(await postponeReward(tx, voteId, startedAt))) return
      await recordFailure(tx, { serverId, startedAt, closedAtLogin, failures: failures + 1 })
      await completeUnsent(tx, serverId, outcome)
      await wakeAt(tx, serverId, (await findRewardSettings(tx, serverId))?.retryAt ?? null)
    })

  /**
   * @param retryAt part of the key, because a job for a later time would take the place of an
   * earlier one; null: at once
   */
  const wakeAt = (tx: Db, serverId: string, retryAt: Date | null) =>
    jobs.enqueue(tx, voteRewardWake, [{ serverId }], {
      singletonKey: `${serverId} ${retryAt?.toISOString() ?? 'now'}`,
      ...(retryAt && { startAfter: retryAt }),
    })

  const wakeLater = (tx: Db, serverId: string) =>
    jobs.enqueue(tx, voteRewardWake, [{ serverId }], { singletonKey: serverId, startAfter: BUSY_SECONDS })

  /** @returns what is to be sent; `refused`: it is completed; `waiting`: a wake job runs it later */
  const start = (
    voteId: string,
    waiting: WaitingReward,
    { mayRetry }: RunOptions,
  ): Promise<Started | 'refused' | 'waiting'> =>
    inTransaction(pool, async (tx) => {
      const refuse = async (outcome: RewardOutcome) => {
        await completeReward(tx, { voteId, outcome, commandsRun: 0, answer: null })
        return 'refused' as const
      }
      const { serverId, isVoided } = waiting
      if (isVoided) return refuse('voided')
      await lockRewardSettings(tx, serverId)
      const rewards = await findRewardSettings(tx, serverId)
      if (!rewards) return refuse('removed')
      if (rewards.stoppedAt) return refuse('stopped')
      const commands = renderCommands(rewards.commands, waiting)
      if (!commands) return refuse('unrepresentable')
      const { setBy, failures, closedAtLogin, retryAt, isPostponed } = rewards
      if (failures > 0 && (isPostponed || !mayRetry)) {
        await wakeAt(tx, serverId, retryAt)
        return 'waiting'
      }
      const shown = commands.map((command) => redact(command))
      // Committed before the first byte is sent: a worker that is killed from here on leaves a reward
      // that is not run again.
      const startedAt = await startReward(tx, { voteId, serverId, commands: shown })
      if (startedAt) return { serverId, startedAt, commands, shown, setBy, failures, closedAtLogin }
      await wakeLater(tx, serverId)
      return 'waiting'
    })

  /** @returns the server if its next reward may run at once; otherwise a wake job runs it */
  async function run(voteId: string, options: RunOptions): Promise<string | undefined> {
    const waiting = await findWaitingReward(pool, voteId)
    if (!waiting) return undefined
    const { serverId } = waiting
    const started = await start(voteId, waiting, options)
    if (started === 'waiting') return undefined
    if (started === 'refused') return serverId
    const end = await sendAll(started)
    const isPostponed = mayBeRepeated(end.outcome) && !end.answers.length
    // Both change nothing when they are repeated: the first time may have succeeded although no answer came.
    await untilWritten(() => (isPostponed ? postpone(voteId, end, started) : complete(voteId, end, started)))
    return isPostponed || isUncertain(end.outcome) ? undefined : serverId
  }

  async function runFrom(first: string | undefined, options: RunOptions, signal?: AbortSignal): Promise<void> {
    const until = performance.now() + RUN_MS
    for (let next = first; next; ) {
      if (signal?.aborted || performance.now() > until) return jobs.enqueue(pool, voteReward, [{ voteId: next }])
      const serverId = await run(next, options)
      next = serverId && (await findNextReward(pool, serverId))
    }
  }

  return {
    run: ({ voteId }: { voteId: string }, signal?: AbortSignal) => runFrom(voteId, { mayRetry: false }, signal),
    wake: async ({ serverId }: { serverId: string }, signal?: AbortSignal) =>
      runFrom(await findNextReward(pool, serverId), { mayRetry: true }, signal),
  }
}

/**
 * Repeats what records an outcome, for a while, while the database is away: an outcome that is lost
 * counts as “may have run”.
 */
async function untilWritten(write: () => Promise<void>): Promise<void> {
  const until = performance.now() + WRITE_MS
  for (;;)
    try {
      return await write()
    } catch (error) {
      if (!isOutage(error) || performance.now() > until) throw error
      await sleep(WRITE_AGAIN_MS)
    }
}

/** Writes the audit entry of a completed reward if a command was sent. @param setBy who set the commands */
export async function recordRun(tx: Db, { serverId, ...details }: CompletedReward, setBy: string): Promise<void> {
  if (details.commands.length)
    await recordAction(tx, {
      actorId: setBy,
      action: 'vote-reward.run',
      targetType: 'server',
      targetId: serverId,
      details,
    })
}
