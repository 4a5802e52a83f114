// What owners' game servers ask: which votes came, what a voter has coming, and that nobody is rewarded twice. And who voted most.
import { validate as isUuid } from 'uuid'
import type * as z from 'zod'
import { inTransaction, type Pool } from '../../platform/db/pool.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { recordAction } from '../audit/index.ts'
import { noSuchServer } from '../directory/index.ts'
import { lockManaged, requireManaged } from '../servers/index.ts'
import { nextVoteAt } from './cooldown.ts'
import { claimVotes, findStanding, findTopVoters, findVotes, type Voter } from './rewards.sql.ts'
import { createShortMemory } from './short-memory.ts'
import type * as schema from './votes.schema.ts'
import { cursorOf } from './votes.schema.ts'

/** Votes of one voter that are claimed at once. */
export const MOST_CLAIMED = 1_000
const TOP_VOTERS = 100

export interface RewardsService {
  /** @throws ApiError 404, 403 for anybody but the owner and administrators; so do `standing` and `claim` */
  feed(actor: Actor, serverId: string, query: schema.VotesQuery): Promise<z.input<typeof schema.Votes>>
  standing(actor: Actor, serverId: string, voter: schema.VoterInput): Promise<z.input<typeof schema.VoterStanding>>
  claim(actor: Actor, serverId: string, voter: schema.VoterInput): Promise<z.input<typeof schema.ClaimedVotes>>
  /** @param month YYYY-MM; this one unless given. @throws ApiError 404 for a server that is not listed */
  top(serverId: string, month: string | undefined): Promise<z.input<typeof schema.TopVoters>>
}

export interface RewardsOptions {
  pool: Pool
  /** Setting LISTING_REQUIRES_VERIFICATION. */
  requireVerified: boolean
  /** Stands in for the database's clock. */
  now?: () => Date
}

export function createRewardsService(options: RewardsOptions): RewardsService {
  const { pool, requireVerified } = options
  const now = () => options.now?.() ?? null
  const tops = createShortMemory<z.input<typeof schema.TopVoters> | undefined>()

  return {
    async feed(actor, serverId, { cursor, since, limit }) {
      await requireManaged(pool, actor, serverId)
      const rows = await findVotes(pool, serverId, {
        after: cursor ?? 0,
        since: since === undefined ? null : new Date(since),
        limit,
      })
      const last = rows.at(-1)
      return {
        votes: rows.map(({ number: _number, votedAt, claimedAt, ...vote }) => ({
          ...vote,
          votedAt: votedAt.toISOString(),
          claimedAt: claimedAt?.toISOString() ?? null,
        })),
        nextCursor: last ? cursorOf(last.number) : null,
      }
    },

    async standing(actor, serverId, input) {
      await requireManaged(pool, actor, serverId)
      const { claimed, unclaimed, lastVotedAt } = await findStanding(pool, serverId, voterOf(input), now())
      return {
        voted: lastVotedAt !== null,
        claimed,
        unclaimed,
        nextVoteAt: lastVotedAt && nextVoteAt(lastVotedAt).toISOString(),
      }
    },

    async claim(actor, serverId, input) {
      const voteIds = await inTransaction(pool, async (tx) => {
        const { isOwner } = await lockManaged(tx, actor, serverId)
        const ids = await claimVotes(tx, serverId, voterOf(input), { now: now(), limit: MOST_CLAIMED })
        if (!isOwner && ids.length)
          await recordAction(tx, {
            actorId: actor.userId,
            action: 'votes.claim',
            targetType: 'server',
            targetId: serverId,
            details: { voteIds: ids },
          })
        return ids
      })
      return { claimed: voteIds.length, voteIds }
    },

    async top(serverId, month) {
      if (!isUuid(serverId)) throw noSuchServer()
      const found = await tops.get(`${serverId} ${month ?? ''}`, () =>
        findTopVoters(pool, serverId, {
          month: month === undefined ? null : `${month}-01`,
          now: now(),
          limit: TOP_VOTERS,
          requireVerified,
        }),
      )
      if (!found) throw noSuchServer()
      return found
    },
  }
}

/** Of the two fields the one that was given. */
const voterOf = ({ gamePlatformId, username }: schema.VoterInput): Voter =>
  gamePlatformId === undefined ? { username: username ?? '' } : { gamePlatformId }
