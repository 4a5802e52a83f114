// Runs the commands of rewards in a worker, at most once, completes rewards whose worker did not, erases those of former owners, and
// keeps answers readable.
import { setTimeout as sleep } from 'node:timers/promises'
import { NIL } from 'uuid'
import type { Deps } from '../../deps.ts'
import { createSecretCipher } from '../../platform/config/secret-cipher.ts'
import { isOutage } from '../../platform/db/pg-errors.ts'
import { type Db, inTransaction } from '../../platform/db/pool.ts'
import { reencrypt } from '../../platform/db/reencrypt.ts'
import { recordAction } from '../audit/index.ts'
import { createRconClient, redact, type SendRcon } from '../rcon/index.ts'
import { renderCommands } from './commands.ts'
import { endErasure, eraseBatch, findErasures, type LogPlace } from './erasures.sql.ts'
import { mayRetry, outcomeOf, type RewardOutcome } from './outcomes.ts'
import { voteReward } from './rewards.jobs.ts'
import {
  type CompletedReward,
  completeOverdue,
  completeReward,
  findNextReward,
  findWaitingReward,
  postponeReward,
  startReward,
  type WaitingReward,
} from './rewards.sql.ts'
import { deleteInvalidRewardSettings, findRewardSettings, lockRewardSettings, stopRewards } from './settings.sql.ts'

/** Time limit of one command. */
const LIMIT_MS = 10_000
/** Waits after attempts that sent nothing. About four hours in all. */
const WAIT_SECONDS = [30, 120, 600, 1_800, 3_600, 7_200]
/** Wait while another reward of the server runs. */
const BUSY_SECONDS = 15
/**
 * How long a job begins rewards of its server. With the last one, of which no answer takes long, it ends within the time that a worker
 * which is stopped gives its jobs (FINISH_TIMEOUT_MS).
 */
const RUN_MS = 10_000
/** How long the outcome of a reward is tried to be recorded, and how often, while the database is away. */
const WRITE_MS = 25_000
const WRITE_AGAIN_MS = 500
/** Rewards per statement that erases, so that locks are short. */
const ERASED_AT_ONCE = 1_000
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
}

interface End {
  outcome: RewardOutcome
  /** Answers to the commands that were answered. */
  answers: string[]
}

/**
 * @returns a handler of `vote-reward`, which does nothing for a reward that was started or completed before. One reward of a server
 * runs at a time: after a refused password there is no second login, and a silent server takes one place. Once the server has answered,
 * the handler continues with its next rewards, also with those that wait for a later attempt.
 */
