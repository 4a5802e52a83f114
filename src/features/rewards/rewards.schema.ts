// Requests and replies of the operations of vote rewards.
import * as z from 'zod'
import { pageOf, pageQuery } from '../../platform/http/paging.ts'
import { Timestamp } from '../../platform/http/timestamp.ts'
import { RconCommand } from '../rcon/index.ts'
import { REWARD_STATUSES } from './outcomes.ts'

const MAX_COMMANDS = 5

/** When a vote's reward runs. */
const RewardOccasion = z.enum(['vote', 'claim'], 'must be vote or claim')
export type RewardOccasion = z.output<typeof RewardOccasion>

export const SetVoteRewards = z.object({
  when: RewardOccasion.describe(
    '`vote`: as soon as a vote comes. `claim`: when `votes/claim` or a reward plugin claims it',
  ),
  commands: z
    .array(RconCommand.shape.command, {
      error: ({ input }) => (input === undefined ? 'is required' : 'must be a list of commands'),
    })
    .min(1, 'must have at least one command')
    .max(MAX_COMMANDS, `must have at most ${MAX_COMMANDS} commands`)
    .describe('Sent one after the other; `{username}`, `{gamePlatformId}`, `{votes}` and `{streak}` are replaced'),
})

export const VoteRewards = z
  .object({
    isEnabled: z.boolean(),
    when: RewardOccasion.nullable(),
    commands: z.array(z.string()),
    stoppedAt: Timestamp.nullable().describe(
      'Since when no command is sent, because the game server refused the RCON password; set the password or the rewards again',
    ),
    updatedAt: Timestamp.nullable(),
  })
  .meta({ id: 'VoteRewards' })

export const RewardsQuery = z.object(pageQuery({ limit: 20, maxLimit: 50 }))

export const VoteReward = z
  .object({
    voteId: z.uuid(),
    username: z.string(),
    gamePlatformId: z.string(),
    status: z
      .enum(REWARD_STATUSES)
      .describe('`may_have_run`: the outcome of a command is unknown. It is not sent again'),
    reason: z
      .string()
      .nullable()
      .describe('Why it ended so, as a stable code: `answered`, `unrepresentable`, `wrong_password` …'),
    message: z.string().nullable().describe('The same in a sentence'),
    commands: z.array(z.string()).describe('As sent, with passwords hidden; empty if none was sent'),
    commandsRun: z.int().min(0).describe('How many of them the game server has answered'),
    answer: z.string().describe('The first 500 characters that it answered'),
    createdAt: Timestamp,
    settledAt: Timestamp.nullable().describe('Null while it is waiting or running'),
  })
  .meta({ id: 'VoteReward' })

export const RewardsPage = pageOf('rewards', VoteReward)
