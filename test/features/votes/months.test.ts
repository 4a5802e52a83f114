// The monthly counter and its archive: the end of a month, late votes, and late, interrupted or repeated resets.
import { v7 as uuidv7 } from 'uuid'
import { beforeEach, describe, expect, test } from 'vitest'
import { findRecentVotes, rankVoteMonths, runVotesMonth, runVotesUpkeep } from '../../../src/features/votes/index.ts'
import { archiveVoteMonths, clearOldCooldowns } from '../../../src/features/votes/upkeep.service.ts'
import { archiveMonths, lockRanking, rankMonth } from '../../../src/features/votes/upkeep.sql.ts'
import { createVoting } from '../../../src/features/votes/votes.service.ts'
import { inTransaction } from '../../../src/platform/db/pool.ts'
import { countLockWaits, createTestDatabase, testLog, waitBeyondLimit } from '../../support/database.ts'
import { addServer, archiveOf, countersOf, newVisitor } from './support.ts'

const database = await createTestDatabase()
const { pool } = database

const inputOf = (serverId: string, visitorId = newVisitor()) => ({
  id: uuidv7(),
  serverId,
  visitorId,
  username: '',
  gamePlatformId: '',
  addressKey: 'an address',
  senderId: null,
})

let now = new Date()
const recordVote = createVoting({
  pool,
  votesPerAddress: 0,
  refreshSoon: async () => undefined,
  now: () => now,
  applyEffects: async () => true,
})
const vote = (serverId: string, at: string, visitorId = newVisitor()) => {
  now = new Date(at)
  return recordVote(inputOf(serverId, visitorId))
}

/** Servers whose counters begin in November 2026. */
async function addServers(count: number): Promise<string[]> {
  const ids = await Promise.all(Array.from({ length: count }, () => addServer(pool)))
  await pool.query(`update server_counters set votes_month = '2026-11-01' where server_id = any($1)`, [ids])
  return ids
}
const addOne = async () => (await addServers(1))[0] ?? ''

const AFTER = new Date('2026-12-01T00:00:00.000Z')

beforeEach(async () => {
  await pool.query('delete from servers')
})

describe('the turn of the month', () => {
  test('is at 00:00 UTC: the last millisecond counts to the old month, the first to the new', async () => {
    const server = await addOne()
    await vote(server, '2026-11-30T23:59:59.998Z')
    await vote(server, '2026-11-30T23:59:59.999Z')
    expect(await countersOf(pool, server)).toEqual({ total: 2, monthly: 2, month: '2026-11' })
    await vote(server, '2026-12-01T00:00:00.000Z')
    expect(await countersOf(pool, server)).toEqual({ total: 3, monthly: 1, month: '2026-12' })
    expect(await archiveOf(pool, server)).toEqual({ '2026-11': 2 })
  })

  test.each([
    ['2028-02-28T23:59:59.999Z', '2028-02', '2028-02-29T00:00:00.000Z', '2028-02'],
    ['2028-02-29T23:59:59.999Z', '2028-02', '2028-03-01T00:00:00.000Z', '2028-03'],
    ['2100-02-28T23:59:59.999Z', '2100-02', '2100-03-01T00:00:00.000Z', '2100-03'],
    ['2026-12-31T23:59:59.999Z', '2026-12', '2027-01-01T00:00:00.000Z', '2027-01'],
  ])('%s counts to %s, %s to %s', async (before, month, after, next) => {
    const server = await addOne()
    await vote(server, before)
    await vote(server, after)
    expect(await countersOf(pool, server)).toEqual({ total: 2, monthly: month === next ? 2 : 1, month: next })
    expect(await archiveOf(pool, server)).toEqual(month === next ? {} : { [month]: 1 })
  })

  test('leaves the cooldown alone: it is 24 hours over midnight, too', async () => {
    const [server, visitor] = [await addOne(), newVisitor()]
    await vote(server, '2026-11-30T23:00:00.000Z', visitor)
    await expect(vote(server, '2026-12-01T22:59:59.999Z', visitor)).rejects.toMatchObject({
      status: 429,
      fields: { cooldownRemaining: 1, nextVoteAt: '2026-12-01T23:00:00.000Z' },
    })
    await vote(server, '2026-12-01T23:00:00.000Z', visitor)
    expect(await countersOf(pool, server)).toEqual({ total: 2, monthly: 1, month: '2026-12' })
  })

  test('a vote that began before midnight and is counted after a newer one counts to its own month', async () => {
    const server = await addOne()
    await vote(server, '2026-11-30T23:59:58.000Z')
    await vote(server, '2026-12-01T00:00:00.010Z')
    await vote(server, '2026-11-30T23:59:59.990Z')
    expect(await countersOf(pool, server)).toEqual({ total: 3, monthly: 1, month: '2026-12' })
    expect(await archiveOf(pool, server)).toEqual({ '2026-11': 2 })
  })

  test('of many votes at the same time on both sides of it loses none', async () => {
    const server = await addOne()
    const instants = ['2026-11-30T23:59:59.999Z', '2026-12-01T00:00:00.000Z']
    await Promise.all(
      Array.from({ length: 60 }, (_, n) => {
        const fixed = createVoting({
          pool,
          votesPerAddress: 0,
          refreshSoon: async () => undefined,
          now: () => new Date(instants[n % 2] ?? ''),
          applyEffects: async () => true,
        })
        return fixed(inputOf(server))
      }),
    )
    expect(await countersOf(pool, server)).toEqual({ total: 60, monthly: 30, month: '2026-12' })
    expect(await archiveOf(pool, server)).toEqual({ '2026-11': 30 })
  })
})

