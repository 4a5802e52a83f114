// SQL, because it counts selected votes by server, month and network, and ranks the servers of those months twice.
import { namedParameters } from '../../../platform/db/named-parameters.ts'
import type { Db } from '../../../platform/db/pool.ts'
import { listedIn } from '../../servers/index.ts'
import { IS_SELECTED, selectionValues } from './selection.sql.ts'
import type { VoteSelection } from './voiding.schema.ts'

const MAX_SERVERS = 50
const MAX_NETWORKS = 20

export interface SelectedNetwork {
  network: string
  networkOwner: number | null
  votes: number
}

interface Totals {
  votes: number
  servers: number
  voters: number
  networks: SelectedNetwork[]
}

/** How many votes are selected, and the networks with the most of them. */
export async function countSelected(db: Db, selection: VoteSelection, until: Date): Promise<Totals> {
  const { rows } = await db.query<Totals>(
    namedParameters({
      text: `
        with selected as materialized (
          select server_id, visitor_id, network_key, network_owner from votes where ${IS_SELECTED}),
        network as (
          select network_key as network, max(network_owner) as owner, count(*) as votes
          from selected
          where network_key is not null
          group by network_key
          order by votes desc, network_key
          limit $maxNetworks)
        select count(*) as votes, count(distinct server_id) as servers, count(distinct visitor_id) as voters,
          coalesce((
            select json_agg(json_build_object('network', network, 'networkOwner', owner, 'votes', votes) order by votes desc, network)
            from network), '[]') as networks
        from selected`,
      values: { ...selectionValues(selection, until), maxNetworks: MAX_NETWORKS },
    }),
  )
  return rows[0] ?? { votes: 0, servers: 0, voters: 0, networks: [] }
}

interface ServerChange {
  serverId: string
  serverName: string
  votes: number
  totalBefore: number
  totalAfter: number
  months: {
    month: string
    votes: number
    votesBefore: number
    votesAfter: number
    placeBefore: number | null
    placeAfter: number | null
  }[]
}

/**
 * What voiding the selected votes changes for the servers with the most of them. Places are of all servers,
 * as in the standings: one that is not listed has none in the current month.
 */
export async function findChanges(db: Db, selection: VoteSelection, until: Date): Promise<ServerChange[]> {
  const { rows } = await db.query<ServerChange>(
    namedParameters({
      text: `
        with selected as materialized (
          select server_id, date_trunc('month', voted_at at time zone 'utc')::date as month, count(*) as votes
          from votes
          where ${IS_SELECTED}
          group by 1, 2),
        counted as (
          select server_id, month, votes from server_vote_months where month in (select month from selected)
          union all
          select server_id, votes_month, monthly_votes
          from server_counters join servers on servers.id = server_id and ${listedIn(db)}
          where votes_month in (select month from selected)),
        before as (
          select server_id, month, sum(votes) as votes from counted group by 1, 2),
        ranked as (
          select server_id, month, selected.votes, before.votes as votes_before,
            before.votes - coalesce(selected.votes, 0) as votes_after,
            rank() over (partition by month order by before.votes desc) as place_before,
            rank() over (partition by month order by before.votes - coalesce(selected.votes, 0) desc) as place_after
          from before left join selected using (server_id, month))
        select server_id as "serverId", name as "serverName", sum(selected.votes)::integer as votes,
          total_votes - voided_votes as "totalBefore", total_votes - voided_votes - sum(selected.votes)::integer as "totalAfter",
          json_agg(json_build_object(
            'month', to_char(month, 'YYYY-MM'), 'votes', selected.votes,
            'votesBefore', coalesce(votes_before, unlisted.votes), 'votesAfter', coalesce(votes_after, unlisted.votes - selected.votes),
            'placeBefore', case when votes_before > 0 then place_before end,
            'placeAfter', case when votes_after > 0 then place_after end) order by month desc) as months
        from selected
        join servers on servers.id = server_id
        join server_counters using (server_id)
        left join ranked using (server_id, month)
        cross join lateral (
          select greatest(selected.votes, case when votes_month = month then monthly_votes end) as votes) as unlisted
        group by server_id, name, total_votes, voided_votes
        order by votes desc, server_id
        limit $maxServers`,
      values: { ...selectionValues(selection, until), maxServers: MAX_SERVERS },
    }),
  )
  return rows
}
