// `q=`: the in-memory search against the same rule in its plainest form, over HTTP, and with hostile input.
import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hasBit } from '../../../src/features/directory/engine/bits.ts'
import { findServers } from '../../../src/features/directory/engine/query.ts'
import { wordsAndSymbolsOf, wordsOf, wordsOfMap } from '../../../src/features/directory/engine/search-words.ts'
import { createSlotSets } from '../../../src/features/directory/engine/slot-sets.ts'
import { createSnapshot } from '../../../src/features/directory/engine/snapshot.ts'
import { fold } from '../../../src/platform/fold-text.ts'
import { startTestApi } from '../../support/api.ts'
import { cpuMicrosOf } from '../../support/cpu-time.ts'
import { createDice } from './dice.ts'
import { countersRow, type ModelServer, modelServer, serverRow, statusRow } from './model.ts'
import { render } from './rendered.ts'
import { insertServer, putStatus, putVotes, setDeleted } from './rows-in-database.ts'

const NOW = Date.UTC(2026, 10, 20, 12)

/** Least number of missing, added, changed or exchanged letters that make one word of the other. */
function edits(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i && j ? 0 : i + j)),
  )
  const at = (i: number, j: number) => rows[i]?.[j] ?? 0
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      let least = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, at(i - 2, j - 2) + 1)
      ;(rows[i] as number[])[j] = least
    }
  return at(a.length, b.length)
}

const beginnings = (word: string) => Array.from({ length: word.length + 1 }, (_, length) => word.slice(0, length))

/** A word of one or two letters of an alphabet counts in descriptions only as a whole. */
const isShort = (asked: string) => /^[\0-\u10ff]{1,2}$/.test(asked)

const isTypo = (asked: string, word: string, isLast: boolean) =>
  asked.length >= 5 && (isLast ? beginnings(word) : [word]).some((own) => edits(asked, own) <= 1)

/** The tier of a server: twice the level of the worst word, and one more if a word is there only with a typo. */
function tierOf(server: ModelServer, q: string): number | undefined {
  if (q.trim() === '') return 0
  const words = [...wordsAndSymbolsOf(q)]
  if (words.length === 0) return fold(q).trim() !== '' && fold(server.name).includes(fold(q).trim()) ? 0 : undefined
  const levels = [
    [...wordsAndSymbolsOf(server.name)],
    [...wordsOf([...server.tags, server.mods].join(',')), ...wordsOfMap(server.map)],
    [...wordsOf(server.description)],
  ]
  for (const level of [0, 1, 2]) {
    const known = levels.slice(0, Math.min(level + 1, 2)).flat()
    const described = level === 2 ? (levels[2] ?? []) : []
    const isExact = (asked: string) =>
      known.some((word) => word.startsWith(asked)) ||
      described.some((word) => (isShort(asked) ? word === asked : word.startsWith(asked)))
    const isFound = (asked: string) =>
      isExact(asked) || [...known, ...described].some((word) => isTypo(asked, word, asked === words.at(-1)))
    const needed = words.filter((asked) => !words.some((other) => other !== asked && other.startsWith(asked)))
    if (needed.every(isExact)) return 2 * level
    if (needed.every(isFound)) return 2 * level + 1
  }
  return undefined
}

const older = (a: ModelServer, b: ModelServer) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)

function expectedIds(servers: ModelServer[], q: string, onlineOnly: boolean, byVotesOnly = false): string[] {
  return servers
    .flatMap((server) => {
      const tier = tierOf(server, q)
      return tier === undefined || (onlineOnly && !server.isOnline) ? [] : [{ server, tier: byVotesOnly ? 0 : tier }]
    })
    .sort((a, b) => a.tier - b.tier || b.server.totalVotes - a.server.totalVotes || older(a.server, b.server))
    .map(({ server }) => server.id)
}

const WORDS = [
  ...[
    'island',
    'Islands',
    'iland',
    'Inland',
    'ragnarok',
    'Ragnarök',
    'ragnorak',
    'raganrok',
    'aragnarok',
    'pvp',
    'PvE',
    'x5',
    '5x',
  ],
  ...[
    'a',
    'ab',
    'abc',
    'abcde',
    'abcdef',
    'bacde',
    'abcd',
    'Сервер',
    'серверы',
    '方舟',
    '舟',
    'がんばる',
    '서버',
    'İzmir',
    'izmir',
    'שלום',
    'ガチャ',
    '🔥',
    '★★',
    '!!!',
  ],
]
const word = fc.constantFrom(...WORDS)
const text = fc.array(word, { maxLength: 4 }).map((words) => words.join(' '))
const server = fc.record({
  name: text,
  description: text,
  tags: fc.array(word, { maxLength: 2 }),
  mods: text,
  map: fc.constantFrom('', 'TheIsland', 'Ragnarok_WP', 'ÖdLand', 'x'),
  totalVotes: fc.nat({ max: 3 }),
  isOnline: fc.boolean(),
})
const misspelled = fc.tuple(word, fc.nat({ max: 9 }), fc.constantFrom('', 'q', 'a')).map(([given, at, letter]) => {
  const cut = at % (given.length + 1)
  return given.slice(0, cut) + letter + given.slice(cut + (letter === 'a' ? 0 : 1))
})
const asked = fc.array(
  fc.oneof(word, misspelled, fc.constantFrom('i', 'ra', '-', 'isl', 'land', '★', '!!', '🔥island', 'サ')),
  {
    minLength: 1,
    maxLength: 3,
  },
)

