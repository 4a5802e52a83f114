// Helpers of the auction tests: API calls of a user, and what is stored.
import { expect } from 'vitest'
import type { Pool } from '../../../src/platform/db/pool.ts'
import type { TestApi } from '../../support/api.ts'
import type { Person } from '../../support/people.ts'

export interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: any field of any answer, each held against the OpenAPI document already
  body: any
}

/** Calls the API as a user, or without a session. */
export async function call(
  api: Pick<TestApi, 'request'>,
  who: Person | undefined,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const response = await api.request(`/api${path}`, {
    method,
    headers: {
      ...(who ? { cookie: who.cookie } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json() }
}

/** A bid that must be accepted. */
export async function bidOnce(
  api: Pick<TestApi, 'request'>,
  who: Person,
  auctionId: string,
  bidAmount: number,
  serverId?: string,
): Promise<Answer['body']> {
  const answer = await call(api, who, 'POST', `/auctions/${auctionId}/bid`, { bidAmount, serverId })
  expect(answer).toMatchObject({ status: 201 })
  return answer.body
}

/** Notices about an auction that were enqueued, oldest first. */
export async function newsOf(pool: Pool, auctionId: string): Promise<unknown[]> {
  const { rows } = await pool.query<{ data: unknown }>(
    `select data - '_cause' as data from pgboss.job where name = 'notify' and data->'data'->>'auctionId' = $1 order by created_on, id`,
    [auctionId],
  )
  return rows.map(({ data }) => data)
}

/** When the close jobs of an auction are due, soonest first. */
export async function closesAt(pool: Pool, auctionId: string): Promise<string[]> {
  const { rows } = await pool.query<{ at: Date }>(
    `select start_after as at from pgboss.job where name = 'auction-close' and data->>'auctionId' = $1 order by 1`,
    [auctionId],
  )
  return rows.map(({ at }) => at.toISOString())
}

/** Offers of an auction, oldest first. */
export async function offersOf(
  pool: Pool,
  auctionId: string,
): Promise<{ id: string; userId: string; amount: number; status: string }[]> {
  const { rows } = await pool.query(
    `select id, user_id as "userId", amount, status from auction_offers where auction_id = $1 order by offered_at, id`,
    [auctionId],
  )
  return rows
}
