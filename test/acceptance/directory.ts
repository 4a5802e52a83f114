// The directory as visitors read it, and game servers whose polls are not waited for.
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

/** As it stands in an address, or its parameters. */
type Query = string | Record<string, string | number>

async function read(path: string, query: Query): Promise<Page> {
  const { status, body } = await newVisitor().get<Page>(
    `${path}?${new URLSearchParams(query as string | Record<string, string>)}`,
  )
  expect(status).toBe(200)
  return body
}

/** A page of the public list. */
export const publicPage = (query: Query = ''): Promise<Page> => read('/api/public/servers', query)

/** A page of the listing with filters. */
export const listingPage = (query: Query = ''): Promise<Page> => read('/api/servers', query)

export const namesOf = ({ servers }: Page): string[] => servers.map(({ name }) => name)

/** What the parameters of a query that is refused are told to be. */
export async function refusedParameters(target: string): Promise<unknown[]> {
  const { status, body } = await newVisitor().get<{ error: string; details: { path: string }[] }>(target)
  expect([target, status, body.error]).toEqual([target, 400, 'validation_failed'])
  return body.details.map(({ path }) => path)
}

/** Has the server asked at once, as if the time until its next poll had passed. */
export async function hasten(id: string): Promise<void> {
  await database.query(`update server_polls set next_poll_at = now() where server_id = $1`, [id])
}

/** Each from another visitor. */
export async function castVotes(id: string, count: number): Promise<void> {
  for (let n = 1; n <= count; n++) {
    const vote = { visitorId: `visitor ${n} of the directory` }
    expect((await newVisitor().post(`/api/servers/${id}/vote`, vote)).status).toBe(200)
  }
}

/** As if the calendar month had turned since the server's votes. */
export async function turnMonth(id: string): Promise<void> {
  await database.query(
    `update server_counters set votes_month = (votes_month - interval '1 month')::date where server_id = $1`,
    [id],
  )
}

const AT_ONE_ADDRESS = 50

/** Many servers of one owner's. @returns their owner, and the servers in the order in which they were listed */
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