it('finds and ranks as the plain rule does, page by page and by cursor, through any edits and removals', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat({ max: 11 }), fc.option(server)), { maxLength: 30 }),
      fc.array(asked, { minLength: 1, maxLength: 6 }),
      fc.boolean(),
      (changes, queries, onlineOnly) => {
        const snapshot = createSnapshot(NOW)
        const servers = new Map<number, ModelServer>()
        let change = 1
        for (const [n, given] of changes) {
          const id = `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`
          const next = modelServer({ id, ...given })
          snapshot.applyServer(serverRow(next, change++, given !== null))
          if (given) {
            snapshot.applyStatus(statusRow(next, change++))
            snapshot.applyCounters(countersRow(next, change++))
            servers.set(n, next)
          } else servers.delete(n)
        }
        for (const words of queries) {
          const q = words.join(' ')
          const query = { q, onlineOnly, sortBy: 'totalVotes', sortOrder: 'desc', limit: 3 } as const
          const expected = expectedIds([...servers.values()], q, onlineOnly)
          const pages: string[] = []
          for (let page = 1; page <= 5; page++) {
            const { slots, total } = findServers(snapshot, { ...query, page, byRelevance: true })
            expect(total).toBe(expected.length)
            pages.push(...Array.from(slots, snapshot.idOf))
          }
          expect(pages, q).toEqual(expected)
          const walked: string[] = []
          for (let after: ReturnType<typeof render>['after'], first = true; first || after; first = false) {
            const shown = render(snapshot, { ...query, page: undefined, after, byRelevance: true }, NOW)
            walked.push(...shown.page.servers.map(({ id }: { id: string }) => id))
            after = shown.after
          }
          expect(walked, q).toEqual(expected)
          const byVotes = findServers(snapshot, { ...query, page: 1, limit: 100 })
          expect(Array.from(byVotes.slots, snapshot.idOf)).toEqual(
            expectedIds([...servers.values()], q, onlineOnly, true),
          )
        }
      },
    ),
    { numRuns: 300, interruptAfterTimeLimit: 20_000, markInterruptAsFailure: false },
  )
})

it('sets of slots have what was added and not removed, the largest as a bitset', () => {
  const dice = createDice(3)
  const sets = createSlotSets()
  const SLOTS = 6_000
  const expected = Array.from({ length: 40 }, () => new Set<number>())
  const slotsOf = (set: number) => {
    const bits = new Int32Array((SLOTS >>> 5) + 1)
    sets.unite(bits, [set])
    return Array.from({ length: SLOTS }, (_, slot) => slot).filter((slot) => hasBit(bits, slot))
  }
  const steps = new Set<string>()
  let shrunk = 0
  for (let i = 0; i < 120_000; i++) {
    const set = Math.min(dice.below(40), dice.below(40), dice.below(40))
    const own = expected[set] ?? new Set()
    const slot = dice.below(i % 60_000 < 30_000 ? SLOTS : 60)
    const sizeBefore = own.size
    if (own.has(slot)) {
      own.delete(slot)
      sets.remove(set, slot)
    } else if (dice.below(40_000) > i % 60_000) {
      own.add(slot)
      sets.add(set, slot)
    } else sets.remove(set, slot)
    expect(sets.sizeOf(set)).toBe(own.size)
    steps.add(sets.stepsOf([set]) < own.size ? 'words' : 'slots')
    if (sizeBefore === 1_025 && own.size === 1_024) shrunk++
    if (i % 500 === 0) expect(slotsOf(set)).toEqual([...own].sort((a, b) => a - b))
  }
  for (const [set, own] of expected.entries()) expect(slotsOf(set)).toEqual([...own].sort((a, b) => a - b))
  expect(steps).toEqual(new Set(['slots', 'words']))
  expect(shrunk).toBeGreaterThan(0) // from a set of its own back to a block
})

