// A client lists, searches and mirrors a changing directory through rate limits and an outage.
import { expect, onTestFinished, test } from 'vitest'
import { type Fleet, startFleet } from '../../../dev/simulator/fleet.ts'
import { type Listed, namesOf, type Page } from '../directory.ts'
import { endHourIn, theOther, whileFrozen } from '../other-product.ts'
import { newVisitor, type Person, register, WAIT_OPTIONS } from '../product.ts'
import { createRetryingClient, crowd, from, type RetryingClient } from '../retrying.ts'
import { solveProof } from '../votes.ts'

const COUNT = 60
/** Servers listed before the client starts. */
const FIRST = 45
const MAPS = ['TheIsland', 'Ragnarok', 'Valguero']
const nameOf = (index: number) => `Harbour ${String(index).padStart(2, '0')}`

async function list(owner: Person, { servers }: Fleet, index: number): Promise<string> {
  const game = servers[index]
  const { status, body } = await owner.client.post<{ server: { id: string } }>('/api/servers', {
    name: nameOf(index),
    game: 'protocol-valve',
    ipAddress: game?.address,
    queryPort: game?.port,
    gamePort: 7777,
  })
  expect(status).toBe(201)
  return body.server.id
}

/** Reads all pages of a list and expects none to be empty. */
async function walk(client: RetryingClient, path: string): Promise<Listed[]> {
  const found: Listed[] = []
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { status, body } = await client.send<Page>('GET', `${path}&limit=10&page=${page}`)
    expect(status).toBe(200)
    expect(body.servers).not.toEqual([])
    found.push(...body.servers)
    pages = Number(body.pagination.totalPages)
  }
  return found
}

const idsOf = (servers: Listed[]) => servers.map(({ id }) => id)

interface Changes {
  servers: Listed[]
  removed: string[]
  cursor: string
  hasMore: boolean
}

/** A copy of the directory that follows the change feed. */
function createCopy(client: RetryingClient) {
  const servers = new Map<string, Listed>()
  let cursor: string | undefined
  return {
    servers,
    async catchUp(): Promise<void> {
      for (let hasMore = true; hasMore; ) {
        const after = cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''
        const { status, body } = await client.send<Changes>('GET', `/api/v1/servers/changes?limit=10${after}`)
        expect(status).toBe(200)
        expect(new Set(body.servers.map(({ id }) => id)).size).toBe(body.servers.length)
        for (const server of body.servers) servers.set(server.id, server)
        for (const id of body.removed) servers.delete(id)
        cursor = body.cursor
        hasMore = body.hasMore
      }
    },
  }
}

/** State of the test's servers in the copy by name: online, map and players. */
const held = ({ servers }: ReturnType<typeof createCopy>) =>
  [...servers.values()]
    .filter(({ name }) => name.startsWith('Harbour'))
    .map(({ name, isOnline, map, currentPlayers }) => [name, isOnline, map, currentPlayers])
    .sort()

/** The same from the game servers. @param from index of the first listed one */
const shownBy = ({ servers }: Fleet, from = 0) =>
  servers.map(({ info }, index) => [nameOf(index), true, info.map, info.players]).slice(from)

test('a client mirrors the whole directory, each server once, while servers change, through limits and an outage', async () => {
  const other = await theOther()
  const fleet = await startFleet({
    count: COUNT,
    first: 745_000,
    each: (index) => ({ info: { players: 1 + index, map: MAPS[index % MAPS.length] ?? '' } }),
  })
  onTestFinished(fleet.close)
  const owner = await register(undefined, other)
  const ids: string[] = []
  for (let index = 0; index < FIRST; index++) ids.push(await list(owner, fleet, index))

  const visitor = newVisitor(other)
  const client = createRetryingClient(visitor)
  const copy = createCopy(client)
  const getInStep = async (from?: number) => {
    const caughtUp = async () => {
      await copy.catchUp()
      return held(copy)
    }
    // A busy machine polls sixty servers late.
    await expect.poll(caughtUp, { ...WAIT_OPTIONS, timeout: 120_000 }).toEqual(shownBy(fleet, from))
  }

  const adding = (async () => {
    for (let index = FIRST; index < COUNT; index++) ids.push(await list(owner, fleet, index))
  })()
  const paged = idsOf(await walk(client, '/api/public/servers?search=harbour'))
  expect(new Set(paged).size).toBe(paged.length)
  expect(paged).toEqual(expect.arrayContaining(ids.slice(0, FIRST)))
  await copy.catchUp()
  await adding
  await getInStep()
  for (const { info } of fleet.servers) info.players += 7
  await getInStep()
  expect(idsOf(await walk(client, '/api/servers?')).sort()).toEqual([...copy.servers.keys()].sort())

  const search = `/api/public/servers?map=ragnarok&search=${encodeURIComponent('harbour 1')}`
  const { body, headers } = await client.send<Page>('GET', search)
  expect(namesOf(body)).toEqual([10, 13, 16, 19].map(nameOf))
  const ifChanged = { headers: { 'if-none-match': headers.get('etag') ?? '' } }
  const again = () => client.send<Page>('GET', search, ifChanged)
  expect(await again()).toMatchObject({ status: 304, body: '' })
  const vote = { visitorId: 'a visitor of the harbour', proof: await solveProof(other, ids[16] ?? '') }
  expect((await newVisitor(other).post(`/api/servers/${ids[16]}/vote`, vote)).status).toBe(200)
  await expect.poll(async () => (await again()).status, WAIT_OPTIONS).toBe(200)
  expect(namesOf((await again()).body)).toEqual([16, 10, 13, 19].map(nameOf))

  // Another client at the same address uses up the limit.
  const { headers: counted } = await client.send('GET', '/api/public/stats')
  const left = Number(/"ip-hour";r=(\d+)/.exec(counted.get('ratelimit') ?? '')?.[1])
  expect(await crowd(other, left, from(visitor))).toEqual({ 200: left })
  await endHourIn(3)
  expect(client.refusals).toEqual([])
  for (const { info } of fleet.servers) info.players++
  await getInStep()
  expect(client.refusals).toMatchObject([{ status: 429 }])

  const { insisting } = await whileFrozen(other, async () => {
    await expect.poll(async () => (await newVisitor(other).get(search)).status, WAIT_OPTIONS).toBe(503)
    const insisting = walk(client, '/api/public/servers?search=harbour')
    await expect.poll(() => client.refusals.at(-1)?.status, WAIT_OPTIONS).toBe(503)
    return { insisting }
  })
  expect(idsOf(await insisting).sort()).toEqual([...ids].sort())
  expect((await owner.client.delete(`/api/servers/${ids[0]}`)).status).toBe(200)
  for (const { info } of fleet.servers) info.players++
  await getInStep(1)
})
