// Walking a list by cursor: what is guaranteed while servers change, which cursors are refused, and the links.
import { beforeAll, describe, expect, it } from 'vitest'
import { findServers } from '../../../src/features/directory/engine/query.ts'
import { createSnapshot } from '../../../src/features/directory/engine/snapshot.ts'
import { startTestApi } from '../../support/api.ts'
import { createDice } from './dice.ts'
import { countersRow, type ModelServer, modelServer, serverRow, statusRow } from './model.ts'
import { render } from './rendered.ts'
import { insertServer, putStatus, putVotes, setDeleted } from './rows-in-database.ts'

const NOW = Date.UTC(2026, 10, 20, 12)
const MONTH = 2026 * 12 + 10

describe('a walk while servers change', () => {
  const dice = createDice(5)
  const keys = [
    'score',
    'totalVotes',
    'monthlyVotes',
    'currentPlayers',
    'createdAt',
    'name',
    'rank',
    'random 5',
  ] as const
  const cases = keys.flatMap((sortBy) => (['asc', 'desc'] as const).map((sortOrder) => ({ sortBy, sortOrder })))

  it.each(cases)('by $sortBy $sortOrder has each server once whose key stays', ({ sortBy, sortOrder }) => {
    for (const filters of [{}, { region: 'EU' }, { search: 'rare' }]) {
      const snapshot = createSnapshot(NOW)
      let change = 1
      const votes = () => ({
        totalVotes: dice.below(9),
        votesOfMonth: dice.below(9),
        votesMonth: MONTH,
        voteScore: `${dice.below(9)}000`,
      })
      const put = (server: ModelServer) => {
        snapshot.applyServer(serverRow(server, change++))
        snapshot.applyStatus(statusRow(server, change++))
        snapshot.applyCounters(countersRow(server, change++))
      }
      const add = (n: number) => {
        const server = modelServer({
          id: `00000000-0000-7000-8000-${String((n * 7919) % 1e6).padStart(12, '0')}`,
          name: n % 20 < 2 ? 'a rare name' : 'a name',
          region: n % 3 === 0 ? '' : 'EU',
          createdAt: NOW - dice.below(30),
          currentPlayers: dice.below(9),
          ...votes(),
        })
        put(server)
        return server
      }
      const servers = Array.from({ length: 400 }, (_, n) => add(n))
      const staying = servers.filter((_, n) => n % 2 === 0)
      const moving = servers.filter((_, n) => n % 2 === 1)
      const expected = staying.filter(
        ({ name, region }) =>
          (!('region' in filters) || region === 'EU') && (!('search' in filters) || name.includes('rare')),
      )
      const seen: string[] = []
      const query = { ...filters, sortBy, sortOrder, page: undefined }
      for (let after: ReturnType<typeof render>['after'], first = true; first || after; first = false) {
        const shown = render(snapshot, { ...query, after, limit: 1 + dice.below(9) }, NOW)
        seen.push(...shown.page.servers.map(({ id }: { id: string }) => id))
        after = shown.after
        for (let i = 0; i < 20; i++) put(Object.assign(dice.pick(moving), { currentPlayers: dice.below(9) }, votes()))
        add(1000 + seen.length)
        const gone = moving.splice(dice.below(moving.length - 1), 1)
        for (const server of gone) snapshot.applyServer(serverRow(server, change++, false))
      }
      const stayed = new Set(expected.map(({ id }) => id))
      expect(seen.filter((id) => stayed.has(id)).sort()).toEqual([...stayed].sort())
    }
  })

  it('continues after a server that has left', () => {
    const snapshot = createSnapshot(NOW)
    const servers = [1, 2, 3].map((n) => modelServer({ id: `00000000-0000-7000-8000-00000000000${n}` }))
    for (const server of servers) snapshot.applyServer(serverRow(server, 1))
    const query = { sortBy: 'totalVotes', sortOrder: 'desc', limit: 2, page: undefined } as const
    const { after } = render(snapshot, query, NOW)
    snapshot.applyServer(serverRow(servers[1] as ModelServer, 2, false))
    const { slots } = findServers(snapshot, { ...query, after })
    expect(Array.from(slots, snapshot.idOf)).toEqual([servers[2]?.id])
  })
})

