// What the tests of votes share: servers with an owner, visitors, and what is stored about both.
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { createServers } from '../../../src/features/servers/index.ts'
import type { Pool } from '../../../src/platform/db/pool.ts'
import type { TestApi } from '../../support/api.ts'

let port = 21_000

/** A listed server of `ownerId`, or without an owner. */
export async function addServer(
  pool: Pool,
  { name = 'A server', ownerId = null }: { name?: string; ownerId?: string | null } = {},
): Promise<string> {
  const { id } = await createServers({ pool }).add({ name, ipAddress: '192.0.2.8', gamePort: port, queryPort: port++ })
  await pool.query('update servers set owner_id = $2, is_verified = true where id = $1', [id, ownerId])
  return id
}

export const newVisitor = () => `visitor ${randomUUID()}`

export interface VoteAnswer {
  status: number
  headers: Headers
  body: Record<string, unknown>
}

/** @param headers of the request besides its content type, such as a client address */
export async function vote(
  api: TestApi,
  serverId: string,
  body: object = {},
  headers: Record<string, string> = {},
): Promise<VoteAnswer> {
  const response = await api.request(`/api/servers/${serverId}/vote`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ visitorId: newVisitor(), ...body }),
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as VoteAnswer['body'] }
}

/** A vote that must be counted. */
export async function voteOnce(api: TestApi, serverId: string, body: object = {}): Promise<VoteAnswer['body']> {
  const answer = await vote(api, serverId, body)
  expect(answer).toMatchObject({ status: 200 })
  return answer.body
}

export async function canVote(api: TestApi, serverId: string, visitorId: string): Promise<Record<string, unknown>> {
  const response = await api.request(`/api/servers/${serverId}/vote?visitorId=${encodeURIComponent(visitorId)}`)
  expect(response.status).toBe(200)
  return (await response.json()) as Record<string, unknown>
}

/** Makes all votes for a server, with their cooldowns and streaks, older. */
export async function age(pool: Pool, serverId: string, interval: string): Promise<void> {
  await pool.query('update vote_cooldowns set last_voted_at = last_voted_at - $2::interval where server_id = $1', [
    serverId,
    interval,
  ])
  await pool.query('update votes set voted_at = voted_at - $2::interval where server_id = $1', [serverId, interval])
  await pool.query(
    `update vote_streaks
     set started_at = started_at - $2::interval, counted_at = counted_at - $2::interval, last_voted_at = last_voted_at - $2::interval
     where server_id = $1`,
    [serverId, interval],
  )
}

export interface Counters {
  total: number
  monthly: number
  month: string
}

export async function countersOf(pool: Pool, serverId: string): Promise<Counters | undefined> {
  const { rows } = await pool.query<Counters>(
    `select total_votes as total, monthly_votes as monthly, to_char(votes_month, 'YYYY-MM') as month
     from server_counters where server_id = $1`,
    [serverId],
  )
  return rows[0]
}

/** Archived votes by month. */
export async function archiveOf(pool: Pool, serverId: string): Promise<Record<string, number>> {
  const { rows } = await pool.query<{ month: string; votes: number }>(
    `select to_char(month, 'YYYY-MM') as month, votes from server_vote_months where server_id = $1 order by month`,
    [serverId],
  )
  return Object.fromEntries(rows.map(({ month, votes }) => [month, votes]))
}
