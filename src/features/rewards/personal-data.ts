// The commands that a user had run for votes, as the owner or for the owner.
import type { PersonalData } from '../../platform/db/personal-data.ts'

const voteRewards: PersonalData = {
  name: 'voteRewards',
  columns: ['vote_reward_settings.owner_id', 'vote_reward_settings.set_by'],
  read: ({ prisma }, userId, range) =>
    prisma.voteRewardSettings.findMany({
      where: { OR: [{ ownerId: userId }, { setBy: userId }] },
      omit: { ownerId: true, setBy: true },
      orderBy: [{ updatedAt: 'desc' }, { serverId: 'desc' }],
      ...range,
    }),
}

export const personalData = [voteRewards]