describe('hostile queries', () => {
  const dice = createDice(9)
  const snapshot = createSnapshot(NOW)
  const letters = [...'abcdefghijklmnopqrstuvwxyz0123456789']
  const made = () => Array.from({ length: 1 + dice.below(9) }, () => dice.pick(letters)).join('')
  const pairs = letters.flatMap((a) => letters.map((b) => a + b))
  const SERVERS = 20_000
  /** Each begins three words of every description. The words have many endings, so that no word of them is common. */
  const common = Array.from({ length: 12 }, (_, n) => `${letters[n]}${dice.pick(letters)}x`)
  beforeAll(() => {
    for (let n = 0; n < SERVERS; n++) {
      const id = `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`
      const description = common.flatMap((word) => [1, 2, 3].map(() => word + dice.pick(pairs))).join(' ')
      snapshot.applyServer(serverRow(modelServer({ id, name: `${made()} ${made()}`, description }), n + 1))
    }
  })
  const find = (q: string, limit = 20) =>
    findServers(snapshot, { q, sortBy: 'totalVotes', sortOrder: 'desc', limit, page: 1, byRelevance: true })
  const cases: [name: string, q: () => string][] = [
    ['a hundred words', () => Array.from({ length: 100 }, made).join(' ')],
    ['every letter a word', () => letters.join(' ')],
    ['every pair of letters', () => pairs.join(' ')],
    ['the most common beginnings', () => [...common, ...common.map((word) => word.slice(0, 2)), ...letters].join(' ')],
    ['misspelled common words', () => common.flatMap((word) => [`${word}ab`, `q${word}a`, `${word}qz`]).join(' ')],
    ['beginnings of each other', () => common.flatMap((word) => [1, 2, 3].map((n) => word.slice(0, n))).join(' ')],
    ['a thousand characters without a space', () => 'a'.repeat(1000)],
    [
      'a thousand five-letter words',
      () => Array.from({ length: 1000 }, (_, n) => `a${10_000 + n}`.slice(0, 5)).join(' '),
    ],
    ['combining marks', () => `${'e\u0301\u0302\u0303'.repeat(250)} ${'\u0301'.repeat(500)}`],
    ['ligatures that decompose to many letters', () => '\ufdfa'.repeat(1000)],
    ['right to left, with overrides', () => '\u202eשלום עולם\u202c مرحبا \u2067'.repeat(60)],
    ['halves of surrogate pairs', () => '\ud83e \udd96 \ud83e\ud83e'.repeat(100)],
    ['Chinese without spaces', () => '方舟生存進化'.repeat(160)],
    ['five hundred symbols', () => Array.from({ length: 500 }, (_, n) => String.fromCodePoint(0x1f300 + n)).join('')],
  ]
  it.each(cases)('%s', (_name, q) => {
    // Relative to one common word, so that it does not depend on the machine. Another text each time, because the
    // last one is remembered.
    const timeOf = (text: string) => cpuMicrosOf((nth) => find(`${'-'.repeat(nth)}${text}`))
    expect(timeOf(q())).toBeLessThan(50 * timeOf(common[0] ?? ''))
    expect(find(q()).total).toBeLessThanOrEqual(SERVERS)
  })

  it('of more than twenty words does not skip those that begin words after the twentieth', () => {
    const first = letters.slice(0, 20)
    const others = first.map((letter) => `${letter}zz`)
    expect(find([...first, ...others].join(' ')).total).toBe(find(first.join(' ')).total)
  })

  it('leaves out the most common of too many words, and names them', () => {
    const found = find(common.join(' '), SERVERS)
    expect(found.total).toBe(SERVERS)
    const ignored = found.ignoredWords ?? []
    expect(ignored.length).toBeGreaterThan(0)
    const searched = common.filter((word) => !ignored.includes(word))
    expect(searched.length).toBeGreaterThanOrEqual(common.length / 2)
    expect(find(searched.join(' '), SERVERS)).toEqual({ ...found, ignoredWords: [] })
    expect(find('a1 b2 c3 d4 e5 f6 g7 h8 i9 j0 k1 l2 m3 n4 o5 p6 q7 r8 s9 t0 u1 v2').ignoredWords).toEqual([])
    // No server has the rarest word, so that the others decide nothing.
    expect(find(`${common.join(' ')} missing`)).toMatchObject({ total: 0, ignoredWords: [] })
  })
})

const api = await startTestApi({ clock: () => NOW })
const { pool } = api.database
const ids = new Map<string, string>()
beforeAll(async () => {
  const add = async (name: string, given: object, votes: number, map = '') => {
    const id = await insertServer(pool, { name, ...given })
    await putStatus(pool, id, { map })
    await putVotes(pool, id, votes)
    ids.set(name, id)
  }
  await add('Amber Ragnarok', {}, 1)
  await add('Ragnarock x5', {}, 9)
  await add('Tagged', { tags: ['ragnarok', 'amber'] }, 5)
  await add('Mapped', {}, 6, 'Ragnarok')
  await add('Described', { description: 'Like Ragnarok, but better' }, 50)
  await add('Modded', { mods: 'Structures Plus' }, 2, 'CrystalIsles')
  await add('Überleben auf Öland', {}, 3)
  await api.directory.refresh()
})
interface Page {
  servers: { name: string }[]
  pagination: { total: number }
  nextCursor: string | null
}
const list = async (query: Record<string, string>): Promise<Page> =>
  (await api.request(`/api/servers?${new URLSearchParams(query)}`)).json() as Promise<Page>
