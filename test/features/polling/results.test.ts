// How a poll's result changes a server's status, history and next poll.
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startClaim } from '../../../src/features/claims/index.ts'
import {
  applyResults,
  loadBatch,
  type PollBatch,
  type PollResult,
  poll,
  rescheduleUnpolled,
} from '../../../src/features/polling/index.ts'
import { inTransaction } from '../../../src/platform/db/pool.ts'
import { emptyTables } from '../../support/database.ts'
import { addPerson } from '../../support/people.ts'
import { storedSamples } from '../../support/stored-samples.ts'
import { createTestDirectory, RULES, type TestDirectory } from '../../workers/polling/support.ts'

const ANSWER = {
  answered: true,
  players: 12,
  bots: 0,
  maxPlayers: 70,
  map: 'TheIsland',
  version: '361.7',
  hasPassword: null,
} as const
const MISS = { answered: false } as const

let directory: TestDirectory

beforeAll(async () => {
  directory = await createTestDirectory()
})

afterEach(async () => {
  await emptyTables(directory.pool, 'servers', 'player_history_pending', 'player_history_recent')
  await directory.jobs.boss.deleteAllJobs(poll.queue)
})

async function listOne(): Promise<string> {
  const [id] = await directory.list([{ address: '10.1.0.1', port: 27015 }])
  return id as string
}

/** Claims everything and writes one outcome for all. */
async function cycle(
  outcome: (typeof ANSWER | typeof MISS) & { country?: string; queryMs?: number; isUnclaimed?: boolean },
): Promise<PollResult[]> {
  const [batch] = (await directory.takeBatches()) as [PollBatch]
  const results = batch.servers.map((server): PollResult => ({ ...server, ...outcome }))
  await applyResults(directory, results, RULES)
  return results
}

describe('an answer', () => {
  it('shows the server online with its data, and the next poll is due after an interval', async () => {
    const id = await listOne()
    await cycle(ANSWER)
    const status = await directory.status(id)
    expect(status).toMatchObject({
      isOnline: true,
      currentPlayers: 12,
      maxPlayers: 70,
      map: 'TheIsland',
      version: '361.7',
      consecutiveFailures: 0,
      appliedCycle: 1,
      samples: 1,
    })
    expect(status.dueIn).toBeGreaterThan(50)
    expect(status.dueIn).toBeLessThanOrEqual(66)
  })

  it('has the round trip of the last answer, also after a failure', async () => {
    const id = await listOne()
    const stored: unknown[] = []
    for (const outcome of [{ ...ANSWER, queryMs: 41 }, MISS, { ...ANSWER, queryMs: 0 }]) {
      await directory.pool.query('update server_polls set next_poll_at = now()')
      await cycle(outcome)
      const { rows } = await directory.pool.query('select query_ms from server_status where server_id = $1', [id])
      stored.push(rows[0]?.query_ms)
    }
    expect(stored).toEqual([41, 41, 0])
  })

  it('has the country of the address; one without a country keeps what is stored, and a failure stores it too', async () => {
    const id = await listOne()
    const country = async () =>
      (await directory.pool.query('select country from server_status where server_id = $1', [id])).rows[0]?.country
    expect(await country()).toBe('')
    const stored: string[] = []
    for (const outcome of [
      { ...ANSWER, country: 'DE' },
      ANSWER,
      { ...MISS, country: 'FR' },
      { ...ANSWER, country: '' },
    ]) {
      await directory.pool.query('update server_polls set next_poll_at = now()')
      await cycle(outcome)
      stored.push(await country())
    }
    expect(stored).toEqual(['DE', 'DE', 'FR', ''])
  })

  it('is fresh until two intervals after the next poll is due', async () => {
    await listOne()
    await cycle(ANSWER)
    const { rows } = await directory.pool.query<{ grace: number }>(
      'select extract(epoch from fresh_until - next_poll_at)::float8 as grace from server_status join server_polls using (server_id)',
    )
    expect(rows[0]?.grace).toBeCloseTo(120, 1)
  })

  it('notifies the directory once for a batch', async () => {
    await directory.list(Array.from({ length: 50 }, (_, n) => ({ address: `10.1.0.${n}`, port: 27015 })))
    const listener = await directory.pool.connect()
    let notifications = 0
    listener.on('notification', () => notifications++)
    await listener.query('listen directory_changed')
    await cycle(ANSWER)
    await expect.poll(() => notifications).toBe(1)
    listener.release(true)
  })
})