describe('a walk by relevance', () => {
  const idOf = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`
  const query = { q: 'rust', byRelevance: true, sortBy: 'totalVotes', sortOrder: 'desc', page: undefined } as const
  const named = [1, 2, 3, 4, 5].map((n) => modelServer({ id: idOf(n), name: `Rust belt ${n}`, game: 'minecraft' }))
  const ofGame = modelServer({ id: idOf(9), name: 'Main', game: 'rust' })

  it.each([
    { change: 'comes', isListedFirst: false },
    { change: 'leaves', isListedFirst: true },
  ])('has the servers once that are not of the game whose only server $change', ({ isListedFirst }) => {
    const snapshot = createSnapshot(NOW)
    for (const server of named) snapshot.applyServer(serverRow(server, 1))
    if (isListedFirst) snapshot.applyServer(serverRow(ofGame, 1))
    const seen: string[] = []
    for (let after: ReturnType<typeof render>['after'], page = 0; page === 0 || after; page++) {
      const shown = render(snapshot, { ...query, after, limit: 2 }, NOW)
      seen.push(...shown.page.servers.map(({ id }: { id: string }) => id))
      after = shown.after
      if (page === 0) snapshot.applyServer(serverRow(ofGame, 2, !isListedFirst))
    }
    expect(seen.filter((id) => id !== ofGame.id)).toEqual(named.map(({ id }) => id))
  })
})

const api = await startTestApi({ clock: () => NOW, settings: { DIRECTORY_MAX_STALENESS_SECONDS: '600' } })
const { pool } = api.database
const ids: string[] = []
beforeAll(async () => {
  for (let n = 0; n < 5; n++) {
    const id = await insertServer(pool, { name: `Server ${n}`, region: 'EU', tags: ['a'] })
    await putVotes(pool, id, 50 - 10 * n)
    ids.push(id)
  }
  await api.directory.refresh()
})

interface Page {
  servers: { id: string; name: string }[]
  pagination: { page: number | null; limit: number; total: number; totalPages: number }
  nextCursor: string | null
}
const list = async (query: string): Promise<Page> => {
  const response = await api.request(`/api/servers?${query}`)
  const body = await response.json()
  expect({ status: response.status, ...(response.ok ? {} : body) }).toEqual({ status: 200 })
  return body
}
const refusal = async (query: string) => {
  const response = await api.request(`/api/servers?${query}`)
  expect(response.status).toBe(400)
  return ((await response.json()) as { details: { path: string; message: string }[] }).details
}
const LINKS = /<([^>]*)>; rel="(\w+)"/g
const linksOf = (response: Response): Record<string, string> =>
  Object.fromEntries([...(response.headers.get('link') ?? '').matchAll(LINKS)].map(([, to, rel]) => [rel, to]))

describe('GET /api/servers with a cursor', () => {
  it('leads from any page to the next, and tells the end by null', async () => {
    const first = await list('limit=2')
    expect(first.pagination).toEqual({ page: 1, limit: 2, total: 5, totalPages: 3 })
    const second = await list(`limit=2&cursor=${first.nextCursor}`)
    expect(second.servers.map(({ name }) => name)).toEqual(['Server 2', 'Server 3'])
    expect(second.pagination).toEqual({ page: null, limit: 2, total: 5, totalPages: 3 })
    const last = await list(`limit=2&cursor=${second.nextCursor}`)
    expect(last).toMatchObject({ servers: [{ name: 'Server 4' }], nextCursor: null })
    expect((await list('limit=2&cursor=')).servers).toEqual(first.servers)
    expect((await list('page=3&limit=2')).nextCursor).toBeNull()
    expect((await list('search=nothing&cursor=')).nextCursor).toBeNull()
  })

  it('is as the OpenAPI document describes it, whatever the filters', async () => {
    const document = (await (await api.request('/api/openapi.json')).json()) as {
      paths: Record<string, { get: { parameters: { name: string; schema: { pattern: string } }[] } }>
    }
    const parameters = document.paths['/servers']?.get.parameters ?? []
    const described = new RegExp(parameters.find(({ name }) => name === 'cursor')?.schema.pattern ?? '$^')
    // The cursor begins with a hash of the filters.
    for (let days = 1; days <= 50; days++)
      expect((await list(`limit=2&createdWithinDays=${3_000 + days}`)).nextCursor).toMatch(described)
  })

  it('links to the first page and the next', async () => {
    const seen: string[] = []
    for (let at: string | undefined = '/api/servers?region=eu&limit=2&cursor='; at; ) {
      const response = await api.request(at)
      seen.push(...((await response.json()) as Page).servers.map(({ id }) => id))
      const links = linksOf(response)
      expect(links.first).toBe('/api/servers?region=eu&limit=2&cursor=')
      at = links.next
    }
    expect(seen).toEqual(ids)
  })

  it('has each server once over HTTP while votes and removals are written', async () => {
    const { nextCursor, servers } = await list('limit=3&sortBy=totalVotes')
    await putVotes(pool, ids[1] ?? '', 1) // was shown; would be shown again
    await setDeleted(pool, ids[0] ?? '', true) // by number, the next page would skip one
    await putStatus(pool, ids[3] ?? '', { currentPlayers: 7 })
    await api.directory.refresh()
    const rest = await list(`limit=10&sortBy=totalVotes&cursor=${nextCursor}`)
    expect(servers.map(({ id }) => id)).toEqual(ids.slice(0, 3))
    expect(rest.servers.map(({ id }) => id)).toEqual([ids[3], ids[4], ids[1]]) // its key moved across the cursor
    await setDeleted(pool, ids[0] ?? '', false)
    await putVotes(pool, ids[1] ?? '', 40)
    await api.directory.refresh()
  })

  it('leads on after the longest name, which is folded to 18 times as many characters', async () => {
    const names = [1, 2, 3].map((n) => `${'ﷺ'.repeat(99)}${n}`)
    for (const name of names) await insertServer(pool, { name, region: 'Long names' })
    await api.directory.refresh()
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Page = await list(`region=long names&sortBy=name&limit=1&cursor=${cursor}`)
      seen.push(...page.servers.map(({ name }) => name))
      cursor = page.nextCursor
    }
    expect(seen).toEqual(names)
  })

  it('may be sent with another limit and other fields, but refuses other filters and another order', async () => {
    const { nextCursor } = await list('limit=2&region=EU&tags=a&sortBy=createdAt')
    const same = `region=EU&tags=a&sortBy=createdAt&cursor=${nextCursor}`
    expect((await list(`${same}&limit=3&fields=name`)).servers).toHaveLength(3)
    const message = 'must be used with the filters and the order of the request that answered it'
    for (const other of [
      `region=EU&sortBy=createdAt&cursor=${nextCursor}`,
      `region=EU&tags=b&sortBy=createdAt&cursor=${nextCursor}`,
      `region=EU&tags=a&cursor=${nextCursor}`,
      `${same}&sortOrder=asc`,
      `${same}&onlineOnly=true`,
      `${same}&justWiped=true`,
      `${same}&search=server`,
    ])
      expect(await refusal(other)).toEqual([{ path: 'cursor', message }])
  })

  it('refuses a page beside it, two of them, and what was never a cursor', async () => {
    const { nextCursor } = await list('limit=2')
    expect(await refusal(`page=1&cursor=${nextCursor}`)).toEqual([
      { path: 'cursor', message: 'must not be given together with page' },
    ])
    expect(await refusal(`cursor=${nextCursor}&cursor=${nextCursor}`)).toMatchObject([{ path: 'cursor' }])
    const content = JSON.parse(Buffer.from(nextCursor ?? '', 'base64url').toString())
    const forged = (index: number, value: unknown) =>
      Buffer.from(JSON.stringify(Object.assign([...content], { [index]: value }))).toString('base64url')
    for (const bad of [
      'x',
      'null',
      nextCursor?.slice(3),
      forged(1, '5'),
      forged(1, null),
      forged(3, 'x'),
      forged(4, 1),
      'A'.repeat(401),
    ])
      expect(await refusal(`cursor=${bad}`)).toMatchObject([{ path: 'cursor' }])
    // Positions that no server has are positions nonetheless.
    expect((await list(`cursor=${forged(1, -1e300)}`)).servers).toEqual([])
  })
})
