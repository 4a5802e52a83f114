// Servers announce themselves, as Luanti servers do and as every other: listed once they answer, and only
// at their own address.
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { startSimulatedServer } from '../../../dev/simulator/server.ts'
import {
  announcement,
  beginAnnouncementQuery,
  findAnnounced,
  recordAnnouncementQuery,
  runDiscoveryUpkeep,
} from '../../../src/features/discovery/index.ts'
import { applyResults, pollRules } from '../../../src/features/polling/index.ts'
import { createServers, deleteServer, setHidden } from '../../../src/features/servers/index.ts'
import { openWorkerJobs } from '../../../src/platform/queue/jobs.ts'
import { createDiscoverer } from '../../../workers/discovery/discovery.handler.ts'
import { listsOf } from '../../../workers/polling/announced-lists.ts'
import { readServerList } from '../../../workers/polling/list-formats.ts'
import { createPublicLists } from '../../../workers/polling/public-lists.ts'
import { createAskServer } from '../../../workers/polling/query.ts'
import { createQueryPool } from '../../../workers/polling/query-pool.ts'
import { resolverFor } from '../../../workers/polling/target-address.ts'
import { startWorker } from '../../../workers/worker.ts'
import { startTestApi } from '../../support/api.ts'
import { atFileEnd } from '../../support/at-file-end.ts'
import { emptyTables, testLog } from '../../support/database.ts'
import { addPerson } from '../../support/people.ts'
import { luantiServer } from '../../workers/polling/luanti-server.ts'
import { callerOf } from '../servers/support.ts'

// Requests come from the address that a proxy reports, so that a test has many.
const SETTINGS = { DISCOVER: 'announcements', TRUST_PROXY: '1' }
const api = await startTestApi({ settings: SETTINGS })
const { pool } = api.database
const discoverer = createDiscoverer(api.deps)
atFileEnd(() => discoverer.close())

const HERE = '127.84.30.1'
const ELSEWHERE = '127.84.30.2'
const { signal } = new AbortController()

interface Reply {
  status: number
  text: string
}

/** @param from the sender's address */
async function send(path: string, body: BodyInit, from: string, headers: Record<string, string> = {}): Promise<Reply> {
  const response = await fetch(api.url + path, {
    method: 'POST',
    headers: { 'x-forwarded-for': from, ...headers },
    body,
  })
  return { status: response.status, text: await response.text() }
}

async function announce(fields: object, from = HERE): Promise<Reply> {
  const headers = { 'x-forwarded-for': from, 'content-type': 'application/json' }
  const response = await api.request('/api/announce', { method: 'POST', headers, body: JSON.stringify(fields) })
  return { status: response.status, text: await response.text() }
}

/** As a Luanti server sends it. */
function announceLuanti(fields: object, from = HERE): Promise<Reply> {
  const form = new FormData()
  const { name = 'Real', ...others } = fields as { name?: string }
  const given = { action: 'start', name, clients: 2, clients_max: 13, gameid: 'minetest', uptime: 0, ...others }
  form.set('json', JSON.stringify(given))
  return send('/announce', form, from)
}

/** Runs the jobs that wait, also those that are due later. @returns how many */
async function work(): Promise<number> {
  await pool.query(`update pgboss.job set start_after = now() where name = 'announcement' and state = 'created'`)
  const jobs = await api.deps.jobs.boss.fetch<{ address: string; queryPort: number }>(announcement.queue, {
    batchSize: 500,
  })
  await Promise.all(jobs.map(({ data }) => discoverer.check(data, signal)))
  if (jobs.length)
    await api.deps.jobs.boss.complete(
      announcement.queue,
      jobs.map(({ id }) => id),
    )
  return jobs.length
}

const listed = async () =>
  (
    await pool.query<{ id: string; host: string; port: number; name: string; source: string }>(
      `select id, ip_address as host, query_port as port, name, source from servers
       where deleted_at is null order by ip_address, query_port`,
    )
  ).rows

const refusals = async () =>
  (
    await pool.query<{ refusal: string | null }>('select refusal from announcements order by address, query_port')
  ).rows.map(({ refusal }) => refusal)

async function begin(queryPort: number) {
  const begun = await beginAnnouncementQuery(pool, { address: HERE, queryPort })
  if (!begun) throw new Error('nothing is announced there')
  return begun
}