describe('the reset', () => {
  test('archives the old month once, however often it runs, and counts on from nothing', async () => {
    const [voted = '', silent = ''] = await addServers(2)
    await vote(voted, '2026-11-20T12:00:00.000Z')
    await vote(voted, '2026-11-21T12:00:00.000Z')
    expect(await archiveVoteMonths(pool, { now: new Date(AFTER.getTime() - 1) })).toBe(0)
    expect(await archiveVoteMonths(pool, { now: AFTER })).toBe(1)
    expect(await archiveVoteMonths(pool, { now: AFTER })).toBe(0)
    expect(await countersOf(pool, voted)).toEqual({ total: 2, monthly: 0, month: '2026-12' })
    expect([await archiveOf(pool, voted), await archiveOf(pool, silent)]).toEqual([{ '2026-11': 2 }, {}])
    await vote(voted, '2026-12-01T00:00:00.000Z')
    expect(await countersOf(pool, voted)).toEqual({ total: 3, monthly: 1, month: '2026-12' })
  })

  test('months late, finds some servers archived by their own votes, and adds what came later', async () => {
    const [busy = '', quiet = ''] = await addServers(2)
    for (const server of [busy, quiet]) await vote(server, '2026-11-30T12:00:00.000Z')
    await vote(busy, '2026-12-15T12:00:00.000Z')
    await archiveVoteMonths(pool, { now: new Date('2027-02-10T00:00:00.000Z') })
    await vote(busy, '2026-12-31T23:59:59.999Z')
    expect(await archiveOf(pool, busy)).toEqual({ '2026-11': 1, '2026-12': 2 })
    expect(await archiveOf(pool, quiet)).toEqual({ '2026-11': 1 })
    expect(await countersOf(pool, busy)).toEqual({ total: 3, monthly: 0, month: '2027-02' })
  })

  test('killed half way, continues where it was; two at once share the work', async () => {
    const servers = await addServers(30)
    for (const server of servers) await vote(server, '2026-11-20T12:00:00.000Z')
    expect(await archiveMonths(pool, { now: AFTER, limit: 10 })).toBe(10)
    await expect(
      inTransaction(pool, async (tx) => {
        expect(await archiveMonths(tx, { now: AFTER, limit: 10 })).toBe(10)
        await tx.query('select pg_terminate_backend(pg_backend_pid())') // as when the worker dies under way
      }),
    ).rejects.toThrow()
    const shares = await Promise.all([1, 2, 3].map(() => archiveVoteMonths(pool, { now: AFTER, limit: 3 })))
    expect(shares.reduce((sum, share) => sum + share)).toBe(20)
    for (const server of servers) {
      expect(await archiveOf(pool, server)).toEqual({ '2026-11': 1 })
      expect(await countersOf(pool, server)).toEqual({ total: 1, monthly: 0, month: '2026-12' })
    }
  })

  test('among votes of the new month neither loses nor counts one twice', async () => {
    const servers = await addServers(10)
    for (const server of servers) await vote(server, '2026-11-20T12:00:00.000Z')
    now = AFTER
    await Promise.all([
      ...servers.flatMap((server) => [1, 2, 3].map(() => recordVote(inputOf(server)))),
      ...[1, 2].map(() => archiveVoteMonths(pool, { now: AFTER, limit: 2 })),
    ])
    for (const server of servers) {
      expect(await archiveOf(pool, server)).toEqual({ '2026-11': 1 })
      expect(await countersOf(pool, server)).toEqual({ total: 4, monthly: 3, month: '2026-12' })
    }
  })

  test('by the database’s clock, as the job runs it', async () => {
    const server = await addOne()
    await pool.query(
      `update server_counters set monthly_votes = 5, total_votes = 9,
         votes_month = (date_trunc('month', now() at time zone 'utc') - interval '1 month')::date
       where server_id = $1`,
      [server],
    )
    await runVotesMonth({ pool, log: testLog })
    expect(await countersOf(pool, server)).toMatchObject({ total: 9, monthly: 0 })
    expect(Object.values(await archiveOf(pool, server))).toEqual([5])
  })
})