const names = async (query: Record<string, string>) => (await list(query)).servers.map(({ name }) => name)

describe('GET /api/servers?q=', () => {
  // The tests above keep the process busy, so that its directory may be too old to be shown.
  beforeEach(() => api.directory.refresh())

  it('has names before tags, mods and maps before descriptions, correct before misspelled words, then most votes', async () => {
    expect(await names({ q: 'ragnarok' })).toEqual(['Amber Ragnarok', 'Ragnarock x5', 'Mapped', 'Tagged', 'Described'])
    expect(await names({ q: 'RAGNAROK amb' })).toEqual(['Amber Ragnarok', 'Tagged'])
    expect(await names({ q: 'amber ragnrok' })).toEqual(['Amber Ragnarok', 'Tagged'])
    expect(await names({ q: 'isles plus' })).toEqual(['Modded'])
    expect(await names({ q: 'oland uberlebn' })).toEqual(['Überleben auf Öland'])
    expect(await names({ q: 'ragnarok nothing' })).toEqual([])
  })

  it('combines with filters, an explicit order, fields and a cursor', async () => {
    expect(await names({ q: 'ragnarok', map: 'ragnarok' })).toEqual(['Mapped'])
    expect(await names({ q: 'ragnarok', tags: 'amber', search: 'tag' })).toEqual(['Tagged'])
    const byVotes = ['Described', 'Ragnarock x5', 'Mapped', 'Tagged', 'Amber Ragnarok']
    expect(await names({ q: 'ragnarok', sortBy: 'totalVotes' })).toEqual(byVotes)
    expect(await names({ q: 'ragnarok', sortBy: 'totalVotes', sortOrder: 'asc' })).toEqual(byVotes.toReversed())
    const first = await list({ q: 'ragnarok', limit: '2', fields: 'name' })
    expect(first).toMatchObject({
      servers: [{ name: 'Amber Ragnarok' }, { name: 'Ragnarock x5' }],
      pagination: { total: 5 },
    })
    await putVotes(pool, ids.get('Tagged') ?? '', 7)
    await api.directory.refresh()
    const rest = { q: 'ragnarok', cursor: first.nextCursor ?? '' }
    expect(await names(rest)).toEqual(['Tagged', 'Mapped', 'Described'])
    for (const other of [
      { ...rest, q: 'ragnaro' },
      { ...rest, sortBy: 'totalVotes' },
    ])
      expect((await api.request(`/api/servers?${new URLSearchParams(other)}`)).status).toBe(400)
  })

  it('follows edits, polls and removals', async () => {
    await pool.query(`update servers set description = 'Volcano', tags = '{}' where name = 'Tagged'`)
    await putStatus(pool, ids.get('Mapped') ?? '', { map: 'Volcano' })
    await setDeleted(pool, ids.get('Described') ?? '', true)
    await api.directory.refresh()
    expect(await names({ q: 'ragnarok' })).toEqual(['Amber Ragnarok', 'Ragnarock x5'])
    expect(await names({ q: 'volcano' })).toEqual(['Mapped', 'Tagged'])
  })

  it('finds symbols in names, and punctuation in a query that has no words', async () => {
    await pool.query(`update servers set name = '🔥 Ragnarock!!! ★' where name = 'Ragnarock x5'`)
    await pool.query(`update servers set description = '★ 🔥 !!!' where name = 'Modded'`)
    await api.directory.refresh()
    const fire = ['🔥 Ragnarock!!! ★']
    for (const q of ['🔥', '★', '★ 🔥', '!!!', ' !! ', 'ragnarok ★', '🔥rag', '★\ufe0f'])
      expect(await names({ q })).toEqual(fire)
    for (const q of ['🦖', '!!!!', '★ amber', ' -- ', '¿', '\u0301', '\u200b']) expect(await names({ q })).toEqual([])
    expect(await names({ q: '!!!', search: 'amber' })).toEqual([])
    expect(await names({ search: '\u0301' })).toEqual([])
    expect(await names({ q: '  ' })).toHaveLength(6)
  })

  it('refuses more than 200 characters', async () => {
    expect((await api.request(`/api/servers?q=${'x'.repeat(201)}`)).status).toBe(400)
    expect((await api.request('/api/servers?q=a&q=b')).status).toBe(400)
  })
})