async function simulatedServer(address = HERE) {
  const server = await startSimulatedServer({ address })
  onTestFinished(() => server.close())
  return { game: 'rust', gamePort: server.port, queryPort: server.port }
}

beforeEach(async () => {
  await emptyTables(pool, 'servers', 'announcements', 'discovery_blocks')
  await pool.query(`delete from pgboss.job where name = 'announcement'`)
})

describe('a server that announces itself', () => {
  it('is listed without an owner once it answers', async () => {
    const server = await simulatedServer()
    expect(await announce({ ...server, name: 'By itself' })).toMatchObject({ status: 202 })
    expect(await listed()).toEqual([])
    expect(await work()).toBe(1)
    expect(await listed()).toMatchObject([
      { host: HERE, port: server.queryPort, name: 'By itself', source: 'announcements' },
    ])
    expect(await announce(server)).toMatchObject({ status: 202 })
    expect(await work()).toBe(0)
  })

  it('is not listed while it does not answer, and asked once a minute at most', async () => {
    await announce({ game: 'rust', gamePort: 9, queryPort: 9 })
    await work()
    expect([await listed(), await refusals()]).toEqual([[], ['silent']])
    for (const _ of [1, 2, 3]) await announce({ game: 'rust', gamePort: 9, queryPort: 9 })
    const { rows } = await pool.query<{ seconds: number }>(
      `select extract(epoch from start_after - now())::float8 as seconds from pgboss.job
       where name = 'announcement' and state = 'created'`,
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]?.seconds).toBeGreaterThan(30)
  })

  it('leaves when it says that it stops, and returns with its votes when it starts again', async () => {
    const server = await simulatedServer()
    await announce(server)
    await work()
    const before = await listed()
    await pool.query('update server_counters set total_votes = 7')
    await announce({ ...server, action: 'delete' }, ELSEWHERE)
    expect(await listed()).toEqual(before)
    await announce({ ...server, action: 'delete' })
    expect(await listed()).toEqual([])
    await announce({ ...server, action: 'start' })
    await work()
    expect(await listed()).toEqual(before)
    expect((await pool.query('select total_votes from server_counters')).rows).toEqual([{ total_votes: 7 }])
  })

  it('is offline when it returns, until a poll, whatever it was when it left; then nothing is announced', async () => {
    const server = await simulatedServer()
    await announce(server)
    await work()
    await pool.query(
      `update server_status set is_online = true, current_players = 40, max_players = 50, map = 'Old', last_polled_at = now() - interval '30 days'`,
    )
    await announce({ ...server, action: 'delete' })
    await announce({ ...server, action: 'start' })
    await work()
    await api.directory.refresh()
    const [{ id: serverId } = { id: '' }] = await listed()
    const shown = await (await api.request(`/api/public/servers/${serverId}`)).json()
    expect(shown).toMatchObject({ isOnline: false, currentPlayers: 0 })
    const { rows } = await pool.query<{ cycle: number }>('update server_polls set cycle = cycle + 1 returning cycle')
    const answer = { players: 3, bots: 0, maxPlayers: 50, map: 'New', version: '', hasPassword: null }
    const result = { serverId, cycle: rows[0]?.cycle ?? 0, answered: true, ...answer } as const
    expect(await applyResults(api.deps, [result], pollRules(api.deps.settings))).toMatchObject([
      { isOnline: true, players: 3, statusChanged: false },
    ])
  })

  it('stays gone if it says so while it is queried', async () => {
    const server = await simulatedServer()
    await announce(server)
    const [job] = await api.deps.jobs.boss.fetch<{ address: string; queryPort: number }>(announcement.queue)
    const checking = discoverer.check(job?.data ?? { address: '', queryPort: 0 }, signal)
    await expect
      .poll(async () => (await pool.query('select from announcements where checked_at is not null')).rowCount)
      .toBe(1)
    await announce({ ...server, action: 'delete' })
    await checking
    expect(await listed()).toEqual([])
  })

  it('keeps what people own, also if it says that it stops', async () => {
    const server = await simulatedServer()
    await announce(server)
    await work()
    const owner = await addPerson(pool)
    await pool.query('update servers set owner_id = $1', [owner.id])
    await announce({ ...server, action: 'delete' })
    expect(await listed()).toHaveLength(1)
  })

  it('is not listed again if a person lists or removed it, or an administrator blocks it', async () => {
    const server = await simulatedServer()
    const servers = createServers({ pool })
    const byHand = await servers.add({ name: 'By hand', ipAddress: HERE, ...server })
    await announce(server)
    await work()
    expect(await listed()).toMatchObject([{ source: null }])
    await deleteServer(pool, byHand.id)
    for (const block of [
      `insert into discovery_blocks (id, network) values (gen_random_uuid(), '127.84.30.0/24')`,
      '',
    ]) {
      await emptyTables(pool, 'announcements', 'discovery_blocks')
      await pool.query(block)
      await announce(server)
      await work()
      expect([await listed(), await refusals()]).toEqual([[], [block ? 'blocked' : 'removed']])
    }
  })

  it('is not listed again after its owner has removed a listing by name that the worker still knows', async () => {
    // No other test has this game, whose names the worker keeps for minutes.
    const server = { ...(await simulatedServer('127.0.0.1')), game: 'garrysmod' }
    const byName = await createServers({ pool }).add({ name: 'By name', ipAddress: 'localhost', ...server })
    await announce({ ...server, gamePort: 9, queryPort: 9 }, '127.0.0.1')
    await work() // from here on it knows the names of this game's listings
    await deleteServer(pool, byName.id)
    await announce(server, '127.0.0.1')
    await work()
    expect(await listed()).toEqual([])
    expect(await refusals()).toEqual(['silent', 'removed'])
  })

  it('has a name that leads to its address, or is refused', async () => {
    const server = await simulatedServer('127.0.0.1')
    await announce({ ...server, ipAddress: 'LocalHost' }, '127.0.0.1')
    await announce({ ...server, ipAddress: 'localhost' }, ELSEWHERE)
    await work()
    expect(await listed()).toMatchObject([{ host: 'localhost' }])
    expect(await refusals()).toEqual([null, 'foreign'])
    await announce({ ...server, action: 'delete' }, '127.0.0.1')
    expect(await listed()).toEqual([])
  })

  it('by a name leaves at the next upkeep once a block forbids the address that the name leads to', async () => {
    await announce({ ...(await simulatedServer('127.0.0.1')), ipAddress: 'localhost' }, '127.0.0.1')
    await work()
    await discoverer.upkeep()
    expect(await listed()).toMatchObject([{ host: 'localhost' }])
    await pool.query(`insert into discovery_blocks (id, network) values (gen_random_uuid(), '127.0.0.0/24')`)
    await discoverer.upkeep()
    expect(await listed()).toEqual([])
  })
})

