// Servers that go online and offline: endpoints and followers are notified once for each change.
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { seededRandom, startFleet } from '../../../dev/simulator/fleet.ts'
import { announceStatusChanges, type StatusChange } from '../../../src/features/events/index.ts'
import { resetStatus } from '../../../src/features/listings/listings.sql.ts'
import { notify } from '../../../src/features/notifications/index.ts'
import { applyResults, type PollResult } from '../../../src/features/polling/index.ts'
import type { Db } from '../../../src/platform/db/pool.ts'
import { inTransaction } from '../../../src/platform/db/pool.ts'
import type { Jobs } from '../../../src/platform/queue/jobs.ts'
import { createOutageGuard } from '../../../workers/polling/outage-guard.ts'
import { createPollHandler } from '../../../workers/polling/poll.handler.ts'
import { createAskServer } from '../../../workers/polling/query.ts'
import { createQueryPool } from '../../../workers/polling/query-pool.ts'
import { createTargetResolver } from '../../../workers/polling/target-address.ts'
import { emptyTables } from '../../support/database.ts'
import { addPerson } from '../../support/people.ts'
import { createTestDirectory, RULES } from '../../workers/polling/support.ts'

const directory = await createTestDirectory()
const { pool, jobs } = directory

beforeEach(async () => {
  await emptyTables(pool, 'servers', 'endpoint_deliveries', 'player_history_pending', 'player_history_recent')
  await pool.query(`delete from pgboss.job where name in ('webhook', 'notify')`)
})

const announce = (tx: Db, changes: StatusChange[]) => announceStatusChanges(tx, jobs, changes)

async function addEndpoint(serverId: string, events = '{server.online,server.offline}'): Promise<void> {
  await pool.query(
    `insert into endpoints (id, server_id, url, events, secret) values ($1, $1, 'https://a.example/', $2, '')`,
    [serverId, events],
  )
}

async function addOwner(serverIds: string[]): Promise<void> {
  const { id } = await addPerson(pool)
  await pool.query('update servers set owner_id = $1 where id = any($2::uuid[])', [id, serverIds])
}

interface Delivered {
  type: string
  timestamp: string
  data: Record<string, unknown>
}

async function delivered(): Promise<Delivered[]> {
  const { rows } = await pool.query<{ body: string }>('select body from endpoint_deliveries order by number')
  return rows.map(({ body }) => JSON.parse(body) as Delivered)
}

async function notices(): Promise<{ event: string; serverId: string; at: string; data: object }[]> {
  const { rows } = await pool.query<{ data: { event: string; serverId: string; at: string; data: object } }>(
    `select data from pgboss.job where name = 'notify' order by created_on`,
  )
  return rows.map(({ data }) => data)
}

const count = async (table: string) =>
  (await pool.query<{ count: number }>(`select count(*) from ${table}`)).rows[0]?.count ?? 0

function createPoller() {
  const queries = createQueryPool({ concurrency: 50, spacingMs: 5 })
  onTestFinished(() => queries.close())
  const handle = createPollHandler({
    ...directory,
    log: { debug() {}, warn() {}, info() {}, error() {} } as never,
    rules: RULES,
    guard: createOutageGuard({ intervalMs: RULES.intervalSeconds * 1000 }),
    ask: createAskServer({
      pool: queries,
      resolve: createTargetResolver({ allowPrivate: true }),
      tries: { online: [150, 250, 400], offline: [150, 300] },
    }),
  })
  return {
    handle,
    async cycle() {
      for (const batch of await directory.takeBatches()) await handle(batch)
    },
  }
}

