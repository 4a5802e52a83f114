// How a reward can end, in words for the owner.
import { RCON_FAILURES, type RconOutcome } from '../rcon/index.ts'

/** Why a command was not sent, in addition to the failures of RCON. */
const REFUSALS = {
  unrepresentable:
    'The voter’s name or id is empty or has characters that could be read as a command: only letters from A to Z, digits and _ . - are sent.',
  removed: 'The rewards were removed, or the server has another owner or a banned one.',
  no_login: 'The game server did not complete the RCON login, so the command was not sent.',
  stopped: 'The game server refused the RCON password before. Set the password or the rewards again.',
  voided: 'A moderator voided the vote.',
  expired: 'No worker ran it within a day.',
} as const
const ENDS = {
  answered: 'The game server has answered every command.',
  unserved: 'No worker ran it in time.',
  lost: 'The worker that ran it has stopped; the commands may have run.',
} as const

export type RewardOutcome = RconOutcome | keyof typeof REFUSALS

export const describeOutcome = (outcome: RewardOutcome): string => ({ ...RCON_FAILURES, ...REFUSALS, ...ENDS })[outcome]

/** Failures of RCON after which the command that failed may nevertheless have run. */
const UNCERTAIN: ReadonlySet<RewardOutcome> = new Set([
  'timeout',
  'disconnected',
  'protocol_error',
  'answer_too_large',
  'lost',
])

/** How a command of a reward ended. @param options.isUnsent whether it was certainly not sent */
export const outcomeOf = (outcome: RconOutcome, { isUnsent }: { isUnsent: boolean }): RewardOutcome =>
  isUnsent && isUncertain(outcome) ? 'no_login' : outcome

/** Whether a command may have run although its answer is unknown. */
export const isUncertain = (outcome: RewardOutcome): boolean => UNCERTAIN.has(outcome)

/** Whether the game server accepted the password; a command may have failed afterwards. */
export const acceptsPassword = (outcome: RewardOutcome): boolean => outcome === 'answered' || isUncertain(outcome)

/** Whether a command was not sent for a reason that may be over later: the game server may be restarting. */
export const mayBeRepeated = (outcome: RewardOutcome): boolean => RETRIED.has(outcome)
const RETRIED: ReadonlySet<RewardOutcome> = new Set(['unreachable', 'no_login', 'unserved'])

export const REWARD_STATUSES = ['waiting', 'running', 'ran', 'ran_partly', 'may_have_run', 'not_run'] as const

export function statusOf(reward: {
  startedAt: Date | null
  outcome: RewardOutcome | null
  commandsRun: number
}): (typeof REWARD_STATUSES)[number] {
  const { startedAt, outcome, commandsRun } = reward
  if (outcome === null) return startedAt ? 'running' : 'waiting'
  if (outcome === 'answered') return 'ran'
  if (isUncertain(outcome)) return 'may_have_run'
  return commandsRun > 0 ? 'ran_partly' : 'not_run'
}
