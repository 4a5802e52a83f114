// Helpers to read the directory and to speed up game servers' polls.
import { expect } from 'vitest'
import { type CreatedServer, createServer, database, elsewhere, newVisitor, type Person, register } from './product.ts'

export interface Listed extends Record<string, unknown> {
  id: string
  name: string
}
export interface Page extends Record<string, unknown> {
  servers: Listed[]
  pagination: Record<string, unknown>
}

/** A query string, or its parameters. */
type Query = string | Record<string, string | number>

async function read(path: string, query: Query): Promise<Page> {
  const { status, body } = await newVisitor().get<Page>(
    `${path}?${new URLSearchParams(query as string | Record<string, string>)}`,
  )
  expect(status).toBe(200)
  return body
}

/** Reads a page of the public list. */
export const publicPage = (query: Query = ''): Promise<Page> => read('/api/public/servers', query)

/** Reads a page of the listing with filters. */
export const listingPage = (query: Query = ''): Promise<Page> => read('/api/servers', query)

export const namesOf = ({ servers }: Page): string[] => servers.map(({ name }) => name)

/** The parameters that a refused query's error names. */
export async function refusedParameters(target: string): Promise<unknown[]> {
  const { status, body } = await newVisitor().get<{ error: string; details: { path: string }[] }>(target)
  expect([target, status, body.error]).toEqual([target, 400, 'validation_failed'])
  return body.details.map(({ path }) => path)
}

/** Makes the server's next poll due, as if its interval were over. */
export async function makePollDue(id: string): Promise<void> {
  await database.query(`update server_polls set next_poll_at = now() where server_id = $1`, [id])
}

/** Each vote comes from another visitor. */
export async function addVotes(id: string, count: number): Promise<void> {
  for (let n = 1; n <= count; n++) {
    const vote = { visitorId: `visitor ${n} of the directory` }
    expect((await newVisitor().post(`/api/servers/${id}/vote`, vote)).status).toBe(200)
  }
}

/** Moves the server's votes into last month. */
export async function turnMonth(id: string): Promise<void> {
  await database.query(
    `update server_counters set votes_month = (votes_month - interval '1 month')::date where server_id = $1`,
    [id],
  )
}

const AT_ONE_ADDRESS = 50

/** Lists many servers of one owner. @returns the owner and the servers, in the order listed */
export async function listMany(count: number, name: string): Promise<{ owner: Person; servers: CreatedServer[] }> {
  const owner = await register()
  const servers: CreatedServer[] = []
  let client = owner.client
  for (let n = 1; n <= count; n++) {
    if (n % AT_ONE_ADDRESS === 0) client = elsewhere(owner)
    servers.push(await createServer({ ...owner, client }, { name: `${name} ${n}` }))
  }
  return { owner, servers }
}
