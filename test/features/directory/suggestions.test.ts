// Search suggestions, and trending servers.
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { createSnapshot } from '../../../src/features/directory/engine/snapshot.ts'
import { suggest } from '../../../src/features/directory/engine/suggestions.ts'
import { createTrending, SUGGESTIONS_WAIT_MS } from '../../../src/features/directory/engine/trending.ts'
import { fold } from '../../../src/platform/fold-text.ts'
import { startTestApi } from '../../support/api.ts'
import { testLog } from '../../support/database.ts'
import { createDice } from './dice.ts'
import { countersRow, type ModelServer, modelServer, serverRow } from './model.ts'
import { insertServer, putStatus, putVotes, setDeleted } from './rows-in-database.ts'

const idOf = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`

describe('GET /api/servers/suggestions', async () => {
  let now = Date.UTC(2026, 10, 20, 12)
  const api = await startTestApi({ clock: () => now, settings: { DIRECTORY_MAX_STALENESS_SECONDS: '600' } })
  const { pool } = api.database
  const ids: Record<string, string> = {}
  const add = async (name: string, votes: number) => {
    const id = await insertServer(pool, { name })
    await putVotes(pool, id, votes)
    ids[name] = id
    return id
  }
  const vote = (id: string | undefined, visitors: number, hoursAgo: number) =>
    pool.query(
      `insert into vote_cooldowns (server_id, visitor_id, last_voted_at)
       select $1, 'visitor ' || n, now() - $3 * interval '1 hour' from generate_series(1, $2) as n`,
      [id, visitors, hoursAgo],
    )
  const ask = async (query: string) => {
    const response = await api.request(`/api/servers/suggestions${query}`)
    expect(response.status).toBe(200)
    const { suggestions } = (await response.json()) as { suggestions: Record<string, unknown>[] }
    return suggestions
  }
  const names = async (query: string) => (await ask(query)).map(({ name }) => name)

  beforeAll(async () => {
    await putStatus(pool, await add('Island of Dreams', 5), { currentPlayers: 12, map: 'TheIsland' })
    await add('ISLAND East', 90)
    await add('The island', 500)
    await add('[islands] Ragnarok', 700)
    await add('Greenisland', 9_000)
    await add('Öde', 1)
    await setDeleted(pool, await add('Island that is gone', 10_000), true)
    await api.directory.refresh()
  })

  it('without votes of the last day suggests in the order of the list', async () => {
    const listed = ((await (await api.request('/api/servers')).json()) as { servers: { name: string }[] }).servers
    expect(await names('')).toEqual(listed.map(({ name }) => name))
    expect(await names('?limit=2')).toEqual(['Greenisland', '[islands] Ragnarok'])
  })

  it('lists names that begin with the text, then words, then parts, each by votes, ignoring case', async () => {
    const expected = ['ISLAND East', 'Island of Dreams', '[islands] Ragnarok', 'The island', 'Greenisland']
    expect(await names('?q=island')).toEqual(expected)
    expect(await names('?q=%20%20IsLaN%20')).toEqual(expected)
    expect(await names('?q=island&limit=3')).toEqual(expected.slice(0, 3))
    expect(await names(`?q=${encodeURIComponent('ÖD')}`)).toEqual(['Öde'])
    expect(await names('?q=nowhere')).toEqual([])
    expect(await names('?q=%25')).toEqual([])
  })

  it('shows the fields of a favorite', async () => {
    expect(await ask('?q=island%20of')).toEqual([
      {
        id: ids['Island of Dreams'],
        name: 'Island of Dreams',
        ipAddress: expect.stringMatching(/^198\.18\./),
        gamePort: 7777,
        currentPlayers: 12,
        maxPlayers: 70,
        isOnline: true,
        map: 'TheIsland',
      },
    ])
  })

  it('trends by votes of the last day, counted again after a minute, filled up from the list', async () => {
    await vote(ids['The island'], 2, 3)
    await vote(ids.Öde, 3, 23)
    await vote(ids.Greenisland, 50, 25)
    await vote(ids['Island that is gone'], 60, 1)
    expect(await names('?limit=2')).toEqual(['Greenisland', '[islands] Ragnarok'])
    now += 60_000
    await expect.poll(() => names('?q=&limit=4')).toEqual(['Öde', 'The island', 'Greenisland', '[islands] Ragnarok'])
  })

  it('while they can’t be counted still suggests, and lists by them answer 503', async () => {
    const byRecentVotes = () => api.request('/api/servers?sortBy=recentVotes')
    expect((await byRecentVotes()).status).toBe(200)
    await pool.query('alter table vote_cooldowns rename to away')
    now += 180_000
    expect(await names('?limit=1')).toEqual(['Öde'])
    const refused = await byRecentVotes()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    expect((await api.request('/api/servers')).status).toBe(200)
    await pool.query('alter table away rename to vote_cooldowns')
    now += 5_000
    expect((await byRecentVotes()).status).toBe(200)
  })

  it.each(['limit=0', 'limit=21', 'limit=x', `q=${'a'.repeat(101)}`, 'q=a&q=b'])('refuses %s', async (query) => {
    const response = await api.request(`/api/servers/suggestions?${query}`)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ details: [{ path: query.slice(0, query.indexOf('=')) }] })
  })

  it('answers 503 while the directory is out of date', async () => {
    now += 3_600_000
    for (const query of ['', '?q=island'])
      expect((await api.request(`/api/servers/suggestions${query}`)).status).toBe(503)
    now -= 3_600_000
  })
})

describe('trending', () => {
  it('queries once a minute at most, however many requests there are, and keeps its last result when that fails', async () => {
    const snapshot = createSnapshot(0)
    for (const n of [1, 2, 3]) snapshot.applyServer(serverRow(modelServer({ id: idOf(n), createdAt: n }), n))
    let now = 0
    let asked = 0
    let answer: () => Promise<Map<string, number>> = async () => new Map([[idOf(3), 2]])
    const trending = createTrending({
      recentVotes: () => {
        asked++
        return answer()
      },
      log: testLog,
      clock: () => now,
    })
    const leader = async () => {
      await trending.ready(() => snapshot, SUGGESTIONS_WAIT_MS)
      return snapshot.idOf(trending.pick(snapshot, 3)[0] ?? -1)
    }
    expect(await Promise.all([leader(), leader(), leader()])).toEqual([idOf(3), idOf(3), idOf(3)])
    now = 59_999
    expect(await leader()).toBe(idOf(3))
    expect(asked).toBe(1)

    const later = Promise.withResolvers<Map<string, number>>()
    answer = () => later.promise
    now = 60_000
    expect(await Promise.all([leader(), leader()])).toEqual([idOf(3), idOf(3)]) // no request waits
    later.resolve(new Map([[idOf(2), 1]]))
    await expect.poll(leader).toBe(idOf(2))
    expect(asked).toBe(2)

    answer = () => Promise.reject(new Error('the database is away'))
    now = 120_000
    expect(await leader()).toBe(idOf(2))
    expect(await leader()).toBe(idOf(2))
    expect(asked).toBe(3)
    expect(trending.isCurrent()).toBe(true)
    now = 180_000
    expect(await leader()).toBe(idOf(2))
    expect(trending.isCurrent()).toBe(false)

    answer = async () => new Map([[idOf(1), 5]])
    now = 182_000 // it is tried again soon
    expect(await Promise.all([leader(), leader()])).toEqual([idOf(1), idOf(1)])
    expect([asked, trending.isCurrent()]).toEqual([5, true])
    now = 3_600_000 // without a request for an hour
    expect(await Promise.all([leader(), leader()])).toEqual([idOf(1), idOf(1)])
    expect(asked).toBe(6)
  })

  it('keeps its last result, and lets no request wait for long, while the database does not answer', async () => {
    const snapshot = createSnapshot(0)
    for (const n of [1, 2]) snapshot.applyServer(serverRow(modelServer({ id: idOf(n), createdAt: n }), n))
    let now = 0
    let answer = async () => new Map([[idOf(2), 1]])
    const trending = createTrending({ recentVotes: () => answer(), log: testLog, clock: () => now })
    await trending.ready(() => snapshot, SUGGESTIONS_WAIT_MS)
    answer = () => new Promise(() => undefined)
    now = 3_600_000
    await trending.ready(() => snapshot, SUGGESTIONS_WAIT_MS)
    expect(snapshot.idOf(trending.pick(snapshot, 1)[0] ?? -1)).toBe(idOf(2))
  })

  it('suggests in the order of the list when recent votes are unavailable', async () => {
    const snapshot = createSnapshot(0)
    snapshot.applyServer(serverRow(modelServer({ id: idOf(1) }), 1))
    const trending = createTrending({
      recentVotes: () => Promise.reject(new Error('away')),
      log: testLog,
      clock: () => 0,
    })
    await trending.ready(() => snapshot, SUGGESTIONS_WAIT_MS)
    expect(trending.pick(snapshot, 3)).toEqual([0])
  })
})

/** The simplest form of the ranking. */
function ranked(servers: Iterable<ModelServer>, text: string, limit: number): string[] {
  const term = fold(text)
  if (term === '') return []
  const isOfWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}\p{M}]/u.test(character)
  const kind = (server: ModelServer) => {
    const name = fold(server.name)
    if (name.startsWith(term)) return 0
    const characters = [...name]
    const words = characters
      .map((character, at) =>
        isOfWord(character) && !isOfWord(characters[at - 1]) ? characters.slice(at).join('') : '',
      )
      .filter((rest) => rest !== '')
    if (words.some((rest) => rest.startsWith(term))) return 1
    return name.includes(term) ? 2 : 3
  }
  return [...servers]
    .map((server) => ({ server, kind: kind(server) }))
    .filter((one) => one.kind < 3)
    .sort(
      (a, b) =>
        a.kind - b.kind ||
        b.server.totalVotes - a.server.totalVotes ||
        a.server.createdAt - b.server.createdAt ||
        (a.server.id < b.server.id ? -1 : 1),
    )
    .slice(0, limit)
    .map(({ server }) => server.id)
}

describe('the ranking', () => {
  const WORDS = [
    'Island',
    'islands',
    'Öde',
    'ÖDLAND',
    'οδός',
    'ΟΔΟΣ',
    'Сервер',
    '方舟',
    '🦖',
    '𝔸rk',
    'pvp',
    'PvE',
    '12',
    'e\u0301lan',
  ]
  const SEPARATORS = [' ', '-', '', ' [', '] ', ' | ', '🦖', '_', '/', ':', '`', '{']

  /** A world of changing names, and searches for parts of them. */
  function createWorld(seed: number, size: number) {
    const dice = createDice(seed)
    const snapshot = createSnapshot(0)
    const servers = new Map<string, ModelServer>()
    let change = 1
    const name = () =>
      dice.pick(['', '', '[', ' ']) +
      Array.from({ length: 1 + dice.below(4) }, () => dice.pick(WORDS) + dice.pick(SEPARATORS)).join('')
    const put = (n: number) => {
      const server = modelServer({ id: idOf(n), name: name(), totalVotes: dice.below(40), createdAt: dice.below(10) })
      servers.set(server.id, server)
      snapshot.applyServer(serverRow(server, change))
      snapshot.applyCounters(countersRow(server, change++))
    }
    const remove = (n: number) => {
      const server = servers.get(idOf(n))
      if (!server) return
      servers.delete(server.id)
      snapshot.applyServer(serverRow(server, change++, false))
    }
    for (let n = 0; n < size; n++) put(n)
    return { dice, snapshot, servers, put, remove }
  }

  it.each([40, 3_000])('equals a plain sort, for %i servers that are added, changed and removed', (size) => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const { dice, snapshot, servers, put, remove } = createWorld(seed, size)
        for (let step = 0; step < 60; step++) {
          for (let n = 0; n < 5; n++) dice.below(3) === 0 ? remove(dice.below(size)) : put(dice.below(size))
          const { name } = dice.pick([...servers.values()])
          const text = dice.below(2) === 0 ? dice.part(name) : [...name].slice(0, 1 + dice.below(3)).join('')
          if (text === '') continue
          const limit = 1 + dice.below(20)
          const slots = suggest(snapshot, text, limit)
          expect(slots.map(snapshot.idOf), JSON.stringify(text)).toEqual(ranked(servers.values(), text, limit))
        }
      }),
      { numRuns: size < 100 ? 40 : 2 },
    )
  })

  it('does not scan all names', () => {
    const { snapshot, servers } = createWorld(1, 20_000)
    const terms = ['i', 'p', 'is', 'pv', 'ser', 'ös', 'land 12', 'lands', 'nowhere', '方', '🦖']
    const time = (find: (term: string) => void) => {
      const from = performance.now()
      for (const term of terms) find(term)
      return performance.now() - from
    }
    const folded = [...servers.values()].map(({ name }) => fold(name))
    const scan = (term: string) =>
      folded
        .flatMap((name, n) =>
          name.includes(term) ? [{ n, kind: name.startsWith(term) ? 0 : name.includes(` ${term}`) ? 1 : 2 }] : [],
        )
        .sort((a, b) => a.kind - b.kind || a.n - b.n)
        .slice(0, 10)
    for (const warm of [1, 2]) time((term) => suggest(snapshot, term, 10 * warm))
    time(scan)
    // The machine may be busy: the best of several runs, with a wide margin.
    const best = (find: (term: string) => void) => Math.min(...[1, 2, 3, 4, 5].map(() => time(find)))
    expect(best((term) => suggest(snapshot, term, 10))).toBeLessThan(best(scan))
  })
})