describe('a Luanti server', () => {
  const lists = createPublicLists({ urls: { minetest: 'http://127.0.0.1:9/list' } })
  const own = listsOf(api.deps, lists)
  const queries = createQueryPool({ concurrency: 10 })
  atFileEnd(() => queries.close())
  const ask = createAskServer({
    pool: queries,
    resolve: resolverFor(api.deps.settings),
    lists: own,
    tries: { online: [500], offline: [500] },
  })
  const poll = (port: number, address = HERE) =>
    ask({ game: 'minetest', ipAddress: address, queryPort: port, isOnline: true })

  it('is greeted as by a client, listed, and polled by what it announces while it answers', async () => {
    const server = await luantiServer(HERE)
    const { port } = server
    const mods = ['farming', 'beds']
    expect(await announceLuanti({ port, address: HERE, mods, pvp: true })).toEqual({
      status: 202,
      text: expect.stringContaining('received'),
    })
    await work()
    expect(await listed()).toMatchObject([{ host: HERE, port, name: 'Real', source: 'announcements' }])
    expect(server.requests).toEqual(['4f45740300000001', '4f4574030009000003'])
    expect(await poll(port)).toMatchObject({
      answered: true,
      players: 2,
      maxPlayers: 13,
      profile: { name: 'Real', mods: 'farming,beds', gameMode: 'PvP' },
    })
    await announceLuanti({ port, action: 'delete' })
    expect(await listed()).toEqual([])
  })

  it('is not polled by an announcement that nothing answers for, and a list that is down says nothing of it', async () => {
    await announceLuanti({ port: 9 })
    await work()
    expect([await listed(), await refusals()]).toEqual([[], ['silent']])
    expect(await poll(9)).toMatchObject({ answered: false, reason: 'no list' })
  })

  it('is polled by the publisher’s list while announcements can’t be read; not being in it then says nothing', async () => {
    const published = readServerList('minetest', { list: [{ address: HERE, port: 30_111, clients: 3 }] })
    const lists = listsOf(api.deps, { of: async () => published ?? { error: 'no list' } })
    await pool.query('alter table announcements rename to announcements_away')
    onTestFinished(async () => void (await pool.query('alter table announcements_away rename to announcements')))
    const list = await lists.of('minetest')
    expect(list).toMatchObject({ error: expect.stringContaining('announcements can’t be read') })
    expect(list?.find?.([HERE], { address: HERE, port: 30_111 })).toBeDefined()
    expect(list?.find?.([HERE], { address: HERE, port: 30_112 })).toBeUndefined()
  })

  it('is understood in all its forms: multipart, urlencoded, and JSON', async () => {
    const text = JSON.stringify({ action: 'start', port: 30_001, name: 'Form' })
    for (const [body, type] of [
      [new URLSearchParams({ json: text }), undefined],
      [text, 'application/json'],
    ] as const)
      expect(await send('/announce', body, HERE, type ? { 'content-type': type } : {})).toMatchObject({ status: 202 })
    const form = new FormData()
    form.set('json', text)
    expect(await send('/api/luanti/announce', form, HERE)).toMatchObject({ status: 202 })
    expect(await refusals()).toHaveLength(1)
  })
})

