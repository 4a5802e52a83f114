// Votes from one client address under hundreds of invented visitor ids.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createClient } from '../support/product-client.ts'
import { openDatabaseOf, type Person, registerAt, startProduct, WAIT_OPTIONS } from '../support/started-product.ts'

// Request limits by address are another defense, so they are off.
const product = await startProduct({ RATE_LIMIT_IP_PER_MINUTE: '0', RATE_LIMIT_IP_PER_HOUR: '0' })
const database = await openDatabaseOf(product)

const FORGED = 500
const AT_ONCE = 50
const CAP = 20

let port = 20_000
async function listServer(owner: Person): Promise<string> {
  port++
  const { status, body } = await owner.client.post<{ server: { id: string } }>('/api/servers', {
    name: 'A server',
    ipAddress: '127.0.0.1',
    gamePort: port,
    queryPort: port,
  })
  expect(status).toBe(201)
  return body.server.id
}

const totalOf = async (id: string) =>
  (await createClient(product).get<{ totalVotes: number }>(`/api/public/servers/${id}`)).body.totalVotes

/** Sends `count` votes, each as another visitor. @returns the number of responses by status */
async function voteAs(client: { post: Person['client']['post'] }, id: string, count: number) {
  const statuses: Record<number, number> = {}
  for (let sent = 0; sent < count; sent += AT_ONCE) {
    const answers = await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, count - sent) }, () =>
        client.post(`/api/servers/${id}/vote`, { visitorId: randomUUID() }),
      ),
    )
    for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1
  }
  return statuses
}

test('500 votes from one address under new visitor ids count 20 times, and other addresses are not affected', async () => {
  const owner = await registerAt(product)
  const [server, other] = [await listServer(owner), await listServer(owner)]
  const forger = createClient(product)

  expect(await voteAs(forger, server, FORGED)).toEqual({ 200: CAP, 429: FORGED - CAP })
  const refused = await forger.post(`/api/servers/${server}/vote`, { visitorId: randomUUID() })
  expect([refused.status, refused.body.error]).toEqual([429, 'rate_limited'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(23 * 3600)

  await expect.poll(() => totalOf(server), WAIT_OPTIONS).toBe(CAP)
  expect((await forger.post(`/api/servers/${other}/vote`, { visitorId: randomUUID() })).status).toBe(200)
  expect(await voteAs(createClient(product), server, 3)).toEqual({ 200: 3 })
  await expect.poll(() => totalOf(server), WAIT_OPTIONS).toBe(CAP + 3)
})

test('the owner’s key is exempt for the owner’s server only', async () => {
  const [owner, stranger] = [await registerAt(product), await registerAt(product)]
  const server = await listServer(owner)
  for (const { id } of [owner, stranger]) await database.query(`update users set tier = 'premium' where id = $1`, [id])
  const keyOf = async ({ client }: Person) => {
    const { body } = await client.post<{ key: string; secret: string }>('/api/user/api-keys', { name: 'Game server' })
    return createClient(product, { authorization: `Bearer ${body.key}.${body.secret}` })
  }
  const [ownersKey, strangersKey] = [await keyOf(owner), await keyOf(stranger)]

  expect(await voteAs(strangersKey, server, 100)).toEqual({ 200: CAP, 429: 100 - CAP })
  expect(await voteAs(ownersKey, server, 100)).toEqual({ 200: 100 })
  await expect.poll(() => totalOf(server), WAIT_OPTIONS).toBe(100 + CAP)
  const { body } = await ownersKey.get<{ votes: { source: string }[] }>(`/api/servers/${server}/votes?limit=100`)
  expect(new Set(body.votes.map(({ source }) => source))).toEqual(new Set(['visitor', 'owner']))
})