export function createRewardRunner(deps: Pick<Deps, 'pool' | 'jobs' | 'settings' | 'log'>, send: SendRcon) {
  const { pool, jobs, settings } = deps
  const secretCipher = createSecretCipher(settings)
  const sendTo = createRconClient(deps, send)

  async function sendAll(serverId: string, commands: string[]): Promise<End> {
    const answers: string[] = []
    for (const command of commands) {
      const { outcome, response = '', isUnsent = false } = await sendTo({ serverId, command, timeoutMs: LIMIT_MS })
      if (outcome !== 'answered') return { outcome: outcomeOf(outcome, isUnsent), answers }
      answers.push(response)
    }
    return { outcome: 'answered', answers }
  }

  const complete = (voteId: string, { outcome, answers }: End, { serverId, setBy, shown }: Started) =>
    inTransaction(pool, async (tx) => {
      // Settings before rewards, as a transfer of the server locks them, to avoid deadlocks.
      if (outcome === 'wrong_password') await lockRewardSettings(tx, serverId)
      const answer = answers.length ? secretCipher.encrypt('rcon', answers.join('\n').slice(0, MAX_ANSWER)) : null
      const completed = await completeReward(tx, { voteId, outcome, commandsRun: answers.length, answer })
      if (!completed) return
      await audit(tx, { ...completed, commands: shown }, setBy)
      // Source servers ban an address after a handful of wrong passwords, and all owners share ours.
      if (outcome === 'wrong_password') await stopRewards(tx, voteId)
    })

  const postpone = (voteId: string, startedAt: Date, seconds: number) =>
    inTransaction(pool, async (tx) => {
      if (await postponeReward(tx, voteId, startedAt)) await enqueueLater(tx, voteId, seconds)
    })

  const enqueueLater = (tx: Db, voteId: string, seconds: number) =>
    jobs.enqueue(tx, voteReward, [{ voteId }], { startAfter: seconds })

  /** @returns what is to be sent; `refused`: it is completed; `busy`: another reward of the server runs */
  const start = (voteId: string, waiting: WaitingReward): Promise<Started | 'refused' | 'busy'> =>
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
      const shown = commands.map((command) => redact(command))
      // Committed before the first byte is sent: a worker that is killed from here on leaves a reward that is not run again.
      const startedAt = await startReward(tx, { voteId, serverId, commands: shown })
      if (startedAt) return { serverId, startedAt, commands, shown, setBy: rewards.setBy }
      await enqueueLater(tx, voteId, BUSY_SECONDS)
      return 'busy'
    })

  /** @returns the server, unless its next reward has to wait, and whether the server has answered */
  async function run(voteId: string): Promise<{ serverId: string; isAnswering: boolean } | undefined> {
    const waiting = await findWaitingReward(pool, voteId)
    if (!waiting) return undefined
    const { serverId, attempts } = waiting
    const started = await start(voteId, waiting)
    if (started === 'busy') return undefined
    if (started === 'refused') return { serverId, isAnswering: false }
    const end = await sendAll(serverId, started.commands)
    const wait = WAIT_SECONDS[attempts]
    // Both change nothing when they are repeated: the first time may have succeeded although no answer came.
    if (mayRetry(end.outcome) && !end.answers.length && wait !== undefined)
      await untilWritten(() => postpone(voteId, started.startedAt, wait))
    else await untilWritten(() => complete(voteId, end, started))
    const isAnswering = end.outcome === 'answered' || end.outcome === 'wrong_password'
    return isAnswering ? { serverId, isAnswering } : undefined
  }

  return async ({ voteId }: { voteId: string }, signal?: AbortSignal): Promise<void> => {
    const until = performance.now() + RUN_MS
    let hasAnswered = false
    for (let next: string | undefined = voteId; next && !signal?.aborted && performance.now() < until; ) {
      const ran = await run(next)
      hasAnswered ||= ran?.isAnswering ?? false
      next = ran && hasAnswered ? await findNextReward(pool, ran.serverId) : undefined
    }
  }
}

/** Repeats what records an outcome, for a while, while the database is away: an outcome that is lost counts as “may have run”. */
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

/** Completes rewards that no worker will end, and deletes settings that became invalid. */
export async function runRewardsUpkeep({ pool, log }: Pick<Deps, 'pool' | 'log'>): Promise<void> {
  const overdue = await inTransaction(pool, async (tx) => {
    const completed = await completeOverdue(tx)
    for (const reward of completed) {
      const rewards = await findRewardSettings(tx, reward.serverId)
      if (rewards) await audit(tx, reward, rewards.setBy)
    }
    return completed.length
  })
  const invalid = await deleteInvalidRewardSettings(pool)
  log.info({ overdue, invalid }, 'overdue vote rewards completed, invalid settings deleted')
}

/** Deletes the commands and answers of rewards that are hidden from the server's next owner. A repeated or parallel run does no harm. */
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

/** Writes the audit entry of a completed reward if a command was sent. @param setBy who set the commands */
async function audit(tx: Db, { serverId, ...details }: CompletedReward, setBy: string): Promise<void> {
  if (details.commands.length)
    await recordAction(tx, {
      actorId: setBy,
      action: 'vote-reward.run',
      targetType: 'server',
      targetId: serverId,
      details,
    })
}
