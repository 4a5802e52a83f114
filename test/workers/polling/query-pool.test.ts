// Concurrency limits of the query pool, measured at the remote end.
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { startFleet } from '../../../dev/simulator/fleet.ts'
import { type SimulatedServer, startSimulatedServer } from '../../../dev/simulator/server.ts'
import { createAskServer } from '../../../workers/polling/query.ts'
import { createQueryPool, type QueryPool, type QueryPoolOptions } from '../../../workers/polling/query-pool.ts'
import { createTargetResolver } from '../../../workers/polling/target-address.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

function openPool(options: QueryPoolOptions): { pool: QueryPool; ask: (server: SimulatedServer) => Promise<boolean> } {
  const pool = createQueryPool(options)
  closing.push(() => pool.close())
  const askServer = createAskServer({ pool, resolve: createTargetResolver({ allowPrivate: true }) })
  return {
    pool,
    ask: async ({ address, port }) => {
      const outcome = await askServer({ game: 'protocol-valve', ipAddress: address, queryPort: port, isOnline: true })
      return outcome.answered
    },
  }
}

/** Counts simultaneous queries to these servers, from a query's first request to its last reply. */
function watch(servers: SimulatedServer[], delayMs: number) {
  const seen = { now: 0, most: 0, starts: [] as number[] }
  for (const server of servers) {
    server.faults.delayMs = delayMs
    let requests = 0
    server.onRequest = () => {
      // A Source query is two requests: challenge and info.
      if (++requests % 2) {
        seen.most = Math.max(seen.most, ++seen.now)
        seen.starts.push(performance.now())
      } else setTimeout(() => seen.now--, delayMs - 5)
    }
  }
  return seen
}

/** Queries of servers that do not answer: the first attempt fails, and the next one lasts until `end`. */
const runSilent = (pool: QueryPool, count: number, end: Promise<void>) =>
  Array.from({ length: count }, (_, n) =>
    pool.run(`silent ${n}`, async (lend) => {
      await lend(() => Promise.reject(new Error('timed out'))).catch(() => {})
      await end
    }),
  )