describe('many silent servers at one address', () => {
  const SILENT = 40 // twice as many as queries of announcements run at once
  async function announceSilent(from: string): Promise<void> {
    for (let port = 20_001; port <= 20_000 + SILENT; port++) await announce({ game: 'rust', gamePort: port }, from)
  }

  it('delay no server at another address', async () => {
    await announceSilent('127.84.32.1')
    await announce(await simulatedServer())
    const jobs = await openWorkerJobs({ url: api.database.url, log: testLog, applicationName: 'test-worker' })
    const stop = await startWorker({ ...api.deps, jobs })
    try {
      await expect.poll(listed, { timeout: 60_000 }).toMatchObject([{ host: HERE }])
      const silent = (await refusals()).filter((refusal) => refusal === 'silent')
      expect(silent.length).toBeLessThan(SILENT / 4)
    } finally {
      await stop()
    }
  })

  it('are not called silent before they are queried, which is tried again', async () => {
    await announceSilent('127.84.32.2')
    expect(await work()).toBe(SILENT)
    const notQueried = (await refusals()).filter((refusal) => refusal === null)
    expect(notQueried.length).toBeGreaterThan(SILENT / 2)
    const { rows } = await pool.query<{ dueLater: boolean }>(
      `select start_after > now() + interval '30 seconds' as "dueLater" from pgboss.job
       where name = 'announcement' and state = 'created'`,
    )
    expect(rows).toEqual(notQueried.map(() => ({ dueLater: true })))
  })

  it('are queried after those of networks with fewer', async () => {
    await announceSilent('127.84.32.3')
    await announce({ game: 'rust', gamePort: 9 })
    await pool.query(`update pgboss.job set start_after = now() where name = 'announcement'`)
    const jobs = await api.deps.jobs.boss.fetch<{ address: string }>(announcement.queue, { batchSize: 2 })
    expect(jobs.map(({ data }) => data.address).sort()).toEqual([HERE, '127.84.32.3'])
  })
})