describe('a server that is polled', () => {
  it('is announced when it goes online, offline after three silent cycles, and online again, but not in between', async () => {
    const fleet = await startFleet({
      count: 12,
      first: 860_000,
      each: (index) => ({ info: { name: `Server ${index}`, players: 3, maxPlayers: 40 }, random: seededRandom(index) }),
    })
    onTestFinished(() => fleet.close())
    const ids = await directory.list(fleet.servers)
    const [watched] = fleet.servers
    const id = ids[0] ?? ''
    if (!watched) throw new Error('no server')
    await addEndpoint(id)
    await addOwner([id])
    const poller = createPoller()
    const types = async () => (await delivered()).map(({ type }) => type)

    await poller.cycle()
    expect(await types()).toEqual(['server.online'])
    await poller.cycle()
    watched.faults.silent = true
    await poller.cycle()
    await poller.cycle()
    expect(await types()).toEqual(['server.online'])
    await poller.cycle()
    expect(await types()).toEqual(['server.online', 'server.offline'])
    await poller.cycle()
    watched.faults.silent = false
    await poller.cycle()

    const events = await delivered()
    expect(events.map(({ type }) => type)).toEqual(['server.online', 'server.offline', 'server.online'])
    const [came, went] = events
    expect(came?.data).toEqual({
      serverId: id,
      serverName: 'Server 0',
      isOnline: true,
      currentPlayers: 3,
      maxPlayers: 40,
      map: watched.info.map,
      at: came?.timestamp,
    })
    expect(went?.data).toMatchObject({ isOnline: false, currentPlayers: 0, map: watched.info.map })
    const news = await notices()
    expect(news.map(({ event, serverId, at }) => ({ event, serverId, at }))).toEqual(
      events.map(({ timestamp }, n) => ({
        event: n === 1 ? 'serverOffline' : 'serverOnline',
        serverId: id,
        at: timestamp,
      })),
    )
    // The other eleven went online, too, but have no followers.
    expect(await count('endpoint_deliveries')).toBe(3)
  })

  it('is not announced when its listing moves to where it answers, and as offline, once, when it moves to where nothing does', async () => {
    const fleet = await startFleet({ count: 1, first: 862_000 })
    onTestFinished(() => fleet.close())
    const [id = ''] = await directory.list(fleet.servers)
    const [watched] = fleet.servers
    if (!watched) throw new Error('no server')
    await addEndpoint(id)
    const poller = createPoller()
    const types = async () => (await delivered()).map(({ type }) => type)
    await poller.cycle()
    await resetStatus(pool, id)
    await poller.cycle()
    await poller.cycle()
    expect(await types()).toEqual(['server.online'])

    watched.faults.silent = true
    await resetStatus(pool, id)
    for (let n = 0; n < 2; n++) await poller.cycle()
    await resetStatus(pool, id) // moved again meanwhile
    for (let n = 0; n < 2; n++) await poller.cycle()
    expect(await types()).toEqual(['server.online'])
    for (let n = 0; n < 2; n++) await poller.cycle()
    expect(await types()).toEqual(['server.online', 'server.offline'])

    await resetStatus(pool, id) // offline servers may move, too
    for (let n = 0; n < 4; n++) await poller.cycle()
    expect(await types()).toEqual(['server.online', 'server.offline'])
    watched.faults.silent = false
    await poller.cycle()
    expect(await types()).toEqual(['server.online', 'server.offline', 'server.online'])
  })

  it('is announced once when its batch is handled twice at once and again', async () => {
    const fleet = await startFleet({ count: 3, first: 861_000 })
    onTestFinished(() => fleet.close())
    for (const id of await directory.list(fleet.servers)) await addEndpoint(id)
    const { handle } = createPoller()
    const batches = await directory.takeBatches()
    await Promise.all([...batches, ...batches].map((batch) => handle(batch)))
    for (const batch of batches) await handle(batch)
    expect((await delivered()).map(({ type }) => type)).toEqual(Array(3).fill('server.online'))
    expect(await count(`pgboss.job where name = 'webhook'`)).toBe(3)
  })
})

const answer = (serverId: string, cycle: number): PollResult => ({
  serverId,
  cycle,
  answered: true,
  players: 1,
  bots: 0,
  hasPassword: null,
  maxPlayers: 10,
  map: 'TheIsland',
  version: '1',
})