describe('the query pool', () => {
  it('queries at most two servers at once at one address, with a pause in between', async () => {
    const servers = await Promise.all(Array.from({ length: 24 }, () => startSimulatedServer({ address: '127.80.0.1' })))
    closing.push(() => Promise.all(servers.map((server) => server.close())))
    const seen = watch(servers, 20)
    const { ask } = openPool({ concurrency: 100, spacingMs: 20 })
    const answers = await Promise.all(servers.map(ask))
    expect(answers).not.toContain(false)
    expect(seen.most).toBe(2)
    // Two at a time, each 40 ms of answers and 20 ms of pause.
    expect((seen.starts.at(-1) ?? 0) - (seen.starts[0] ?? 0)).toBeGreaterThan(11 * 55)
  })

  it('does not let many servers at one address delay the others', async () => {
    const crowd = await Promise.all(Array.from({ length: 40 }, () => startSimulatedServer({ address: '127.80.0.2' })))
    const others = await startFleet({ count: 40, first: 800_000 })
    closing.push(() => Promise.all(crowd.map((server) => server.close())), others.close)
    for (const server of crowd) server.faults.delayMs = 30
    const { ask } = openPool({ concurrency: 10 })
    const order: string[] = []
    await Promise.all(
      [...crowd.map((server) => ['crowd', server] as const), ...others.servers.map((s) => ['other', s] as const)].map(
        async ([who, server]) => {
          await ask(server)
          order.push(who)
        },
      ),
    )
    expect(order.lastIndexOf('other')).toBeLessThan(60)
    expect(order.slice(-20)).toEqual(Array(20).fill('crowd'))
  })

  it('uses all slots for slow servers, and few for those that answer at once', async () => {
    const { pool } = openPool({ concurrency: 200 })
    let most = 0
    const answerAtOnce = async () => {
      most = Math.max(most, pool.inFlight)
      await setImmediate()
    }
    await Promise.all(Array.from({ length: 1_000 }, (_, n) => pool.run(`fast ${n}`, answerAtOnce)))
    expect(most).toBeLessThan(50)

    const { promise, resolve } = Promise.withResolvers<void>()
    const all = Promise.all(Array.from({ length: 250 }, (_, n) => pool.run(`slow ${n}`, () => promise)))
    await expect.poll(() => pool.inFlight).toBe(200)
    expect(pool.ready).toBe(50)
    resolve()
    await all
  })

  it('never exceeds its concurrency, and reports when it can take more', async () => {
    const { servers, close } = await startFleet({ count: 60, first: 801_000 })
    closing.push(close)
    const seen = watch(servers, 20)
    let idle = 0
    const { pool, ask } = openPool({ concurrency: 7, onIdle: () => idle++ })
    const all = Promise.all(servers.map(ask))
    expect(pool.inFlight + pool.ready).toBeLessThanOrEqual(60)
    idle = 0
    await all
    expect(seen.most).toBeLessThanOrEqual(7)
    expect(idle).toBeGreaterThan(0)
    expect([pool.inFlight, pool.ready]).toEqual([0, 0])
  })

  it('gives the slot of a query whose attempt failed to another, up to four for each slot', async () => {
    const { pool } = openPool({ concurrency: 2 })
    const { promise, resolve } = Promise.withResolvers<void>()
    const silent = runSilent(pool, 20, promise)
    await expect.poll(() => [pool.inFlight, pool.slotsTaken, pool.ready]).toEqual([10, 2, 10])
    resolve()
    await Promise.all(silent)
    expect([pool.inFlight, pool.slotsTaken, pool.ready]).toEqual([0, 0, 0])
  })

  it('lets servers that answer pass those that are silent', async () => {
    const { pool } = openPool({ concurrency: 2 })
    const { promise, resolve } = Promise.withResolvers<void>()
    const silent = runSilent(pool, 8, promise)
    expect(await pool.run('answering', (lend) => lend(async () => 'an answer'))).toBe('an answer')
    resolve()
    await Promise.all(silent)
  })

  it('refuses queries that the others at their address would let wait too long, and no others', async () => {
    const { pool } = openPool({ concurrency: 100, spacingMs: 0, maxWaitMs: 500 })
    const lasting = (ms: number) => () => sleep(ms, 'done')
    const fast = Array.from({ length: 60 }, () => pool.run('fast', lasting(1)))
    const slow = Array.from({ length: 60 }, () => pool.run('slow', lasting(100)))
    const ran = (await Promise.all(slow)).filter((result) => result === 'done').length
    expect(ran).toBeGreaterThanOrEqual(4)
    expect(ran).toBeLessThanOrEqual(14)
    expect(await Promise.all(fast)).toEqual(Array(60).fill('done'))
    expect(await pool.run('slow', lasting(1))).toBe('done')
    expect([pool.inFlight, pool.ready]).toEqual([0, 0])
  })

  it('still gives waiting queries their slots after it was closed', async () => {
    const pool = createQueryPool({ concurrency: 1 })
    const waiting = Array.from({ length: 40 }, (_, n) => pool.run(`waiting ${n}`, async () => n))
    pool.close()
    expect(await Promise.all(waiting)).toHaveLength(40)
  })

  it('frees its slot when a query throws', async () => {
    const pool = createQueryPool({ concurrency: 1 })
    closing.push(() => pool.close())
    const failing = () => pool.run('127.80.0.3', () => Promise.reject(new Error('gone wrong')))
    await expect(failing()).rejects.toThrow('gone wrong')
    await expect(failing()).rejects.toThrow('gone wrong')
    expect(await pool.run('127.80.0.3', async () => 'fine')).toBe('fine')
  })
})
