// Clients that ask much: one that waits as it is told when it is refused, and a crowd that does not.
import autocannon from 'autocannon'
import { expect } from 'vitest'
import type { Answer, Client, Request } from '../support/product-client.ts'
import type { Product } from './product.ts'

export interface Refusal {
  status: number
  waitedMs: number
}

export interface RetryingClient {
  refusals: Refusal[]
  /** @returns the first answer that is neither 429 nor 503 */
  send<Body = Record<string, unknown>>(method: string, path: string, request?: Request): Promise<Answer<Body>>
}

const FIRST_WAIT_MS = 100
const MOST_ATTEMPTS = 10

/** Waits twice as long each time, and never shorter than `Retry-After` says (interface.md §7). */
export function createRetryingClient(client: Client): RetryingClient {
  const refusals: Refusal[] = []
  return {
    refusals,
    async send<Body>(method: string, path: string, request?: Request) {
      for (let attempt = 1; ; attempt++) {
        const answer = await client.send<Body>(method, path, request)
        const isRefused = answer.status === 429 || answer.status === 503
        if (!isRefused || attempt === MOST_ATTEMPTS) return answer
        const toldMs = Number(answer.headers.get('retry-after')) * 1_000
        expect(toldMs).toBeGreaterThan(0)
        const waitedMs = Math.max(FIRST_WAIT_MS * 2 ** (attempt - 1), toldMs)
        refusals.push({ status: answer.status, waitedMs })
        await new Promise((resolve) => setTimeout(resolve, waitedMs))
      }
    },
  }
}

/** So many requests for the statistics, several at a time. @returns how many were answered with each status */
export async function crowd(
  { url }: Product,
  amount: number,
  headers: Record<string, string>,
): Promise<Record<string, number>> {
  const { errors, statusCodeStats } = await autocannon({
    url: `${url}/api/public/stats`,
    amount,
    connections: Math.min(amount, 20),
    headers,
  })
  expect(errors).toBe(0)
  return Object.fromEntries(Object.entries(statusCodeStats ?? {}).map(([status, { count }]) => [status, count ?? 0]))
}

/** The header by which a proxy tells from where somebody comes. */
export const from = ({ address }: Pick<Client, 'address'>) => ({ 'x-forwarded-for': address })
