// The in-memory directory's pages equal plain SQL after any changes.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { countFacets } from '../../../src/features/directory/engine/facet-counts.ts'
import type { DirectoryQuery } from '../../../src/features/directory/engine/plan.ts'
import { createFeed, FEED_TIMING } from '../../../src/features/directory/feed/feed.ts'
import type { Pool } from '../../../src/platform/db/pool.ts'
import { createTestDatabase, emptyTables, testLog } from '../../support/database.ts'
import { rounds } from '../../support/rounds.ts'
import { expectedFacets } from './expected-facets.ts'
import { pageBySql, type SqlSortKey } from './plain-sql.ts'
import { render } from './rendered.ts'
import { editServer, insertServer, putScore, putStatus, putUptime, putVotes, setDeleted } from './rows-in-database.ts'

const NOW = Date.UTC(2026, 10, 20, 12)
const { url, pool } = await createTestDatabase()
const feed = createFeed({
  url,
  log: testLog,
  clock: () => NOW,
  timing: { ...FEED_TIMING, pollMs: 1e6, coalesceMs: 1e6 }, // only refresh() reads
  requireVerified: false,
  baseUrl: 'https://servers.example',
  afterRead: () => undefined,
})
beforeAll(() => feed.start())
afterAll(() => feed.stop())

const word = fc.constantFrom(
  'Island',
  'ISLAND',
  'Öde',
  'öde',
  'ΟΔΟΣ',
  'οδός',
  'Сервер',
  'сервер',
  '方舟',
  '🦖',
  'a',
  '%_\\',
  '"x"',
)
const name = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '))
const region = fc.constantFrom('', 'EU', 'eu', 'Азия', 'europe')
const country = fc.constantFrom('', 'DE', 'CL')
const map = fc.constantFrom('', 'TheIsland', 'theisland', 'ÖDLAND')
const tags = fc.subarray(['pvp', 'PvP', 'Über', 'noob friendly'])
const rates = fc.constantFrom('', 'xp:5', ' XP : 2.5 , taming:10', 'harvest:0.5,mating:100', 'xp:1,taming:3,harvest:7')
const which = fc.nat({ max: 30 })
const small = fc.nat({ max: 4 })
const daysAgo = (days: number) => new Date(NOW - days * 86_400_000)

type Change = (world: World) => Promise<unknown>
interface World {
  ids: string[]
  /** Ends the open transactions. */
  commits: (() => Promise<void>)[]
  at(index: number): string
}

const add = (
  db: Pick<Pool, 'query'>,
  given: { name: string; region: string; tags: string[]; rates: string },
  age: number,
) =>
  insertServer(db, {
    ...given,
    game: ['ase', 'asa', 'minecraft'][age % 3] ?? 'ase',
    isVerified: age % 2 === 0,
    gameMode: [null, 'PvP', 'PvE', 'PvPvE'][age % 4] ?? null,
    lastWipeAt: age % 2 ? daysAgo(age * 3) : null,
    createdAt: new Date(Date.UTC(2026, 0, 1 + (age % 3))),
  })

