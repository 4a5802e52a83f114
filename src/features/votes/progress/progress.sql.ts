// SQL, because one statement reads what the votes of all open streams have brought.
import type { Sql } from '../../../platform/db/pool.ts'

export interface Voter {
  serverId: string
  visitorId: string
}

/** Null where there is nothing to wait for, or where it failed: visitors are not shown failures. */
export interface VoteProgress {
  /** Whether the server has the vote from all its endpoints. */
  delivered: boolean | null
  /** Whether the reward's commands have run. */
  rewarded: boolean | null
}

/**
 * What each visitor's last vote of the last 24 hours has brought. The vote is found by its time, which its
 * cooldown has; its deliveries by theirs, since they are of the same transaction. Messages for a channel of
 * Discord do not reach the server.
 * @returns in the order of the voters; null if there is no such vote
 */
export async function findProgress(db: Sql, voters: readonly Voter[]): Promise<(VoteProgress | null)[]> {
  const { rows } = await db.query<VoteProgress & { hasVoted: boolean }>({
    name: 'votes-find-progress',
    text: `
      select vote.id is not null as "hasVoted", delivery.delivered,
        case when reward.outcome = 'answered' then true when reward.settled_at is null and reward.vote_id is not null then false end as rewarded
      from unnest($1::uuid[], $2::text[]) with ordinality as asked (server_id, visitor_id, place)
      left join vote_cooldowns as cooldown
        on cooldown.server_id = asked.server_id and cooldown.visitor_id = asked.visitor_id
          and last_voted_at > now() - interval '24 hours'
      left join lateral (
        select id from votes
        where server_id = asked.server_id and voted_at = cooldown.last_voted_at and votes.visitor_id = asked.visitor_id
        limit 1) as vote on true
      left join lateral (
        select case
          when bool_and(status = 'delivered') then true
          when bool_or(status = 'pending') then false end as delivered
        from endpoint_deliveries as delivery join endpoints on endpoints.id = endpoint_id and kind not like 'discord%'
        where delivery.created_at between cooldown.last_voted_at - interval '2 milliseconds'
            and cooldown.last_voted_at + interval '2 milliseconds'
          and delivery.type = 'vote.created' and body::jsonb -> 'data' ->> 'voteId' = vote.id::text) as delivery on true
      left join vote_rewards as reward on reward.vote_id = vote.id
      order by place`,
    values: [voters.map(({ serverId }) => serverId), voters.map(({ visitorId }) => visitorId)],
  })
  return rows.map(({ hasVoted, delivered, rewarded }) => (hasVoted ? { delivered, rewarded } : null))
}