describe('the places of a month', () => {
  test('are given by one process at a time, so that the last ones are those of the newest votes', async () => {
    const [first = '', second = ''] = await addServers(2)
    for (const server of [first, second]) await vote(server, '2026-11-20T12:00:00.000Z')
    await archiveVoteMonths(pool, { now: AFTER })
    const placesOf = async () => {
      const { rows } = await pool.query('select server_id, place from server_vote_months where is_ranked')
      return Object.fromEntries(rows.map(({ server_id, place }) => [server_id, place]))
    }
    let waiting: Promise<string[]> | undefined
    await inTransaction(pool, async (tx) => {
      await lockRanking(tx)
      waiting = rankVoteMonths(pool, AFTER)
      await expect.poll(() => countLockWaits(pool)).toBe(1)
      await vote(second, '2026-11-20T13:00:00.000Z')
      await rankMonth(tx, '2026-11-01')
    })
    expect(await waiting).toEqual(['2026-11-01'])
    expect(await placesOf()).toEqual({ [first]: 2, [second]: 1 })
  })

  test('are given although that takes longer than the usual statement may', async () => {
    const server = await addOne()
    await vote(server, '2026-11-20T12:00:00.000Z')
    await archiveVoteMonths(pool, { now: AFTER })
    const ranked = await waitBeyondLimit(database, 'table server_vote_months in share mode', (impatient) =>
      rankVoteMonths(impatient, AFTER),
    )
    expect(ranked).toEqual(['2026-11-01'])
    expect((await pool.query('select place from server_vote_months')).rows).toEqual([{ place: 1 }])
  })
})

describe('cooldowns', () => {
  test('that ended a day ago are deleted in batches, the others stay', async () => {
    const servers = await addServers(3)
    for (const server of servers)
      for (let hours = 40; hours <= 56; hours += 4)
        await pool.query(
          `insert into vote_cooldowns (server_id, visitor_id, last_voted_at)
           values ($1, $2, now() - make_interval(hours => $3))`,
          [server, `visitor-${hours}`, hours],
        )
    const left = async () =>
      (await pool.query('select visitor_id from vote_cooldowns order by server_id, visitor_id')).rows.map(
        ({ visitor_id }) => visitor_id,
      )
    expect(await clearOldCooldowns(pool, { limit: 2 })).toBe(9)
    expect(await left()).toEqual(servers.flatMap(() => ['visitor-40', 'visitor-44']))
    await runVotesUpkeep({ pool, log: testLog })
    expect(await left()).toHaveLength(6)
  })

  test('tell how many voted within the last 24 hours', async () => {
    const [busy = '', quiet = '', silent = ''] = await addServers(3)
    const at = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
    for (const [server, hours] of [
      [busy, 1],
      [busy, 23.9],
      [busy, 24.1],
      [quiet, 0],
      [silent, 25],
    ] as const)
      await vote(server, at(hours))
    expect(await findRecentVotes(pool)).toEqual(
      new Map([
        [busy, 2],
        [quiet, 1],
      ]),
    )
  })
})