const server = fc.record({ name, region, tags, rates })
const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(server, small).map(
      ([given, age]): Change =>
        async ({ ids }) =>
          ids.push(await add(pool, given, age)),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(server, small).map(
      ([given, age]): Change =>
        async ({ ids, commits }) => {
          // A transaction that stays open while others begin and end, and commits after they were read.
          const tx = await pool.connect()
          await tx.query('begin')
          const id = await add(tx, given, age)
          await putStatus(tx, id, { currentPlayers: age, map: 'late' })
          commits.push(async () => {
            await tx.query('commit')
            tx.release()
            ids.push(id)
          })
        },
    ),
  },
  { weight: 2, arbitrary: fc.constant<Change>(async ({ commits }) => commits.shift()?.()) },
  {
    weight: 2,
    arbitrary: fc.tuple(which, server).map(
      ([at, given]): Change =>
        (world) =>
          editServer(pool, world.at(at), given),
    ),
  },
  {
    weight: 4,
    arbitrary: fc.tuple(which, fc.boolean(), small, map, country).map(
      ([at, isOnline, currentPlayers, onMap, inCountry]): Change =>
        (world) =>
          putStatus(pool, world.at(at), {
            isOnline,
            currentPlayers,
            map: onMap,
            maxPlayers: currentPlayers % 3,
            version: ['', '1.0', 'v2', 'V2'][currentPlayers] ?? '',
            country: inCountry,
            lastPolledAt: new Date(NOW - 1000),
            freshUntil: new Date(NOW - 2 + currentPlayers),
          }),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(which, small, fc.boolean()).map(
      ([at, votes, lastMonth]): Change =>
        (world) =>
          putVotes(pool, world.at(at), votes + 1, votes, lastMonth ? '2026-10-01' : '2026-11-01'),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(which, small, small).map(
      ([at, votes, played]): Change =>
        (world) =>
          putScore(pool, world.at(at), votes, played),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(which, fc.constantFrom(null, 0, 0.5, 0.9983, 1)).map(
      ([at, share]): Change =>
        (world) =>
          putUptime(pool, world.at(at), share, at % 2 ? share : null, share),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(which, fc.boolean()).map(
      ([at, gone]): Change =>
        (world) =>
          setDeleted(pool, world.at(at), gone),
    ),
  },
)

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 3 })
const query: fc.Arbitrary<DirectoryQuery & { page: number; sortBy: SqlSortKey }> = fc.record({
  page: fc.integer({ min: 1, max: 3 }),
  limit: fc.constantFrom(1, 3, 20),
  sortBy: fc.constantFrom(
    'score',
    'totalVotes',
    'monthlyVotes',
    'currentPlayers',
    'createdAt',
    'name',
    'uptime',
    'lastWipeAt',
    'rank',
  ),
  sortOrder: fc.constantFrom('asc', 'desc'),
  search: maybe(fc.oneof(word, name)),
  map: maybe(map),
  region: maybe(region),
  country: maybe(fc.subarray(['DE', 'CL', 'US'])),
  game: maybe(fc.subarray(['ase', 'asa', 'minecraft', 'rust'])),
  gameMode: maybe(fc.constantFrom('PvP', 'PvE', 'PvPvE')),
  tags: maybe(tags),
  isVerified: maybe(fc.boolean()),
  version: maybe(fc.constantFrom('1.0', 'V2', 'other')),
  minPlayers: maybe(small),
  maxPlayers: maybe(small),
  hasFreeSlots: maybe(fc.boolean()),
  notEmpty: maybe(fc.boolean()),
  minUptime: maybe(fc.constantFrom(0, 0.5, 0.9983)),
  createdSince: maybe(fc.constantFrom(Date.UTC(2026, 0, 2), Date.UTC(2026, 0, 3))),
  onlineOnly: maybe(fc.boolean()),
  wipedSince: maybe(fc.constant(NOW - 7 * 86_400_000)),
  minMultiplier: maybe(fc.constantFrom(0, 2.5, 6)),
  maxMultiplier: maybe(fc.constantFrom(1, 5, 100)),
})

it('any sequence of adds, edits, polls, votes, deletes and queries gives the same pages as plain SQL', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(change, fc.array(query, { maxLength: 2 })), { maxLength: 40 }),
      async (steps) => {
        const world: World = {
          ids: [],
          commits: [],
          at: (index) => world.ids[index % Math.max(world.ids.length, 1)] ?? '',
        }
        world.ids.push(await insertServer(pool))
        try {
          for (const [apply, queries] of steps) {
            await apply(world)
            if (queries.length) await feed.refresh()
            for (const asked of queries) {
              const list = async (filters: object) => {
                const all = { ...filters, page: 1, limit: 1000, sortBy: 'createdAt', sortOrder: 'asc' } as const
                return (await pageBySql(pool, all, NOW)).servers
              }
              const facets = await expectedFacets((name) => list(name === 'all' ? {} : { ...asked, [name]: undefined }))
              expect(countFacets(feed.current(), asked)).toEqual(facets)
              const { page, after } = render(feed.current(), asked, NOW)
              const expected = await pageBySql(pool, asked, NOW)
              expect(page).toEqual(expected)
              const next = await pageBySql(pool, { ...asked, page: expected.pagination.page + 1 }, NOW)
              expect(after !== undefined).toBe(next.servers.length > 0)
              if (after)
                expect(render(feed.current(), { ...asked, page: undefined, after }, NOW).page.servers).toEqual(
                  next.servers,
                )
            }
          }
        } finally {
          for (const commit of world.commits) await commit()
          await emptyTables(pool, 'servers') // the feed notices and loads again
        }
      },
    ),
    { numRuns: rounds(40), interruptAfterTimeLimit: 20_000, markInterruptAsFailure: false },
  )
})
