// Clients that retry: one that waits as Retry-After says, and a crowd that does not.
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
const MAX_ATTEMPTS = 10

/** Doubles its wait each time, and never waits less than `Retry-After`. */
export function createRetryingClient(client: Client): RetryingClient {
  const refusals: Refusal[] = []
  return {
    refusals,
    async send<Body>(method: string, path: string, request?: Request) {
      for (let attempt = 1; ; attempt++) {
        const answer = await client.send<Body>(method, path, request)
        const isRefused = answer.status === 429 || answer.status === 503
        if (!isRefused || attempt === MAX_ATTEMPTS) return answer
        const retryAfterMs = Number(answer.headers.get('retry-after')) * 1_000
        expect(retryAfterMs).toBeGreaterThan(0)
        const waitedMs = Math.max(FIRST_WAIT_MS * 2 ** (attempt - 1), retryAfterMs)
        refusals.push({ status: answer.status, waitedMs })
        await new Promise((resolve) => setTimeout(resolve, waitedMs))
      }
    },
  }
}

/** Sends `count` requests for the statistics, several at a time. @returns the number of responses by status */
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

/** The header in which a proxy reports the client's address. */
export const from = ({ address }: Pick<Client, 'address'>) => ({ 'x-forwarded-for': address })
