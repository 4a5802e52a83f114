// Checks the state after all requests: counters, the directory, and the jobs that are left.
import { expect } from 'vitest'
import type { Deps } from '../../../src/deps.ts'
import { runDiscoveryUpkeep } from '../../../src/features/discovery/index.ts'
import type { Pool } from '../../../src/platform/db/pool.ts'
import { jobTable, type Registration, registrationsOf } from '../../../workers/registry.ts'
import type { TestApi } from '../../support/api.ts'

/** Inconsistencies, each with a statement that finds it. */
const INCONSISTENCIES: Record<string, string> = {
  'votes that their server does not count': `
    select c.server_id, c.total_votes, count(v.id), max(v.number)
    from server_counters c left join votes v using (server_id) group by c.server_id
    having c.total_votes <> count(v.id) or c.total_votes <> coalesce(max(v.number), 0)`,
  'monthly votes that are none of the month': `
    select c.server_id, c.monthly_votes, count(v.id)
    from server_counters c
    left join votes v on v.server_id = c.server_id and date_trunc('month', v.voted_at at time zone 'UTC') = c.votes_month
    group by c.server_id having c.monthly_votes <> count(v.id)`,
  'votes without a cooldown': `
    select v.id from votes v left join vote_cooldowns c using (server_id, visitor_id) where c.visitor_id is null`,
  'visitors’ votes of an unknown address': `
    select v.id from votes v left join vote_addresses a using (server_id, number) where a.number is null and not v.is_by_owner`,
  'auctions that count other bids than they have': `
    select a.id, a.bid_count, a.current_bid, count(b.id), max(b.amount)
    from auctions a left join bids b on b.auction_id = a.id and b.invalid_at is null group by a.id
    having a.bid_count <> count(b.id) or a.current_bid is distinct from max(b.amount)`,
  'bids that are not higher than the one before': `
    select * from (select auction_id, amount, lag(amount) over (partition by auction_id order by id) as before from bids where invalid_at is null) b
    where amount <= before`,
  'more than one open report of a user and server': `
    select user_id, server_id from reports where status = 'open' and user_id is not null
    group by user_id, server_id having count(*) > 1`,
  'sessions of the banned': `select user_id from sessions join users on users.id = user_id where banned_at is not null`,
  'two live servers at one address': `
    select ip_address, query_port from servers where deleted_at is null group by ip_address, query_port having count(*) > 1`,
  'listed servers without counters or status': `
    select id from servers left join server_counters c on c.server_id = id left join server_status s on s.server_id = id
    where deleted_at is null and (c.server_id is null or s.server_id is null)`,
  'deliveries whose body is no JSON object': `
    select id from endpoint_deliveries where jsonb_typeof(body::jsonb) <> 'object'`,
  'jobs that failed': `select name, data, output from pgboss.job where state = 'failed'`,
}

export async function expectConsistent(pool: Pool): Promise<void> {
  for (const [what, statement] of Object.entries(INCONSISTENCIES)) {
    const { rows } = await pool.query(statement)
    expect(rows.slice(0, 5), what).toEqual([])
  }
}

interface Listed {
  id: string
  name: string
  description: string
  totalVotes: number
}

/** The directory equals the tables. */
export async function expectDirectoryInStep({ database, request }: TestApi): Promise<void> {
  const { rows } = await database.pool.query<Listed>(
    `select id, name, description, total_votes as "totalVotes" from servers join server_counters on server_id = id
     where deleted_at is null and hidden_at is null order by id`,
  )
  await expect.poll(() => shown(request), { timeout: 15_000, interval: 250 }).toEqual(rows)
}

async function shown(request: TestApi['request']): Promise<Listed[]> {
  const servers = new Map<string, Listed>()
  for (let cursor = '', hasMore = true; hasMore; ) {
    const response = await request(
      `/api/servers/changes?limit=1000${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
    )
    const page = (await response.json()) as { servers: Listed[]; removed: string[]; cursor: string; hasMore: boolean }
    for (const { id, name, description, totalVotes } of page.servers)
      servers.set(id, { id, name, description, totalVotes })
    for (const id of page.removed) servers.delete(id)
    cursor = page.cursor
    hasMore = page.hasMore
  }
  return [...servers.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** These handlers would connect to game servers and owners' endpoints. */
const FAR_ENDS = [
  'poll',
  'claim-check',
  'server-probe',
  'discovery',
  'announcement',
  'webhook',
  'webhook-slow',
  'rcon',
  'chat-message',
]

/**
 * Every payload passes its contract, and the worker's handler accepts it unless it connects to the outside.
 * @returns how many jobs were handled, by queue
 */
export async function expectJobsRunnable(deps: Deps): Promise<Record<string, number>> {
  const none = async () => undefined
  const silent = async () => ({ outcome: 'silent' as const })
  const table = jobTable(deps, {
    poller: { handle: none },
    claimChecker: { handle: none },
    prober: { handle: silent },
    discoverer: { check: none, handle: none, schedule: none, upkeep: () => runDiscoveryUpkeep(deps) },
    webhooks: { wake: none, wakeSlow: none },
  })
  const handled: Record<string, number> = {}
  const failures: string[] = []
  for (const registration of registrationsOf(table)) {
    const jobs = await handleAll(deps, registration, failures)
    if (jobs) handled[registration.contract.queue] = jobs
  }
  expect(failures.slice(0, 10), 'jobs that can’t be done').toEqual([])
  return handled
}

async function handleAll({ pool }: Deps, { contract, handle }: Registration, failures: string[]): Promise<number> {
  const { rows } = await pool.query<{ id: string; data: object }>(
    `select id, data from pgboss.job where name = $1 and state in ('created', 'retry') order by created_on`,
    [contract.queue],
  )
  const never = new AbortController().signal
  for (const { id, data } of rows) {
    try {
      const payload = contract.payload.parse(data)
      if (!FAR_ENDS.includes(contract.queue)) await handle(payload, never, id)
    } catch (error) {
      failures.push(`${contract.queue} ${JSON.stringify(data)}: ${error}`)
    }
  }
  return rows.length
}