describe('failures', () => {
  it('take a server offline with the third in a row, and keep its map and version', async () => {
    const id = await listOne()
    await cycle(ANSWER)
    for (const failures of [1, 2]) {
      await cycle(MISS)
      expect(await directory.status(id)).toMatchObject({
        isOnline: true,
        currentPlayers: 12,
        consecutiveFailures: failures,
      })
    }
    await cycle(MISS)
    expect(await directory.status(id)).toMatchObject({
      isOnline: false,
      currentPlayers: 0,
      maxPlayers: 70,
      map: 'TheIsland',
      version: '361.7',
      consecutiveFailures: 3,
    })
    await cycle(ANSWER)
    expect(await directory.status(id)).toMatchObject({ isOnline: true, currentPlayers: 12, consecutiveFailures: 0 })
  })

  it('start at zero after an answer', async () => {
    const id = await listOne()
    for (const outcome of [ANSWER, MISS, MISS, ANSWER, MISS, MISS]) await cycle(outcome)
    expect(await directory.status(id)).toMatchObject({ isOnline: true, consecutiveFailures: 2 })
  })

  it('are followed by a quick poll while the server is still shown online', async () => {
    const id = await listOne()
    await cycle(ANSWER)
    for (const _ of [1, 2]) {
      await cycle(MISS)
      const { dueIn } = await directory.status(id)
      expect(dueIn).toBeGreaterThan(3)
      expect(dueIn).toBeLessThanOrEqual(6)
    }
  })

  it('of an unclaimed server are followed by a poll after the interval, since its owner asked for none', async () => {
    const id = await listOne()
    await cycle(ANSWER)
    await cycle({ ...MISS, isUnclaimed: true })
    const { dueIn, isOnline } = await directory.status(id)
    expect(isOnline).toBe(true)
    expect(dueIn).toBeGreaterThan(58)
    expect(dueIn).toBeLessThanOrEqual(90)
  })

  it('make polls rarer from the third on: up to fifteen minutes, never more often than configured', async () => {
    const id = await listOne()
    await cycle(ANSWER)
    await cycle(MISS)
    await cycle(MISS)
    const waits: number[] = []
    for (let n = 3; n < 12; n++) {
      await cycle(MISS)
      waits.push((await directory.status(id)).dueIn)
    }
    const expected = [60, 120, 240, 480, 900, 900, 900, 900, 900]
    for (const [n, wait] of waits.entries()) {
      const nominal = expected[n] ?? 0
      expect(wait).toBeGreaterThan(n === 0 ? 59 : nominal * 0.89)
      expect(wait).toBeLessThanOrEqual(Math.min(900, nominal * 1.11))
    }
  })

  it('of a server that never answered change only their count', async () => {
    const id = await listOne()
    await cycle(MISS)
    const status = await directory.status(id)
    expect(status).toMatchObject({ isOnline: false, currentPlayers: 0, consecutiveFailures: 1, map: '', samples: 1 })
    expect(status.dueIn).toBeGreaterThan(55)
  })

  it('leave a gap in the history, not a zero', async () => {
    await listOne()
    await cycle(ANSWER)
    await cycle(MISS)
    expect(await storedSamples(directory.pool)).toMatchObject([
      { players: 12, maxPlayers: 70 },
      { players: null, maxPlayers: 70 },
    ])
  })
})

describe('results that arrive twice', () => {
  it('are applied once', async () => {
    const id = await listOne()
    await cycle(ANSWER)
    const results = await cycle(MISS)
    expect(await applyResults(directory, results, RULES)).toEqual([])
    expect(await directory.status(id)).toMatchObject({ consecutiveFailures: 1, samples: 2 })
  })

  it('are applied once when they arrive at the same time', async () => {
    const ids = await directory.list(Array.from({ length: 200 }, (_, n) => ({ address: `10.1.0.${n}`, port: 27015 })))
    const [batch] = (await directory.takeBatches()) as [PollBatch]
    const results = batch.servers.map((server): PollResult => ({ ...server, ...MISS }))
    const applied = await Promise.all(
      [results, results.toReversed(), results].map((same) => applyResults(directory, same, RULES)),
    )
    expect(applied.flat()).toHaveLength(200)
    expect(await directory.count('consecutive_failures = 1')).toBe(200)
    expect((await directory.status(ids[0] as string)).samples).toBe(1)
  })

  it('from an older cycle change nothing', async () => {
    const id = await listOne()
    const [old] = (await directory.takeBatches()) as [PollBatch]
    await cycle(ANSWER)
    const late = old.servers.map((server): PollResult => ({ ...server, ...MISS }))
    expect(await applyResults(directory, late, RULES)).toEqual([])
    expect(await directory.status(id)).toMatchObject({ isOnline: true, appliedCycle: 2, samples: 1 })
  })
})

describe('results', () => {
  it('of a server deleted since are dropped', async () => {
    const id = await listOne()
    const [batch] = (await directory.takeBatches()) as [PollBatch]
    await directory.pool.query('delete from server_polls where server_id = $1', [id])
    const results = batch.servers.map((server): PollResult => ({ ...server, ...ANSWER }))
    expect(await applyResults(directory, results, RULES)).toEqual([])
  })
})

describe('a postponed poll', () => {
  it('is due again soon and changes nothing, unless its next cycle has begun', async () => {
    const id = await listOne()
    await cycle(ANSWER)
    const [first] = (await directory.takeBatches()) as [PollBatch]
    await rescheduleUnpolled(directory.pool, first.servers, 5)
    expect((await directory.status(id)).dueIn).toBeLessThan(10)
    await directory.takeBatches()
    await rescheduleUnpolled(directory.pool, first.servers, 0)
    expect(await directory.status(id)).toMatchObject({ isOnline: true, consecutiveFailures: 0, samples: 1 })
    expect((await directory.status(id)).dueIn).toBeGreaterThan(50)
  })
})

describe('the check of a claim', () => {
  it.each([
    { editions: undefined, hasAnswered: true },
    { editions: { java: true, bedrock: false }, hasAnswered: true },
    { editions: { java: false, bedrock: true }, hasAnswered: false },
  ])('is of the address of the listing: $editions', async ({ editions, hasAnswered }) => {
    const { pool } = directory
    const serverId = await listOne()
    const { id: userId } = await addPerson(pool)
    await inTransaction(pool, (tx) => startClaim(tx, { serverId, userId }))
    const [batch] = (await directory.takeBatches()) as [PollBatch]
    const { tokens } = await loadBatch(pool, batch)
    const results = batch.servers.map((server) => ({ ...server, ...ANSWER, ...(editions && { editions }) }))
    await applyResults(directory, results, RULES, tokens)
    const { rows } = await pool.query('select server_answered from server_claims where server_id = $1', [serverId])
    expect(rows).toEqual([{ server_answered: hasAnswered }])
  })
})
