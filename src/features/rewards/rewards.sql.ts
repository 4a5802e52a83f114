// SQL, because races decide: each vote gets one reward, which is started once and completed once, and a
// server runs one at a time.
import type { Db, Sql } from '../../platform/db/pool.ts'
import { type PageQuery, paginate } from '../../platform/http/paging.ts'
import { ignoresCase, nameKey, platformIdKey } from '../games/index.ts'
import type { RewardValues } from './commands.ts'
import { IS_ERASED } from './erasures.sql.ts'
import type { RewardOutcome } from './outcomes.ts'
import type { RewardOccasion } from './rewards.schema.ts'

/**
 * Adds rewards of votes, for a server whose owner has commands run at this occasion.
 * @returns votes that had no reward yet
 */
export async function insertRewards(
  db: Db,
  { serverId, voteIds, runOn }: { serverId: string; voteIds: readonly string[]; runOn: RewardOccasion },
): Promise<string[]> {
  const { rows } = await db.query<{ voteId: string }>({
    name: 'rewards-insert',
    text: `
      insert into vote_rewards (vote_id, server_id)
      select vote_id, settings.server_id
      from vote_reward_settings as settings
      join servers on servers.id = settings.server_id and servers.owner_id is not distinct from settings.owner_id
      cross join unnest($2::uuid[]) as vote_id
      where settings.server_id = $1 and run_on = $3
      on conflict (vote_id) do nothing
      returning vote_id as "voteId"`,
    values: [serverId, voteIds, runOn],
  })
  return rows.map(({ voteId }) => voteId)
}

const SAME_PLATFORM_ID = `${platformIdKey('earlier.game_platform_id')} = ${platformIdKey('vote.game_platform_id')}
  and earlier.game_platform_id <> ''`

const SAME_NAME = `${nameKey('earlier.username')} = ${nameKey('vote.username')} and earlier.username <> ''
  and (earlier.username = vote.username or ${ignoresCase('game')})`

const countVotes = (isOfPlayer: string) => `(
  select count(*) from votes as earlier
  where earlier.server_id = vote.server_id and earlier.number <= vote.number and earlier.voiding_id is null and ${isOfPlayer})`

export interface WaitingReward extends RewardValues {
  serverId: string
  isVoided: boolean
}

/** A reward that was not started. `votes` counts the player's votes by their id or, without one, by their name. */
export async function findWaitingReward(db: Db, voteId: string): Promise<WaitingReward | undefined> {
  const { rows } = await db.query<WaitingReward>(
    `select reward.server_id as "serverId", vote.voiding_id is not null as "isVoided", username, game_platform_id as "gamePlatformId",
       ${platformIdKey('game_platform_id')} as "platformIdKey",
       case when game_platform_id <> '' then ${countVotes(SAME_PLATFORM_ID)} else ${countVotes(SAME_NAME)} end as votes,
       coalesce(vote.streak, 1) as streak
     from vote_rewards as reward
     join votes as vote on vote.id = vote_id
     join servers on servers.id = vote.server_id
     where vote_id = $1 and started_at is null and settled_at is null`,
    [voteId],
  )
  return rows[0]
}

/** @returns the vote of the server's oldest reward that was not started */
export async function findNextReward(db: Sql, serverId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ voteId: string }>(
    `select vote_id as "voteId" from vote_rewards
     where server_id = $1 and started_at is null and settled_at is null
     order by created_at, vote_id
     limit 1`,
    [serverId],
  )
  return rows[0]?.voteId
}

/** @returns servers with rewards that have waited for a quarter of an hour */
export async function findWaitingServers(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ serverId: string }>(
    `select distinct server_id as "serverId" from vote_rewards
     where settled_at is null and started_at is null and created_at < now() - interval '15 minutes'`,
  )
  return rows.map(({ serverId }) => serverId)
}

/**
 * Decides that this caller sends the commands. Call it with `lockRewardSettings`.
 * @param reward.commands as the owner may see them
 * @returns when; undefined if another has, or if a reward of the server runs: its worker completes it in less
 * than 90 s, or has ended
 */
