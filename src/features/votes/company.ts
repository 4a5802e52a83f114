// What is committed together with some votes: the delivery that tells the owner's endpoint, and the news of a milestone.
import type { Jobs } from '../../platform/queue/jobs.ts'
import { notify } from '../notifications/index.ts'
import { queueDeliveries } from '../webhooks/index.ts'
import type { Company } from './votes.service.ts'

export function createCompany(jobs: Pick<Jobs, 'enqueue'>): Company {
  return {
    /** The data of api-decisions.md "Votes and webhooks". */
    async queueWebhook(tx, { votedAt, ...vote }) {
      const data = {
        voteId: vote.voteId,
        serverId: vote.serverId,
        serverName: vote.serverName,
        username: vote.username,
        gamePlatformId: vote.gamePlatformId,
        votedAt: votedAt.toISOString(),
        totalVotes: vote.totalVotes,
        monthlyVotes: vote.monthlyVotes,
      }
      const queued = await queueDeliveries(tx, jobs, [
        { serverId: vote.serverId, type: 'vote.created', at: votedAt, data },
      ])
      return queued.length > 0
    },

    async announceMilestone(tx, { serverId, serverName, totalVotes, votedAt }) {
      await jobs.enqueue(tx, notify, [
        { event: 'voteMilestone', at: votedAt.toISOString(), serverId, data: { serverName, totalVotes } },
      ])
    },
  }
}
