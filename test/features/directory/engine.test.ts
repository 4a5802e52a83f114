// The in-memory directory: pages, ETags, months and repeated rows.
import { expect, it } from 'vitest'
import { countFacets } from '../../../src/features/directory/engine/facet-counts.ts'
import type { DirectoryQuery } from '../../../src/features/directory/engine/plan.ts'
import { findServers } from '../../../src/features/directory/engine/query.ts'
import { renderDetail, renderList, renderStats } from '../../../src/features/directory/engine/render.ts'
import { createSnapshot } from '../../../src/features/directory/engine/snapshot.ts'
import { rounds } from '../../support/rounds.ts'
import { createDice } from './dice.ts'
import { expectedFacets } from './expected-facets.ts'
import {
  countersRow,
  detail,
  type ModelServer,
  modelServer,
  page,
  ranks,
  serverRow,
  statusRow,
  uptimeRow,
} from './model.ts'
import { render } from './rendered.ts'

const NOW = Date.UTC(2026, 10, 20, 12)
const MONTH = 2026 * 12 + 10
const WORDS = [
  'Island',
  'island',
  'RAGNAROK',
  'Öde',
  'ΟΔΟΣ',
  'οδός',
  'Сервер',
  '方舟',
  'x',
  'PvP',
  '🦖',
  '"quoted\\"',
  'İzmir',
]
const MAPS = ['', 'TheIsland', 'theisland', 'Ragnarok', 'Ödland', 'Map "7"']
const REGIONS = ['', 'EU', 'eu', 'South America', 'Азия', 'europe']
const SORT_KEYS = [
  'score',
  'totalVotes',
  'monthlyVotes',
  'recentVotes',
  'currentPlayers',
  'createdAt',
  'name',
  'uptime',
  'lastWipeAt',
  'nextWipeAt',
  'rank',
  'random 1',
  'random -77',
] as const
const ALL: DirectoryQuery = { limit: 1, sortBy: 'createdAt', sortOrder: 'asc' }
const COUNTRIES = ['', 'DE', 'AT', 'CL']
const GAMES = ['ase', 'asa', 'minecraft', 'mbe', 'protocol-valve']
const BOTH_EDITIONS = { game: 'minecraft', bedrockAddress: 'bedrock.example.org' }
const TAGS = ['pvp', 'PvP', 'noob friendly', 'weekly', 'ÜBER']

