// The clients' change feed: a follower ends with exactly the list.
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { covers, isVisible, parsePgSnapshot } from '../../../src/features/directory/engine/pg-snapshot.ts'
import { createRemoved } from '../../../src/features/directory/engine/removed.ts'
import { createSnapshot } from '../../../src/features/directory/engine/snapshot.ts'
import { nextChanges } from '../../../src/features/directory/feed/changes.ts'
import { type Cursor, readCursor, writeCursor } from '../../../src/features/directory/feed/cursor.ts'
import type { Directory } from '../../../src/features/directory/index.ts'
import { createTestDatabase, emptyTables } from '../../support/database.ts'
import { rounds } from '../../support/rounds.ts'
import { changes, createFollower, type Follower, listed, startDirectory } from './followers.ts'
import { modelServer, serverRow } from './model.ts'
import { editServer, insertServer, putStatus, putUptime, putVotes, setDeleted } from './rows-in-database.ts'

const database = await createTestDatabase()
const { pool } = database
const opened: Directory[] = []
afterEach(async () => {
  for (const directory of opened.splice(0)) await directory.stop()
})
async function started(options: Parameters<typeof startDirectory>[1] = {}, from = database): Promise<Directory> {
  const directory = await startDirectory(from, options)
  opened.push(directory)
  return directory
}

async function transaction() {
  const client = await pool.connect()
  await client.query('begin')
  await client.query('select pg_current_xact_id()') // its number is older than later writes
  return {
    client,
    locked: new Set<string>(),
    async end() {
      await client.query('commit')
      client.release()
    },
  }
}

const START = Date.UTC(2026, 10, 30, 23, 59, 0)
const PROCESSES = 3
type Step = [kind: number, a: number, b: number]

/**
 * A world of servers, open transactions, processes that read now or later, and their clients. Three numbers choose
 * each step, so that fast-check can remove steps until the shortest failing sequence is left.
 */
async function play(steps: Step[]) {
  let now = START
  const skews = [0, 2_000, -3_000]
  const clockOf = (n: number) => () => now + (skews[n] ?? 0)
  const start = (n: number) =>
    startDirectory(database, { clock: clockOf(n), settings: { DIRECTORY_MAX_STALENESS_SECONDS: '3600' } })
  const processes = await Promise.all(Array.from({ length: PROCESSES }, (_, n) => start(n)))
  const followers = [createFollower(), createFollower()]
  const transactions: Awaited<ReturnType<typeof transaction>>[] = []
  const ids: string[] = []
  const free = (a: number) => {
    const unlocked = ids.filter((id) => !transactions.some(({ locked }) => locked.has(id)))
    return unlocked[a % Math.max(unlocked.length, 1)]
  }
  const write = async (kind: number, b: number, db: Parameters<typeof putVotes>[0], id: string) => {
    if (kind === 0) await editServer(db, id, { name: `Name ${b}`, region: 'EU', tags: ['a'], rates: `xp:${b % 9}` })
    if (kind === 1)
      await putStatus(db, id, {
        currentPlayers: b,
        map: `Map ${b % 3}`,
        isOnline: b % 2 === 0,
        lastPolledAt: new Date(now),
        freshUntil: new Date(now + (b % 60) * 1000),
      })
    if (kind === 2) await putVotes(db, id, b, b % 50, b % 3 ? '2026-11-01' : '2026-12-01')
    if (kind === 3) await setDeleted(db, id, b % 2 === 0)
    if (kind === 4)
      await db.query('update servers set hidden_at = case when $2 then now() end where id = $1', [id, b % 2 === 0])
    if (kind === 5) await putUptime(db, id, (b % 100) / 100, null, null)
  }

  for (const [kind, a, b] of steps) {
    const id = free(a)
    const processAt = (n: number) => processes[n % PROCESSES] as Directory
    if (kind <= 1)
      ids.push(await insertServer(pool, { name: `Server ${a}`, createdAt: new Date(START - (a % 4) * 1000) }))
    else if (kind <= 7 && id) await write(kind - 2, b, pool, id)
    else if (kind === 8 && transactions.length < 3) transactions.push(await transaction())
    else if (kind <= 10 && id) {
      const open = transactions[a % Math.max(transactions.length, 1)]
      if (open) {
        await write(b % 6, b, open.client, id)
        open.locked.add(id)
      }
    } else if (kind === 11) await transactions.splice(a % 3, 1)[0]?.end()
    else if (kind <= 13) await processAt(a).refresh()
    else if (kind === 14) {
      await processAt(a).stop()
      processes[a % PROCESSES] = await start(a % PROCESSES)
    } else if (kind === 15) now += (b % 40) * 1000
    else await (followers[a % 2] as Follower).step(processAt(b), 1 + (b % 7))
  }

  for (const open of transactions) await open.end()
  now += 10_000 // past any clock that is ahead
  await Promise.all(processes.map((process) => process.refresh()))
  let turn = 0
  for (const follower of followers)
    while (await follower.step(processes[turn++ % PROCESSES] as Directory, 1 + (turn % 5)));
  skews.fill(0)
  now += 10_000
  for (const follower of followers) while (await follower.step(processes[turn++ % PROCESSES] as Directory, 50));
  const lists = await Promise.all(processes.map(listed))
  for (const process of processes) await process.stop()
  await pool.query('update servers set deleted_at = now() where id = any($1)', [ids])
  return { lists, followers }
}