const PLACES = Array.from({ length: 2_000 }, (_, n) => ({ address: `10.${n >> 8}.${n & 255}.1`, port: 7_777 }))

describe('results that change a status', () => {
  it('store nothing when their transaction fails, and are announced once when they are written', async () => {
    const [id = ''] = await directory.list(PLACES.slice(0, 1))
    await addEndpoint(id)
    await addOwner([id])
    await directory.takeBatches()
    const write = (fails: boolean) =>
      applyResults({ ...directory, jobs: fails ? killing : jobs }, [answer(id, 1)], RULES)
    /** Ends the transaction after the last of its writes. */
    const killing: Jobs = {
      ...jobs,
      async enqueue(db, contract, payloads, options) {
        await jobs.enqueue(db, contract, payloads, options)
        if (contract.queue === notify.queue) throw new Error('the worker was killed')
      },
    }
    await expect(write(true)).rejects.toThrow('killed')
    expect(await directory.status(id)).toMatchObject({ isOnline: false })
    expect([await count('endpoint_deliveries'), (await notices()).length]).toEqual([0, 0])
    await Promise.all([write(false), write(false), write(false)])
    await write(false)
    expect([await count('endpoint_deliveries'), (await notices()).length]).toEqual([1, 1])
  })

  it('cost a few statements for any number of servers, and none without a change', async () => {
    const ids = await directory.list(PLACES)
    for (const id of ids.slice(0, 3)) await addEndpoint(id)
    await addEndpoint(ids[3] ?? '', '{vote.created}')
    await addOwner(ids.slice(2, 5))
    const changes = ids.map((serverId) => ({
      serverId,
      isOnline: true,
      players: 1,
      maxPlayers: 10,
      appliedAt: new Date(),
    }))
    let statements = 0
    await inTransaction(pool, async (tx) => {
      const counting = {
        query: (...args: unknown[]) => {
          statements++
          return (tx.query as (...args: unknown[]) => unknown)(...args)
        },
      } as Db
      await announceStatusChanges(counting, jobs, [])
      expect(statements).toBe(0)
      await announceStatusChanges(counting, jobs, changes)
    })
    expect(statements).toBeLessThanOrEqual(10)
    expect((await delivered()).map(({ data }) => data.serverId).sort()).toEqual(ids.slice(0, 3).sort())
    expect((await notices()).map(({ serverId }) => serverId).sort()).toEqual(ids.slice(2, 5).sort())
  })

  it('wait for their commit, as the database is configured, only when they are announced', async () => {
    const [followed = '', other = ''] = await directory.list(PLACES.slice(0, 2))
    await addEndpoint(followed)
    const { rows: settings } = await pool.query<{ synchronous_commit: string }>('show synchronous_commit')
    const usual = settings[0]?.synchronous_commit
    for (const [serverId, waits] of [
      [other, 'local'],
      [followed, usual],
    ] as const)
      await inTransaction(pool, async (tx) => {
        await tx.query('set local synchronous_commit = local')
        await announce(tx, [{ serverId, isOnline: true, players: 0, maxPlayers: 0, appliedAt: new Date() }])
        const { rows } = await tx.query<{ synchronous_commit: string }>('show synchronous_commit')
        expect(rows[0]?.synchronous_commit).toBe(waits)
      })
  })

  it('reach subscribers of a server without an owner', async () => {
    const [id = ''] = await directory.list(PLACES.slice(0, 1))
    const { id: userId } = await addPerson(pool)
    await pool.query(
      `insert into server_subscriptions (user_id, server_id, events) values ($1, $2, '{serverOnline}')`,
      [userId, id],
    )
    await inTransaction(pool, (tx) =>
      announce(tx, [{ serverId: id, isOnline: false, players: 0, maxPlayers: 0, appliedAt: new Date() }]),
    )
    expect(await notices()).toMatchObject([{ event: 'serverOffline', serverId: id, data: { serverName: 'Server 0' } }])
  })
})