/** A randomly changing world of servers, in the model and in the engine. */
function createWorld(seed: number) {
  const dice = createDice(seed)
  const servers = new Map<string, ModelServer>()
  const snapshot = createSnapshot(NOW, 'https://servers.example')
  let change = 1
  let created = 0

  const name = () => Array.from({ length: 1 + dice.below(4) }, () => dice.pick(WORDS)).join(dice.pick([' ', '-', '']))
  const owned = () => ({
    name: name(),
    description: dice.pick(['', 'A long text, "quoted"\n', 'ünïcödé 🦕']),
    ...dice.pick([...GAMES.map((game) => ({ game, bedrockAddress: '' })), BOTH_EDITIONS]),
    gameMode: dice.pick(['', 'PvP', 'PvE', 'PvPvE'] as const),
    region: dice.pick(REGIONS),
    tags: TAGS.filter(() => dice.below(3) === 0),
    rates: dice.pick(['', 'xp:5', ' XP : 2.5 , taming:10', 'harvest:0.5,mating:100', 'xp:1,taming:3,harvest:7']),
    isVerified: dice.below(2) === 0,
    isClaimed: dice.below(2) === 0,
    source: dice.pick([null, 'luanti']),
    isFeatured: dice.below(2) === 0,
    lastWipeAt: dice.below(2) === 0 ? null : NOW - dice.below(14) * 86_400_000,
    nextWipeAt: dice.below(2) === 0 ? null : NOW + dice.below(14) * 86_400_000,
    bedrockPort: dice.pick([19_132, 19_133]),
    gamePortGiven: dice.below(2) === 0,
    profile: dice.pick([
      null,
      { motd: '§aHello §lworld' },
      { icon: 'a'.repeat(43), description: 'In my own words', gameMode: 'PvE', mods: 'one,two' },
    ]),
  })
  const anyServer = () => dice.pick([...servers.values()])

  const operations = {
    add() {
      const id = `00000000-0000-7000-8000-${String(dice.below(1e12)).padStart(12, '0')}`
      if (servers.has(id)) return
      // Few different times, so that many servers have the same age.
      const server = modelServer({
        id,
        ...owned(),
        createdAt: NOW - dice.below(20) * 1000,
        gamePort: 1 + (created++ % 65_535),
      })
      servers.set(id, server)
      snapshot.applyServer(serverRow(server, change++))
    },
    edit() {
      const server = anyServer()
      Object.assign(server, owned(), { updatedAt: NOW })
      snapshot.applyServer(serverRow(server, change++))
    },
    poll() {
      const server = anyServer()
      Object.assign(server, {
        isOnline: dice.below(3) > 0,
        currentPlayers: dice.below(5),
        currentBots: dice.below(3),
        hasPassword: dice.pick([null, false, true]),
        javaOnline: dice.pick([null, false, true]),
        bedrockOnline: dice.pick([null, false, true]),
        maxPlayers: dice.pick([3, 70]),
        map: dice.pick(MAPS),
        version: dice.pick(['', '358.24', '359b', '359B']),
        country: dice.pick(COUNTRIES),
        queryMs: dice.pick([null, 0, 32_767]),
        consecutiveFailures: dice.below(4),
        lastPolledAt: NOW - dice.below(100_000),
        freshUntil: NOW + dice.below(3) - 1,
      })
      snapshot.applyStatus(statusRow(server, change++))
    },
    vote() {
      const server = anyServer()
      Object.assign(server, {
        totalVotes: dice.below(6),
        votesOfMonth: dice.below(4),
        votesMonth: MONTH - dice.below(2),
        voteScore: String(BigInt(dice.below(6)) << 900n),
        playScore: String(BigInt(dice.below(3)) << 900n),
      })
      snapshot.applyCounters(countersRow(server, change++))
    },
    measure() {
      const server = anyServer()
      server.uptime = {
        day: dice.below(2) ? dice.below(100) / 100 : null,
        week: 0.5,
        month: dice.below(4) ? dice.below(10) / 10 : null,
      }
      snapshot.applyUptime(uptimeRow(server, change++))
    },
    countRecent() {
      for (const server of servers.values()) server.recentVotes = dice.below(2) ? dice.below(4) : 0
      snapshot.setRecentVotes(new Map([...servers.values()].map(({ id, recentVotes }) => [id, recentVotes])))
    },
    remove() {
      const server = anyServer()
      servers.delete(server.id)
      snapshot.applyServer(serverRow(server, change++, false))
    },
  }
  return {
    dice,
    servers,
    snapshot,
    countRecent: operations.countRecent,
    step(growing: boolean) {
      const kinds = [
        'edit',
        'poll',
        'poll',
        'vote',
        'vote',
        'measure',
        growing ? 'add' : 'remove',
        'add',
        'remove',
      ] as const
      operations[servers.size < 5 ? 'add' : dice.pick(kinds)]()
    },
    query(): DirectoryQuery {
      const maybe = <T>(value: () => T) => (dice.below(4) === 0 ? value() : undefined)
      return {
        page: 1 + dice.below(3),
        limit: dice.pick([1, 7, 20, 100]),
        sortBy: dice.pick(SORT_KEYS),
        sortOrder: dice.pick(['asc', 'desc'] as const),
        search: maybe(() => dice.part(name())),
        map: maybe(() => dice.pick(MAPS)),
        region: maybe(() => dice.pick(REGIONS)),
        country: maybe(() => COUNTRIES.filter((code) => code && dice.below(2) === 0)),
        game: maybe(() => GAMES.filter(() => dice.below(2) === 0)),
        gameMode: maybe(() => dice.pick(['PvP', 'PvE', 'PvPvE'] as const)),
        tags: maybe(() => TAGS.filter(() => dice.below(3) === 0)),
        isVerified: maybe(() => dice.below(2) === 0),
        isClaimed: maybe(() => dice.below(2) === 0),
        isFeatured: maybe(() => dice.below(2) === 0),
        version: maybe(() => dice.pick(['358.24', '359b', 'none'])),
        minPlayers: maybe(() => dice.below(4)),
        maxPlayers: maybe(() => 2 + dice.below(4)),
        hasFreeSlots: maybe(() => dice.below(2) === 0),
        notEmpty: maybe(() => dice.below(2) === 0),
        hasPassword: maybe(() => dice.below(2) === 0),
        minUptime: maybe(() => dice.below(10) / 10),
        createdSince: maybe(() => NOW - dice.below(20) * 1000),
        onlineOnly: maybe(() => dice.below(2) === 0),
        wipedSince: maybe(() => NOW - 7 * 86_400_000),
        wipesBetween: maybe(() => [NOW, NOW + 7 * 86_400_000] as const),
        minMultiplier: maybe(() => dice.below(10) / 2),
        maxMultiplier: maybe(() => dice.below(20)),
      }
    },
  }
}

