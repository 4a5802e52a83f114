// The operations of vote rewards: owners set commands that are run on their game server when players vote.
import type { Deps } from '../../deps.ts'
import { createSecretCipher } from '../../platform/config/secret-cipher.ts'
import { operation } from '../../platform/http/operation.ts'
import { Audited } from '../../platform/http/reply-kinds.ts'
import { SUCCESS, Success } from '../../platform/http/success.ts'
import { redact, requireUsableRcon, UNUSABLE_RCON_CODES } from '../rcon/index.ts'
import { managedServer } from '../servers/index.ts'
import { describeOutcome, statusOf } from './outcomes.ts'
import { RewardsPage, RewardsQuery, SetVoteRewards, VoteRewards } from './rewards.schema.ts'
import { findRewards, type RewardRow } from './rewards.sql.ts'
import { deleteRewardSettings, findRewardSettings, type RewardSettings, upsertRewardSettings } from './settings.sql.ts'

const common = { tag: 'Votes', access: 'user', scope: 'rcon', path: '/servers/{id}/vote-rewards' } as const

export function rewardsOperations({ settings }: Pick<Deps, 'settings'>) {
  const secretCipher = createSecretCipher(settings)

  const view = ({ answer, ...reward }: RewardRow) => ({
    ...reward,
    status: statusOf(reward),
    reason: reward.outcome,
    message: reward.outcome && describeOutcome(reward.outcome),
    answer: (answer !== null && secretCipher.decryptIfPossible('rcon', answer)) || '',
  })

  return [
    operation({
      ...common,
      method: 'get',
      operationId: 'getVoteRewards',
      summary: 'Show the commands that reward votes on your server',
      resource: managedServer({ right: 'edit' }),
      returns: VoteRewards,
      handle: async ({ db, server }) => viewSettings(await findRewardSettings(db, server.id)),
    }),
    operation({
      ...common,
      method: 'put',
      operationId: 'setVoteRewards',
      summary: 'Set the commands that reward votes',
      description:
        'By RCON, which must be set up. For each vote the commands are sent at most once: if it is unknown whether one ran, it is not sent ' +
        'again. While the game server can’t be reached they wait, for up to four hours. In the commands `{username}`, `{gamePlatformId}` and ' +
        '`{votes}` (how often this player has voted) and `{streak}` (on how many days in a row) are replaced. Voters type their names, so a vote is rewarded only if the values ' +
        'consist of letters from A to Z, digits and `_ . -` (`:` too in ids). The audit log keeps what was sent.',
      resource: managedServer({ right: 'rcon', lock: 'update', audit: 'vote-rewards.set', auditsOwner: true }),
      body: SetVoteRewards,
      codes: UNUSABLE_RCON_CODES,
      returns: VoteRewards,
      async handle({ tx, actor, server, body: { when, commands } }) {
        await requireUsableRcon(tx, server.id, settings)
        await upsertRewardSettings(tx, { serverId: server.id, setBy: actor.userId, runOn: when, commands })
        const details = { when, commands: commands.map((command) => redact(command)) }
        return new Audited(viewSettings(await findRewardSettings(tx, server.id)), details)
      },
    }),
    operation({
      ...common,
      method: 'delete',
      operationId: 'removeVoteRewards',
      summary: 'Delete the reward commands; succeeds if there are none',
      resource: managedServer({ right: 'edit', lock: 'update', audit: 'vote-rewards.remove', auditsOwner: true }),
      returns: Success,
      handle: async ({ tx, server }) =>
        new Audited(SUCCESS, (await deleteRewardSettings(tx, server.id)) ? {} : undefined),
    }),
    operation({
      ...common,
      method: 'get',
      path: `${common.path}/log`,
      operationId: 'listVoteRewards',
      summary: 'List the rewards of votes for your server with what became of each, newest first',
      resource: managedServer({ right: 'edit' }),
      query: RewardsQuery,
      returns: RewardsPage,
      async handle({ db, server, query }) {
        const { rewards, pagination } = await findRewards(db, server.id, query)
        return { rewards: rewards.map(view), pagination }
      },
    }),
  ]
}

const viewSettings = (found: RewardSettings | undefined) => ({
  isEnabled: found !== undefined,
  when: found?.runOn ?? null,
  commands: found?.commands ?? [],
  stoppedAt: found?.stoppedAt ?? null,
  updatedAt: found?.updatedAt ?? null,
})