it('a follower ends with exactly the list: edits, polls, votes, removals, late commits, restarts, and processes that are behind', {
  timeout: 180_000,
}, async () => {
  const step = fc.tuple(fc.nat(20), fc.nat(1000), fc.nat(1000))
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 80, size: 'max' }), async (steps) => {
      const { lists, followers } = await play(steps)
      for (const follower of followers) for (const list of lists) expect(follower.servers).toEqual(list)
    }),
    { numRuns: rounds(60), endOnFailure: true },
  )
})

describe('a page', () => {
  it('has everything when there is no cursor, in pages of the requested size, and then only changes', async () => {
    const own = await createTestDatabase()
    const ids = await Promise.all(Array.from({ length: 7 }, (_, n) => insertServer(own.pool, { name: `Server ${n}` })))
    const directory = await started({}, own)
    const first = await changes(directory, undefined, 3)
    const second = await changes(directory, first.cursor, 3)
    const third = await changes(directory, second.cursor, 3)
    expect([first, second, third].map(({ servers, hasMore }) => [servers.length, hasMore])).toEqual([
      [3, true],
      [3, true],
      [1, false],
    ])
    expect([first, second, third].flatMap(({ servers }) => servers.map(({ id }) => id)).sort()).toEqual(ids.sort())
    expect(await changes(directory, third.cursor)).toMatchObject({ servers: [], removed: [], hasMore: false })

    await putVotes(own.pool, ids[3] ?? '', 5)
    await setDeleted(own.pool, ids[4] ?? '', true)
    await directory.refresh()
    const next = await changes(directory, third.cursor)
    expect(next.servers).toMatchObject([{ id: ids[3], totalVotes: 5 }])
    expect(next).toMatchObject({ removed: [ids[4]], hasMore: false })
    // Its votes moved the ranks of all servers, which are not part of an item.
    expect(next.servers[0]).not.toHaveProperty('rank')
    expect(await changes(directory, next.cursor)).toMatchObject({ servers: [], removed: [], hasMore: false })
  })

  it('has removals first, when there are many', async () => {
    const own = await createTestDatabase()
    const ids = await Promise.all(Array.from({ length: 6 }, () => insertServer(own.pool)))
    const directory = await started({}, own)
    const { cursor } = await changes(directory)
    await own.pool.query('update servers set hidden_at = now() where id = any($1)', [ids.slice(0, 4)])
    await own.pool.query(`update servers set name = 'Edited' where id = any($1)`, [ids.slice(4)])
    await directory.refresh()
    const pages = []
    for (let page = await changes(directory, cursor, 3); ; page = await changes(directory, page.cursor, 3)) {
      pages.push([page.removed.length, page.servers.length, page.hasMore])
      if (!page.hasMore) break
    }
    expect(pages).toEqual([
      [3, 0, true],
      [1, 2, false],
    ])
  })

  it('has what time alone changed: a stale status, and votes of a past month', async () => {
    const own = await createTestDatabase()
    let now = Date.UTC(2026, 10, 30, 23, 59, 0)
    const stale = await insertServer(own.pool, { createdAt: new Date(now - 2000) })
    const voted = await insertServer(own.pool, { createdAt: new Date(now - 1000) })
    await putStatus(own.pool, stale, { lastPolledAt: new Date(now), freshUntil: new Date(now + 30_000) })
    await putVotes(own.pool, voted, 9, 4, '2026-11-01')
    const directory = await started({ clock: () => now }, own)
    const first = await changes(directory)
    expect(first.servers).toMatchObject([{ isStale: false }, { monthlyVotes: 4 }])
    now += 29_000
    await directory.refresh()
    const quiet = await changes(directory, first.cursor)
    expect(quiet.servers).toEqual([])
    now += 2_000
    await directory.refresh()
    const turned = await changes(directory, quiet.cursor)
    expect(turned.servers).toMatchObject([{ id: stale, isStale: true }])
    now += 30_000
    await directory.refresh()
    expect((await changes(directory, turned.cursor)).servers).toMatchObject([{ id: voted, monthlyVotes: 0 }])
  })
})