describe('attackers', () => {
  it('can’t announce or withdraw another’s address', async () => {
    for (const reply of [
      await announce({ game: 'rust', gamePort: 28_015, ipAddress: ELSEWHERE }),
      await announceLuanti({ port: 30_000, address: ELSEWHERE }),
      await announceLuanti({ port: 30_000, address: ELSEWHERE, action: 'delete' }),
    ])
      expect(reply).toMatchObject({ status: 403, text: expect.stringContaining('only its own address') })
    expect(await refusals()).toEqual([])
  })

  it('can’t have a name answered for that they announce while another is queried', async () => {
    await announceLuanti({ port: 30_000 })
    const begun = await begin(30_000)
    await announceLuanti({ port: 30_000, address: 'play.victim.example', name: 'Token of the attacker' })
    expect(await recordAnnouncementQuery(pool, begun, null)).toEqual([])
    expect(await findAnnounced(pool, 'minetest', 10)).toEqual([])
    expect(await work()).toBe(1)
    expect(await refusals()).toEqual(['unresolved'])
  })

  it('can’t remove what is listed by a name that does not lead to them', async () => {
    await pool.query(
      `insert into servers (id, game, name, ip_address, game_port, query_port, source)
       values (gen_random_uuid(), 'rust', 'Victim', 'play.victim.example', 28015, 28017, 'announcements')`,
    )
    const server = { game: 'rust', gamePort: 28_015, queryPort: 28_017, ipAddress: 'play.victim.example' }
    const withdraw = () => announce({ ...server, action: 'delete' })
    expect([(await announce(server)).status, (await withdraw()).status]).toEqual([202, 202])
    expect(await listed()).toHaveLength(1)
    await announce(server)
    const begun = await begin(28_017)
    await withdraw()
    expect(await recordAnnouncementQuery(pool, begun, 'foreign')).toEqual([])
  })

  it('can’t get back what an administrator has hidden, by an announcement of its end and one of another game', async () => {
    const server = await simulatedServer()
    await announce(server)
    await work()
    const before = await listed()
    await setHidden(pool, before[0]?.id ?? '', true)
    await announce({ ...server, action: 'delete' })
    await announce({ ...server, game: 'arma3' })
    await work()
    expect(await listed()).toEqual(before)
    await pool.query(`insert into discovery_blocks (id, network) values (gen_random_uuid(), '127.84.30.0/24')`)
    await runDiscoveryUpkeep(api.deps)
    expect(await listed()).toEqual(before)
  })

  it('announce ten thousand ports, and cost fifty rows', async () => {
    const statuses: number[] = []
    for (let port = 20_000; port < 20_070; port++)
      statuses.push((await announce({ game: 'rust', gamePort: port }, '127.84.30.20')).status)
    expect(statuses.slice(0, 50)).toEqual(Array(50).fill(202))
    expect(new Set(statuses.slice(50))).toEqual(new Set([429]))
    for (let host = 2; host < 12; host++)
      await pool.query(
        `insert into announcements (address, query_port, network, game, game_port, host, name)
         select $1, port, '127.84.30.0/24', 'rust', port, $1, '' from generate_series(1, 50) as port`,
        [`127.84.30.${host}`],
      )
    expect((await announce({ game: 'rust', gamePort: 1 }, '127.84.30.99')).status).toBe(429)
    expect((await announce({ game: 'rust', gamePort: 1 }, '127.84.31.1')).status).toBe(202)
    await pool.query(`update announcements set announced_at = now() - interval '2 hours'`)
    await runDiscoveryUpkeep(api.deps)
    expect(await refusals()).toEqual([])
  })

  it('with thousands of servers that answer push no other network out of the list that polls read', async () => {
    const insert = `insert into announcements (address, query_port, network, game, game_port, host, name, details, announced_at, answered_at)`
    await pool.query(
      `${insert} select $1, port, '127.84.40.0/24', 'minetest', port, $1, '', '{}', now(), now() from generate_series(1, 30) as port`,
      ['127.84.40.1'],
    )
    await pool.query(
      `${insert} values ($1, 30000, '127.84.30.0/24', 'minetest', 30000, $1, '', '{}', now() - interval '5 minutes', now())`,
      [HERE],
    )
    const read = await findAnnounced(pool, 'minetest', 20)
    expect(read).toHaveLength(20)
    expect(read).toContainEqual({ address: HERE, ip: HERE, port: 30_000 })
  })

  it('send more than 120 a minute, and get 429', async () => {
    const from = '127.84.40.1'
    const sent = Array.from({ length: 121 }, () => announce({ game: 'rust', gamePort: 1, action: 'delete' }, from))
    const statuses = (await Promise.all(sent)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 429)).toHaveLength(1)
  })

  it('send more than 120 invalid ones a minute, and get 429', async () => {
    const sent = Array.from({ length: 125 }, () => announce({ game: 'nonsense' }, '127.84.40.2'))
    const statuses = (await Promise.all(sent)).map(({ status }) => status)
    expect([400, 429].map((status) => statuses.filter((one) => one === status).length)).toEqual([120, 5])
  })

  it('send forms of more than 200 fields, and are refused', async () => {
    const formOf = (body: FormData | URLSearchParams, others: number) => {
      body.set('json', JSON.stringify({ action: 'delete' }))
      for (let n = 0; n < others; n++) body.append('', '')
      return body
    }
    for (const empty of [() => new FormData(), () => new URLSearchParams()]) {
      expect(await send('/announce', formOf(empty(), 199), HERE)).toMatchObject({ status: 202 })
      expect(await send('/announce', formOf(empty(), 200), HERE)).toMatchObject({
        status: 400,
        text: expect.stringContaining('more than 200 fields'),
      })
    }
  })

  it('send markup, control characters and half surrogates, which are stored and shown as text', async () => {
    const { port } = await luantiServer(HERE)
    expect(
      await announceLuanti({ port, name: '<b>x</b>\u202E\u0007\ud800', description: 'a\u0001b', mods: ['\udfff'] }),
    ).toMatchObject({ status: 202 })
    await work()
    const [server] = await listed()
    expect(server?.name).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u)
    await api.directory.refresh()
    expect((await api.request(`/api/servers/${server?.id}`)).status).toBe(200)
  })

  it('send bodies that are too large, malformed or of unknown games, and are refused', async () => {
    const form = new FormData()
    form.set('json', `{"action":"start","name":"${'x'.repeat(70_000)}"}`)
    expect((await send('/announce', form, HERE)).status).toBe(413)
    expect((await send('/announce', 'json=', HERE, { 'content-type': 'text/plain' })).status).toBe(415)
    const bad: [BodyInit, string | undefined][] = [
      [new URLSearchParams({ other: '{}' }), undefined],
      [new URLSearchParams({ json: '{' }), undefined],
      [new URLSearchParams({ json: '[]' }), undefined],
      [new URLSearchParams({ json: '{"action":"explode"}' }), undefined],
      [new URLSearchParams({ json: '{"action":"start","port":0}' }), undefined],
      ['--x', 'multipart/form-data; boundary=x'],
      ['--x', 'multipart/form-data'],
    ]
    for (const [body, type] of bad)
      expect((await send('/announce', body, HERE, type ? { 'content-type': type } : {})).status).toBe(400)
    for (const fields of [
      { game: 'nonsense', gamePort: 1 },
      { gamePort: 1 },
      { game: 'rust', gamePort: 1, unknown: 1 },
      { game: 'rust', gamePort: 70_000 },
      { game: 'rust', name: 'bad\u0007name' },
    ])
      expect((await announce(fields)).status).toBe(400)
    expect(await refusals()).toEqual([])
  })

  it('on private addresses are refused where these are not polled', async () => {
    const closed = await startTestApi({
      database: api.database,
      settings: { ...SETTINGS, ALLOW_PRIVATE_TARGETS: 'false' },
    })
    for (const from of ['127.0.0.1', '10.1.2.3', '169.254.169.254', '::1', 'fe80::1', '::ffff:192.168.0.1'])
      expect(
        await closed.request('/api/announce', {
          method: 'POST',
          headers: { 'x-forwarded-for': from, 'content-type': 'application/json' },
          body: JSON.stringify({ game: 'rust' }),
        }),
      ).toMatchObject({ status: 403 })
    await closed.stop()
  })
})

it('a directory without the source announcements says so, whatever is sent', async () => {
  const without = await startTestApi({ database: api.database, settings: { DISCOVER: 'luanti' } })
  const response = await without.request('/api/announce', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{',
  })
  expect([response.status, await response.text()]).toEqual([404, expect.stringContaining('DISCOVER')])
  await without.stop()
})

it('administrators see how many were announced, and why some are not listed', async () => {
  const admin = await addPerson(pool, { isAdmin: true })
  const call = callerOf(api)
  const server = await simulatedServer()
  await announce(server)
  await announce({ game: 'rust', gamePort: 9, queryPort: 9 })
  await work()
  expect((await call(admin, 'GET', '/admin/discovery/sources')).body).toMatchObject({
    sources: [
      { source: 'announcements', isEnabled: true, listed: 1, found: 2, refused: { silent: 1 }, nextRunAt: null },
    ],
  })
  expect(await call(admin, 'POST', '/admin/discovery/sources/announcements/run')).toMatchObject({
    status: 400,
    body: { error: 'not_runnable' },
  })
})
