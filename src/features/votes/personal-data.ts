// What votes store about a user: votes under the linked game account, and the vote keys of their
// servers, without secrets.
import type { PersonalData } from '../../platform/db/personal-data.ts'
import { platformIdKey } from '../games/index.ts'

interface VoteRow {
  serverId: string
  username: string
  gamePlatformId: string
  votedAt: Date
  claimedAt: Date | null
  streak: number | null
}

/**
 * Votes name no account, and another player may have typed this game id: the visitor id stays the voter's secret. SQL,
 * because the index begins with the server: each one is looked up by itself.
 */
const votes: PersonalData = {
  name: 'votes',
  columns: [],
  async read(db, userId, { skip, take }) {
    const { rows } = await db.query<VoteRow>(
      `select found.server_id as "serverId", found.username, found.game_platform_id as "gamePlatformId",
         found.voted_at as "votedAt", found.claimed_at as "claimedAt", found.streak
       from users
       cross join servers
       cross join lateral (
         select * from votes
         where votes.server_id = servers.id and votes.game_platform_id <> ''
           and ${platformIdKey('votes.game_platform_id')} = ${platformIdKey('users.game_platform_id')}
       ) as found
       where users.id = $1
       order by found.voted_at desc, found.id desc
       offset $2 limit $3`,
      [userId, skip, take],
    )
    return rows
  },
}

const voteKeys: PersonalData = {
  name: 'voteKeys',
  columns: ['vote_keys.owner_id'],
  read: ({ prisma }, ownerId, range) =>
    prisma.voteKey.findMany({
      where: { ownerId },
      omit: { ownerId: true, tokenHash: true },
      orderBy: [{ createdAt: 'desc' }, { tokenHash: 'desc' }],
      ...range,
    }),
}

export const personalData = [votes, voteKeys]