/** Comma-separated. */
const gamesOf = (server: ModelServer | undefined) => (server?.bedrockAddress ? 'minecraft,mbe' : (server?.game ?? ''))

for (const seed of [1, 2, 3].slice(0, rounds(3))) {
  it(`answers as the plainest model does through 10,000 random changes (seed ${seed})`, {
    timeout: 240_000,
  }, async () => {
    const world = createWorld(seed)
    for (let i = 0; i < 10_000; i++) {
      world.step(i % 4000 < 2500)
      if (i % 10 > 0) continue
      if (i % 200 === 0) world.countRecent()
      const query = world.query()
      const shown = render(world.snapshot, query, NOW)
      expect(shown.page, JSON.stringify(query)).toEqual(page(world.servers.values(), query, NOW))
      if (i % 100 === 0) {
        const matching = (asked: DirectoryQuery) =>
          page(
            world.servers.values(),
            { ...asked, page: 1, limit: 1e6, sortBy: 'createdAt', sortOrder: 'asc' },
            NOW,
          ).servers.map((item) => ({ ...item, game: gamesOf(world.servers.get(item.id)) }))
        const expected = await expectedFacets((without) =>
          matching(without === 'all' ? ALL : { ...query, [without]: undefined }),
        )
        expect(countFacets(world.snapshot, query), JSON.stringify(query)).toEqual(expected)
      }
      const { after } = shown
      const next = page(world.servers.values(), { ...query, page: (query.page ?? 1) + 1 }, NOW).servers
      expect(after !== undefined).toBe(next.length > 0)
      if (after) expect(render(world.snapshot, { ...query, page: undefined, after }, NOW).page.servers).toEqual(next)
    }
    const rankOf = ranks(world.servers.values())
    for (const server of world.servers.values()) {
      const slot = world.snapshot.slotOf(server.id) ?? -1
      expect(JSON.parse(renderDetail(world.snapshot, slot, NOW).bytes.toString())).toEqual(
        detail(server, NOW, rankOf.get(server.id) ?? 0),
      )
    }
    const all = [...world.servers.values()]
    const sum = (of: (server: ModelServer) => number) => all.reduce((total, server) => total + of(server), 0)
    expect(JSON.parse(renderStats(world.snapshot).bytes.toString())).toEqual({
      totalServers: all.length,
      onlineServers: sum((server) => Number(server.isOnline)),
      totalPlayers: sum((server) => server.currentPlayers),
      totalVotes: sum((server) => server.totalVotes),
    })
  })
}

it('pages through servers with equal keys have each server once', () => {
  const snapshot = createSnapshot(NOW)
  const ids = Array.from(
    { length: 503 },
    (_, i) => `00000000-0000-7000-8000-${String((i * 7919) % 100_000).padStart(12, '0')}`,
  )
  for (const [i, id] of ids.entries()) snapshot.applyServer(serverRow(modelServer({ id }), i + 1))
  for (const sortBy of ['totalVotes', 'createdAt'] as const)
    for (const sortOrder of ['asc', 'desc'] as const)
      for (const search of [undefined, 'server']) {
        const seen: string[] = []
        for (let at = 1; at <= 26; at++) {
          const query = { page: at, limit: 20, sortBy, sortOrder, search }
          const list = renderList(snapshot, findServers(snapshot, query), query, 'public', NOW)
          seen.push(...JSON.parse(list.bytes.toString()).servers.map(({ id }: { id: string }) => id))
        }
        expect(seen).toEqual([...ids].sort())
      }
})