export async function startReward(
  db: Db,
  { voteId, serverId, commands }: { voteId: string; serverId: string; commands: readonly string[] },
): Promise<Date | undefined> {
  const { rows } = await db.query<{ startedAt: Date | null }>(
    `update vote_rewards set started_at = now(), commands = $3
     where vote_id = $1 and started_at is null and settled_at is null and not exists (
       select from vote_rewards as running
       where running.server_id = $2 and running.settled_at is null and running.started_at > now() - interval '90 seconds')
     returning started_at as "startedAt"`,
    [voteId, serverId, commands],
  )
  return rows[0]?.startedAt ?? undefined
}

/**
 * Gives back a started reward of which nothing was sent.
 * @returns false if it was given back, or started again, before
 */
export async function postponeReward(db: Db, voteId: string, startedAt: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    `update vote_rewards set started_at = null, commands = '{}', attempts = attempts + 1
     where vote_id = $1 and started_at = $2 and settled_at is null`,
    [voteId, startedAt],
  )
  return rowCount === 1
}

export interface CompletedReward {
  voteId: string
  serverId: string
  commands: string[]
  commandsRun: number
  outcome: RewardOutcome
}

/**
 * Records how a reward ended.
 * @param end.answer encrypted; not stored if the server was given to another owner since the reward was started
 * @returns undefined if that is recorded already
 */
export async function completeReward(
  db: Db,
  end: { voteId: string; outcome: RewardOutcome; commandsRun: number; answer: string | null },
): Promise<CompletedReward | undefined> {
  const { rows } = await db.query<CompletedReward>(
    `update vote_rewards
     set settled_at = now(), outcome = $2, commands_run = $3, answer = case when commands <> '{}' then $4 end
     where vote_id = $1 and settled_at is null
     returning vote_id as "voteId", server_id as "serverId", commands, commands_run as "commandsRun", outcome`,
    [end.voteId, end.outcome, end.commandsRun, end.answer],
  )
  return rows[0]
}

/**
 * Completes rewards of a server that have waited for four hours. Those that have waited for more than a day are left to
 * `completeOverdue`, so that this does not read all past ones.
 * @param outcome of the server's last attempt, which sent nothing either
 */
export async function completeUnsent(db: Db, serverId: string, outcome: RewardOutcome): Promise<void> {
  await db.query(
    `update vote_rewards set settled_at = now(), outcome = $2
     where server_id = $1 and started_at is null and settled_at is null
       and created_at between now() - interval '25 hours' and now() - interval '4 hours'`,
    [serverId, outcome],
  )
}

/** Completes rewards whose worker stopped while it sent commands, and those that no worker took within a day. */
export async function completeOverdue(db: Db): Promise<CompletedReward[]> {
  const { rows } = await db.query<CompletedReward>(
    `update vote_rewards
     set settled_at = now(), outcome = case when started_at is null then 'expired' else 'lost' end
     where settled_at is null
       and (started_at < now() - interval '5 minutes' or (started_at is null and created_at < now() - interval '1 day'))
     returning vote_id as "voteId", server_id as "serverId", commands, commands_run as "commandsRun", outcome`,
  )
  return rows
}

export interface RewardRow {
  voteId: string
  username: string
  gamePlatformId: string
  createdAt: Date
  startedAt: Date | null
  settledAt: Date | null
  outcome: RewardOutcome | null
  commands: string[]
  commandsRun: number
  /** Encrypted. */
  answer: string | null
}

/** A page, newest first. */
export const findRewards = (db: Db, serverId: string, page: PageQuery) =>
  paginate('rewards', page, {
    count: () => db.prisma.voteReward.count({ where: { serverId } }),
    async find({ limit, offset }) {
      const { rows } = await db.query<RewardRow>(
        `select vote_id as "voteId", username, game_platform_id as "gamePlatformId", created_at as "createdAt",
           started_at as "startedAt", settled_at as "settledAt", outcome, commands_run as "commandsRun",
           case when ${IS_ERASED} then '{}' else commands end as commands, case when ${IS_ERASED} then null else answer end as answer
         from vote_rewards as reward
         join votes on votes.id = vote_id
         left join vote_reward_erasures as erasure on erasure.server_id = reward.server_id
         where reward.server_id = $1
         order by created_at desc, vote_id desc
         limit $2 offset $3`,
        [serverId, limit, offset],
      )
      return rows
    },
  })