describe('a cursor', () => {
  it('of a process that is ahead makes this one catch up first', async () => {
    const [ahead, behind] = [await started(), await started()]
    const id = await insertServer(pool)
    await ahead.refresh()
    const { cursor } = await changes(ahead)
    await putVotes(pool, id, 3)
    const page = await changes(behind, cursor)
    expect(page.servers).toMatchObject([{ id, totalVotes: 3 }])
  })

  it('stays valid when all processes it came from are gone, and the next page has what left meanwhile', async () => {
    const before = await started()
    const id = await insertServer(pool)
    await before.refresh()
    const { cursor } = await changes(before, undefined, 1000)
    await before.stop()
    await setDeleted(pool, id, true)
    const after = await started()
    expect(await changes(after, cursor, 1000)).toMatchObject({ servers: [], removed: [id] })
  })

  it('gives no id of a server that was never listed, and those of servers that were', async () => {
    const own = await createTestDatabase()
    const settings = { LISTING_REQUIRES_VERIFICATION: 'true' }
    const directory = await started({ settings }, own)
    const { cursor } = await changes(directory)
    const verify = (id: string, isVerified: boolean) =>
      own.pool.query('update servers set is_verified = $2 where id = $1', [id, isVerified])
    const [secret, removed, moved, deleted] = [
      await insertServer(own.pool),
      await insertServer(own.pool),
      await insertServer(own.pool),
      await insertServer(own.pool),
    ]
    for (const id of [moved, deleted]) await verify(id, true)
    await directory.refresh()
    const page = await changes(directory, cursor)
    expect([page.removed, page.servers.map(({ id }) => id).sort()]).toEqual([[], [moved, deleted].sort()])

    await own.pool.query(`update servers set description = 'changed' where id = $1`, [secret])
    await setDeleted(own.pool, removed, true)
    await setDeleted(own.pool, deleted, true)
    await verify(moved, false)
    await directory.refresh()
    expect((await changes(directory, page.cursor)).removed).toEqual([moved, deleted].sort())
    // Nor after a start.
    const later = await started({ settings }, own)
    expect((await changes(later, page.cursor)).removed).toEqual([moved, deleted].sort())
  })

  const expired = expect.objectContaining({ status: 400, code: 'cursor_expired' })
  it('of another database, another listing rule, an emptied table or the future is refused', async () => {
    const own = await createTestDatabase()
    const id = await insertServer(own.pool)
    const [directory, strict] = [
      await started({}, own),
      await started({ settings: { LISTING_REQUIRES_VERIFICATION: 'true' } }, own),
    ]
    const { cursor } = await changes(directory)
    await expect(changes(await started(), cursor)).rejects.toEqual(expired)
    await expect(changes(strict, cursor)).rejects.toEqual(expired)
    const read = readCursor(cursor)
    if (!read?.base) throw new Error('no cursor')
    const future = writeCursor({ ...read, base: { ...read.base, xmax: read.base.xmax + 1e6 } })
    await expect(changes(directory, future)).rejects.toEqual(expired)
    await emptyTables(own.pool, 'servers')
    await directory.refresh()
    await expect(changes(directory, cursor)).rejects.toEqual(expired)
    expect(id).toBeTruthy()
  })

  it('from before more removals than the feed keeps is refused', () => {
    const removed = createRemoved(3)
    const base = parsePgSnapshot('10:10:')
    for (let n = 0; n < 6; n++) removed.add(`id ${n}`, 20 + n)
    expect(removed.coversSince(base)).toBe(true)
    expect(removed.since(base, '')).toHaveLength(6)
    removed.add('id 6', 26)
    expect(removed.coversSince(base)).toBe(false)
    expect(removed.coversSince(parsePgSnapshot('24:24:'))).toBe(true)
    expect(removed.since(parsePgSnapshot('24:24:'), 'id 4')).toEqual(['id 5', 'id 6'])
    const loaded = createRemoved(2)
    loaded.load([
      { id: 'b', changedIn: 9 },
      { id: 'a', changedIn: 8 },
    ])
    expect([8, 9].map((xmin) => loaded.coversSince(parsePgSnapshot(`${xmin}:${xmin}:`)))).toEqual([false, true])
  })

  it('is decoded as it was encoded', () => {
    const number = fc.nat(2 ** 40)
    const seen = fc
      .tuple(number, fc.nat(500), fc.uniqueArray(fc.nat(499), { maxLength: 90 }))
      .map(([xmin, span, open]) => ({
        xmin,
        xmax: xmin + span,
        open: new Set(open.filter((n) => n < span).map((n) => xmin + n)),
      }))
    const position = fc.oneof(
      fc.record({ removed: fc.oneof(fc.uuid(), fc.constant('')) }),
      fc.record({ createdAt: fc.integer({ min: -1e12, max: 2e12 }), id: fc.uuid() }),
    )
    const cursor = fc.record({
      feedId: fc.stringMatching(/^[\w-]{8}$/),
      base: fc.option(seen, { nil: undefined }),
      baseTime: fc.nat(2e12),
      run: fc.option(fc.record({ target: seen, time: fc.nat(2e12), position }), { nil: undefined }),
    })
    fc.assert(
      fc.property(cursor, (given) => {
        expect(readCursor(writeCursor(given))).toEqual(given)
      }),
    )
    for (const wrong of ['', 'x', 'abcdefgh', 'abcdefgh..', 'abcdefgh.1.1', 'abcdefgh.1-0.1.1-0.1.x', 'a'.repeat(4000)])
      expect(readCursor(wrong)).toBeUndefined()
  })

  it('with very many open transactions is shortened so that it covers less, never more', () => {
    const open = new Set(Array.from({ length: 300 }, (_, n) => 1000 + 2 * n))
    const base = { xmin: 1000, xmax: 2000, open }
    const short = readCursor(writeCursor({ feedId: 'abcdefgh', base, baseTime: 0, run: undefined }))?.base
    if (!short) throw new Error('no cursor')
    for (let number = 900; number < 2100; number++)
      if (isVisible(short, number)) expect(isVisible(base, number)).toBe(true)
  })

  it('with very many open transactions coversSince the end, and sends what they may have changed', () => {
    const snapshot = createSnapshot(0)
    const ids = Array.from({ length: 300 }, (_, n) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`)
    for (const [n, id] of ids.entries()) snapshot.applyServer(serverRow(modelServer({ id }), 900 + 20 * n))
    const open = new Set(Array.from({ length: 101 }, (_, n) => 4_000 + 3 * n))
    const view = { snapshot, seen: { xmin: 4_000, xmax: 9_000, open }, feedId: 'abcdefgh', now: 5 }
    let cursor: Cursor = {
      feedId: 'abcdefgh',
      base: { xmin: 3_000, xmax: 3_000, open: new Set() },
      baseTime: 5,
      run: undefined,
    }
    const sent: number[] = []
    for (let hasMore = true; hasMore; ) {
      const page = nextChanges(view, cursor, { limit: 100, bytes: 1e6 })
      cursor = readCursor(writeCursor(page.cursor)) ?? cursor
      sent.push(...page.slots)
      hasMore = page.hasMore
    }
    expect(sent).toHaveLength(300 - 105)
  })
})

it('of the later of two snapshots covers the earlier, and not the other way round', () => {
  const [early, later] = [parsePgSnapshot('100:105:100,102'), parsePgSnapshot('100:105:100')]
  expect([covers(later, early), covers(early, later), covers(early, early)]).toEqual([true, false, true])
  const last = parsePgSnapshot('106:106:')
  expect([covers(last, later), covers(later, last)]).toEqual([true, false])
})