it('a row of a transaction that is already included changes nothing, so that pages and ETags stay', () => {
  const snapshot = createSnapshot(NOW)
  const server = modelServer({ id: '00000000-0000-7000-8000-000000000001', totalVotes: 4 })
  snapshot.applyServer(serverRow(server, 10))
  snapshot.applyCounters(countersRow(server, 11))
  const { version } = snapshot
  snapshot.applyServer(serverRow({ ...server, name: 'not read' }, 10))
  snapshot.applyCounters(countersRow({ ...server, totalVotes: 5 }, 11))
  expect(snapshot.version).toBe(version)
  // Its number may be any other: a restored dump has numbers above the next ones.
  snapshot.applyCounters(countersRow({ ...server, totalVotes: 5 }, 3))
  expect(snapshot.totals().votes).toBe(5)
  // A row without a number always counts as a change.
  for (const totalVotes of [6, 7]) snapshot.applyCounters(countersRow({ ...server, totalVotes }, 0))
  expect(snapshot.totals().votes).toBe(7)
})

it('rows of unlisted servers are ignored', () => {
  const snapshot = createSnapshot(NOW)
  const server = modelServer({ id: '00000000-0000-7000-8000-000000000001', currentPlayers: 3, totalVotes: 4 })
  snapshot.applyStatus(statusRow(server, 1))
  snapshot.applyCounters(countersRow(server, 1))
  snapshot.applyUptime(uptimeRow(server, 1))
  expect(snapshot.applyServer(serverRow(server, 1, false))).toBe(false)
  expect(snapshot.version).toBe(0)
  expect(snapshot.totals()).toEqual({ players: 0, votes: 0 })
})

it('equal content has an equal ETag, in every version and every process', () => {
  const [one, other] = [createSnapshot(NOW), createSnapshot(NOW)]
  const server = modelServer({ id: '00000000-0000-7000-8000-000000000001' })
  one.applyServer(serverRow(server, 1))
  one.applyServer(serverRow({ ...server, name: 'Renamed' }, 2))
  one.applyServer(serverRow(server, 3))
  other.applyServer(serverRow(server, 9))
  const query = { page: 1, limit: 20, sortBy: 'totalVotes', sortOrder: 'desc' } as const
  const [a, b] = [one, other].map((snapshot) => renderList(snapshot, findServers(snapshot, query), query, 'full', NOW))
  expect(a?.etag).toMatch(/^"[\w-]{22}"$/)
  expect(a?.etag).toBe(b?.etag)
})

it('votes of last month are not counted once the month has changed', () => {
  const snapshot = createSnapshot(NOW)
  const monthly = (now: number) => {
    snapshot.advance(now)
    const query = { page: 1, limit: 20, sortBy: 'monthlyVotes', sortOrder: 'desc' } as const
    const { servers } = JSON.parse(
      renderList(snapshot, findServers(snapshot, query), query, 'full', now).bytes.toString(),
    ) as { servers: { name: string; monthlyVotes: number }[] }
    return servers.map(({ name, monthlyVotes }) => `${name} ${monthlyVotes}`)
  }
  const servers = [
    modelServer({ id: '00000000-0000-7000-8000-000000000001', name: 'old', votesOfMonth: 9, votesMonth: MONTH }),
    modelServer({ id: '00000000-0000-7000-8000-000000000002', name: 'new', votesOfMonth: 2, votesMonth: MONTH + 1 }),
  ]
  for (const server of servers) {
    snapshot.applyServer(serverRow(server, 1))
    snapshot.applyCounters(countersRow(server, 1))
  }
  expect(monthly(Date.UTC(2026, 10, 30, 23, 59, 59, 999))).toEqual(['old 9', 'new 0'])
  expect(monthly(Date.UTC(2026, 11, 1))).toEqual(['new 2', 'old 0'])
})
