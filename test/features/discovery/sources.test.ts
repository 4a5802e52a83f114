// What sources find becomes listings without an owner: each server once, and none that people removed or blocked.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { findSourceStates, runDiscoveryUpkeep } from '../../../src/features/discovery/index.ts'
import { createServers, deleteServer, setHidden } from '../../../src/features/servers/index.ts'
import { createDiscoverer } from '../../../workers/discovery/discovery.handler.ts'
import { createAddressOf, resolveNamesForBlocks } from '../../../workers/discovery/known-names.ts'
import { runSource } from '../../../workers/discovery/run.ts'
import type { Find } from '../../../workers/discovery/source.ts'
import { TargetError } from '../../../workers/polling/target-address.ts'
import { startTestApi } from '../../support/api.ts'
import { emptyTables } from '../../support/database.ts'
import { NODE_ARGS } from '../../support/node.ts'
import { find, findMany, testSource } from './support.ts'

const api = await startTestApi()
const { pool } = api.database
const servers = createServers({ pool })

const HALF_A_RUN = fileURLToPath(new URL('half-a-run.ts', import.meta.url))

/** Where names lead. */
const NAMES: Record<string, string> = { 'play.example': '203.0.113.1', 'inside.example': '10.0.0.1' }
const answering = new Set<string>()
/** What happens while forgotten servers are asked. */
let meanwhile = async () => {}
const options = {
  pool,
  pollWithinSeconds: 60,
  resolve({ host, srvService }: { host: string; srvService?: string | undefined }) {
    const address =
      NAMES[srvService ? `${srvService}.${host}` : host] ?? NAMES[host] ?? (/^[\d.]+$/.test(host) ? host : undefined)
    if (!address) throw new TargetError('unresolved', 'no such name')
    if (address.startsWith('10.')) throw new TargetError('refused', 'private')
    return { address }
  },
  async ask({ ipAddress }: { ipAddress: string }) {
    await meanwhile()
    return answering.has(ipAddress)
      ? ({ answered: true } as never)
      : ({ answered: false, reason: 'silent', askedAt: 0 } as const)
  },
}

const run = (finds: readonly Find[], name = 'luanti') =>
  runSource(testSource(name, finds).source, options, new AbortController().signal)

interface Row {
  id: string
  host: string
  source: string | null
}
const listed = async () =>
  (
    await pool.query<Row>(
      'select id, ip_address as host, source from servers where deleted_at is null order by ip_address, query_port',
    )
  ).rows
const hosts = async () => (await listed()).map(({ host }) => host)

/** Makes polls of all listed servers have gone unanswered for so many days. */
const silence = (days: number) =>
  pool.query(
    `with aged as (update servers set updated_at = now() - make_interval(days => $1))
     update server_status set last_online_at = now() - make_interval(days => $1), consecutive_failures = 9, last_polled_at = now()`,
    [days],
  )

async function addUser(): Promise<string> {
  const id = randomUUID()
  await pool.query(`insert into users (id, username) values ($1, $2)`, [id, `owner-${id.slice(0, 8)}`])
  return id
}

beforeEach(async () => {
  await emptyTables(pool, 'servers', 'discovery_sources', 'discovery_blocks')
  answering.clear()
  meanwhile = async () => {}
})

describe('a source', () => {
  it('lists what it finds as unclaimed servers whose names come from themselves, due for a poll within a minute', async () => {
    expect(await run([find('203.0.113.1'), find('play2.example'), find('203.0.113.2', { name: '<b>x</b>' })])).toEqual({
      found: 3,
      added: 2,
      returned: 0,
      missing: 0,
      refused: { unresolved: 1 },
    })
    const { rows } = await pool.query(
      `select name, source, owner_id, name_from_server, is_verified, next_poll_at <= now() + interval '1 minute' as due
       from servers join server_polls on server_id = id order by ip_address`,
    )
    const unclaimed = { source: 'luanti', owner_id: null, name_from_server: true, is_verified: false, due: true }
    expect(rows).toEqual([
      { name: 'Server at 203.0.113.1', ...unclaimed },
      { name: '<b>x</b>', ...unclaimed },
    ])
  })

  it('writes no listing if it finds nothing new', async () => {
    await run([find('203.0.113.1'), find('203.0.113.2')])
    const state = () => pool.query('select id, changed_in::text, updated_at from servers order by id')
    const before = (await state()).rows
    expect(await run([find('203.0.113.1'), find('203.0.113.2')])).toMatchObject({ found: 2, added: 0, refused: {} })
    expect((await state()).rows).toEqual(before)
  })

  it('lists a server once, whether a source has it by name or by address, twice, or two sources have it', async () => {
    expect((await run([find('play.example'), find('203.0.113.1')])).refused).toEqual({ repeated: 1 })
    await run([find('203.0.113.1')], 'beammp')
    await run([find('203.0.113.1', { queryPort: 30_001 })], 'beammp') // same game and game port
    expect(await hosts()).toEqual(['play.example'])
  })

  it('does not list again what an owner listed by its name', async () => {
    await servers.add({ name: 'By hand', ipAddress: 'play.example', game: 'minetest', gamePort: 30_000 })
    expect(await run([find('203.0.113.1')])).toMatchObject({ added: 0 })
    expect(await listed()).toMatchObject([{ host: 'play.example', source: null }])
  })

  it('removes its own listing once the server’s owner has listed it by its name', async () => {
    await run([find('203.0.113.1')])
    await servers.add({ name: 'By hand', ipAddress: 'play.example', game: 'minetest', gamePort: 30_000 })
    await run([find('203.0.113.1')])
    expect(await listed()).toMatchObject([{ host: 'play.example', source: null }])
  })

  it('refuses private addresses, names that lead to them, invalid ones, and the 201st server of one address', async () => {
    const crowd = Array.from({ length: 205 }, (_, n) => find('203.0.113.9', { gamePort: 20_000 + n }))
    const { added, refused } = await run([find('10.0.0.9'), find('inside.example'), find('a b'), ...crowd])
    expect({ added, refused }).toEqual({ added: 200, refused: { private: 2, invalid: 1, crowded: 5 } })
  })

  it('refuses the 201st server of one address also if each has a name of its own, in one run and in the next', async () => {
    const named = Array.from({ length: 620 }, (_, n) => {
      NAMES[`n${n}.crowd.example`] = '203.0.113.9'
      return find(`n${n}.crowd.example`, { gamePort: 20_000 + n })
    })
    expect(await run(named.slice(5))).toMatchObject({ added: 200, refused: { crowded: 415 } })
    expect(await run(named.slice(0, 5))).toMatchObject({ added: 0, refused: { crowded: 5 } })
    await pool.query('update servers set owner_id = $1', [await addUser()])
    expect(await run(named.slice(0, 5))).toMatchObject({ added: 5, refused: {} })
  })

  it('does not count claimed servers of an address', async () => {
    await run(Array.from({ length: 200 }, (_, n) => find('203.0.113.9', { gamePort: 20_000 + n })))
    await pool.query('update servers set owner_id = $1', [await addUser()])
    expect(await run([find('203.0.113.9', { gamePort: 21_000 })])).toMatchObject({ added: 1 })
  })

  it('spreads the first polls over a minute', async () => {
    await run(Array.from({ length: 100 }, (_, n) => find(`203.0.113.${n}`)))
    const { rows } = await pool.query<{ first: number; last: number }>(
      `select min(seconds) as first, max(seconds) as last
       from (select extract(epoch from next_poll_at - now())::float8 as seconds from server_polls) as due`,
    )
    const [{ first, last } = { first: 0, last: 0 }] = rows
    expect(last - first).toBeGreaterThan(30)
    expect(last).toBeLessThan(60)
  })

  it('lists at most 2,000 servers of a network', async () => {
    await pool.query(
      `insert into servers (id, game, name, ip_address, game_port, query_port, source)
       select gen_random_uuid(), 'minetest', 'Server', '203.0.113.' || n % 200, 20000 + n, 20000 + n, 'beammp'
       from generate_series(1, 1995) as n`,
    )
    const finds = Array.from({ length: 10 }, (_, n) => find(`203.0.113.${n + 210}`))
    expect(await run([...finds, find('203.0.114.1')])).toMatchObject({ added: 6, refused: { crowded: 5 } })
    expect(await run([...finds, find('203.0.114.1')])).toMatchObject({ added: 0, refused: { crowded: 5 } })
    await pool.query(`delete from servers where ip_address in ('203.0.113.210', '203.0.113.211')`)
    NAMES['n1.example'] = NAMES['n2.example'] = '203.0.113.220'
    expect(await run([find('n1.example', { gamePort: 1 }), find('n2.example', { gamePort: 2 })])).toMatchObject({
      added: 2,
    })
    expect(await run(finds)).toMatchObject({ added: 0 })
  })

  it('lists each server once if two runs overlap', async () => {
    const finds = findMany(600)
    const results = await Promise.all([run(finds), run(finds), run(finds, 'beammp')])
    expect(results.reduce((sum, { added }) => sum + added, 0)).toBe(600)
    expect(await hosts()).toHaveLength(600)
  })

  it('keeps what it listed before it failed, and a next run adds the rest', async () => {
    const { source, state } = testSource('luanti', findMany(650))
    state.failure = 'connection lost'
    await expect(runSource(source, options, new AbortController().signal)).rejects.toThrow('connection lost')
    expect(await hosts()).toHaveLength(600)
    state.failure = undefined
    expect(await runSource(source, options, new AbortController().signal)).toMatchObject({ added: 50 })
  })

  it('keeps what it listed before its worker was killed, and a next run adds the rest', async () => {
    const child = spawn(process.execPath, [...NODE_ARGS, HALF_A_RUN, api.database.url], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(await hosts()).toHaveLength(600)
    expect(await run(findMany(700))).toMatchObject({ found: 700, added: 100, missing: 0 })
    const { rows } = await pool.query(
      'select from servers join server_polls on server_id = id join server_status using (server_id)',
    )
    expect(rows).toHaveLength(700)
  })

  it('removes nothing if it suddenly has one per cent of its servers', async () => {
    await run(Array.from({ length: 100 }, (_, n) => find(`203.0.113.${n}`)))
    expect(await run([find('203.0.113.1')])).toMatchObject({ found: 1, missing: 99 })
    await runDiscoveryUpkeep(api.deps)
    expect(await hosts()).toHaveLength(100)
  })
})

describe('people decide', () => {
  it('a source never brings back what was removed or hidden by hand', async () => {
    await run([find('203.0.113.1'), find('203.0.113.2')])
    const [removed, hidden] = await listed()
    await deleteServer(pool, removed?.id ?? '')
    await setHidden(pool, hidden?.id ?? '', true)
    expect(await run([find('203.0.113.1'), find('203.0.113.2')])).toMatchObject({ added: 0, refused: { removed: 1 } })
    const { rows } = await pool.query('select from servers where deleted_at is null and hidden_at is null')
    expect(rows).toHaveLength(0)
  })

  it('a source never brings back by its address what was removed by its name', async () => {
    const { id } = await servers.add({ name: 'By hand', ipAddress: 'play.example', game: 'minetest', gamePort: 30_000 })
    await deleteServer(pool, id)
    expect(await run([find('203.0.113.1')])).toMatchObject({ added: 0, refused: { removed: 1 } })
    expect(await run([find('203.0.113.1', { queryPort: 30_001 })])).toMatchObject({ added: 1 })
  })

  it.each([
    ['of the network that its name leads to', `network = '203.0.113.0/24'`, []],
    ['of another name that leads to its address', `host = 'other.example'`, []],
    ['of another game there', `host = 'other.example', game = 'beammp'`, ['198.51.100.1', 'play.example']],
  ])('the upkeep removes what a block %s forbids, and nothing else', async (_, block, left) => {
    NAMES['other.example'] = '203.0.113.1'
    await run([find('play.example'), find('198.51.100.1')])
    await pool.query('insert into discovery_blocks (id, host) values (gen_random_uuid(), null)')
    await pool.query(`update discovery_blocks set ${block}`)
    await runDiscoveryUpkeep(api.deps, await resolveNamesForBlocks(pool, createAddressOf(options.resolve)))
    expect(await hosts()).toEqual(left.length ? left : ['198.51.100.1'])
  })

  it.each([
    ['a network', `network = '203.0.113.0/28'`],
    ['a port of an address', `network = '203.0.113.1/32', port = 30000`],
    ['a game', `game = 'minetest'`],
    ['a name', `name_pattern = 'AT *3.0.113.1'`],
  ])('%s that is blocked is not listed, and what was listed goes at the next upkeep', async (_, block) => {
    await run([find('203.0.113.1')])
    await pool.query('insert into discovery_blocks (id) values (gen_random_uuid())')
    await pool.query(`update discovery_blocks set ${block}`)
    await runDiscoveryUpkeep(api.deps)
    expect(await hosts()).toEqual([])
    expect((await run([find('203.0.113.1')])).refused).toEqual({ blocked: 1 })
    await run([find('203.0.113.200', { game: 'beammp' })])
    expect(await hosts()).toEqual(['203.0.113.200'])
  })

  it.each([
    ['another query port', { ipAddress: '203.0.113.1', queryPort: 9 }],
    ['a name that leads there', { ipAddress: 'play.example', queryPort: 30_000 }],
  ])(
    'an account that lists a found server under %s removes its listing with a proof, and not without',
    async (_, at) => {
      await run([find('203.0.113.1')])
      const [found] = await listed()
      const own = await servers.add({ name: 'Mine now', game: 'minetest', gamePort: 30_000, ...at })
      await pool.query('update servers set owner_id = $1 where id = $2', [await addUser(), own.id])
      expect(await run([find('203.0.113.1')])).toMatchObject({ added: 0, missing: 0 })
      expect((await listed()).map(({ id }) => id).sort()).toEqual([found?.id, own.id].sort())
      await pool.query('update servers set is_verified = true where id = $1', [own.id])
      await run([find('203.0.113.1')])
      expect((await listed()).map(({ id }) => id)).toEqual([own.id])
    },
  )

  it('a proven listing whose name leads elsewhere now removes no listing there, and keeps none away', async () => {
    NAMES['moving.example'] = '198.51.100.66'
    const own = await servers.add({ name: 'Mine', ipAddress: 'moving.example', game: 'minetest', gamePort: 30_000 })
    await pool.query(
      `update servers set owner_id = $1, is_verified = true, proven_address = '198.51.100.66' where id = $2`,
      [await addUser(), own.id],
    )
    await run([find('198.51.100.66'), find('203.0.113.7')])
    expect(await hosts()).toEqual(['203.0.113.7', 'moving.example'])
    NAMES['moving.example'] = '203.0.113.7'
    await run([find('203.0.113.7')])
    expect(await hosts()).toEqual(['203.0.113.7', 'moving.example'])
    await deleteServer(pool, own.id)
    NAMES['moving.example'] = '203.0.113.8'
    expect(await run([find('203.0.113.8')])).toMatchObject({ added: 1, refused: {} })
    NAMES['moving.example'] = '198.51.100.66'
    expect(await run([find('198.51.100.66')])).toMatchObject({ added: 0, refused: { removed: 1 } })
  })

  it('an owner’s listing by a name without a port counts where the service of the game’s client leads', async () => {
    Object.assign(NAMES, { 'mc.example': '203.0.113.1', '_minecraft._tcp.mc.example': '203.0.113.9' })
    await servers.add({ name: 'Mine', ipAddress: 'mc.example', game: 'minecraft', gamePort: 25_565 })
    const at = (host: string) => find(host, { game: 'minecraft', gamePort: 25_565 })
    const { source } = testSource('luanti', [at('203.0.113.9'), at('203.0.113.1')])
    const ran = await runSource({ ...source, games: ['minecraft'] }, options, new AbortController().signal)
    expect(ran).toMatchObject({ added: 1 })
    expect(await hosts()).toEqual(['203.0.113.1', 'mc.example'])
  })

  it('an account does not keep a server from being found by listing another query port', async () => {
    const own = await servers.add({
      name: 'Mine',
      ipAddress: '203.0.113.1',
      game: 'minetest',
      gamePort: 30_000,
      queryPort: 9,
    })
    await pool.query('update servers set owner_id = $1', [await addUser()])
    expect(await run([find('203.0.113.1')])).toMatchObject({ added: 1 })
    expect((await listed()).map(({ id }) => id)).toContain(own.id)
  })

  it('a source never touches what an account owns', async () => {
    await run([find('203.0.113.1')])
    await pool.query('update servers set owner_id = $1', [await addUser()])
    await pool.query(`insert into discovery_blocks (id, network) values (gen_random_uuid(), '203.0.113.0/24')`)
    await silence(100)
    await runDiscoveryUpkeep(api.deps)
    await run([find('203.0.113.1')])
    expect(await hosts()).toEqual(['203.0.113.1'])
  })
})

describe('a server that stops answering', () => {
  it('is no longer listed after DISCOVER_FORGET_DAYS, and returns with its votes once it answers', async () => {
    await run([find('203.0.113.1')])
    const [before] = await listed()
    await pool.query('update server_counters set total_votes = 7')
    await silence(13)
    await runDiscoveryUpkeep(api.deps)
    expect(await hosts()).toHaveLength(1)
    await silence(15)
    await runDiscoveryUpkeep(api.deps)
    expect(await hosts()).toEqual([])
    expect(await run([find('203.0.113.1')])).toMatchObject({ returned: 0, refused: { silent: 1 } })
    answering.add('203.0.113.1')
    expect(await run([find('203.0.113.1')])).toMatchObject({ returned: 1, added: 0 })
    expect(await listed()).toEqual([before])
    await runDiscoveryUpkeep(api.deps)
    const { rows } = await pool.query('select total_votes from server_counters join server_polls using (server_id)')
    expect(rows).toEqual([{ total_votes: 7 }])
  })

  it.each([
    [
      'blocked',
      `insert into discovery_blocks (id, network) values (gen_random_uuid(), '203.0.113.1/32')`,
      ['203.0.113.2'],
    ],
    [
      'listed',
      `insert into servers (id, game, name, ip_address, game_port, query_port)
       values (gen_random_uuid(), 'minetest', 'By hand', '203.0.113.1', 30000, 30000)`,
      ['203.0.113.1', '203.0.113.2'],
    ],
  ])('does not return if it is %s while it is asked, and others do', async (_, statement, expected) => {
    const finds = [find('203.0.113.1'), find('203.0.113.2')]
    await run(finds)
    await silence(15)
    await runDiscoveryUpkeep(api.deps)
    for (const { host } of finds) answering.add(host)
    meanwhile = async () => {
      meanwhile = async () => {}
      await pool.query(statement)
    }
    expect(await run(finds)).toMatchObject({ returned: 1 })
    expect(await hosts()).toEqual(expected)
  })

  it('does not return if an account lists it at the same moment, and others do', async () => {
    const finds = [find('203.0.113.1'), find('203.0.113.2')]
    await run(finds)
    await silence(15)
    await runDiscoveryUpkeep(api.deps)
    for (const { host } of finds) answering.add(host)
    const account = await pool.connect()
    try {
      meanwhile = async () => {
        meanwhile = async () => {}
        await account.query(`
          begin;
          insert into servers (id, game, name, ip_address, game_port, query_port)
          values (gen_random_uuid(), 'minetest', 'By an account', '203.0.113.1', 30000, 30000)`)
      }
      const running = run(finds)
      await vi.waitFor(async () => {
        const { rowCount } = await pool.query(
          `select from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock' and query like '%with relisted as%' and pid <> pg_backend_pid()`,
        )
        expect(rowCount).toBe(1)
      })
      await account.query('commit')
      expect(await running).toMatchObject({ returned: 1 })
    } finally {
      account.release(true)
    }
    expect(await hosts()).toEqual(['203.0.113.1', '203.0.113.2'])
  })

  it('stays listed while no worker polls it', async () => {
    await run([find('203.0.113.1')])
    await silence(15)
    await pool.query(`update server_status set last_polled_at = now() - interval '15 days'`)
    await runDiscoveryUpkeep(api.deps)
    expect(await hosts()).toHaveLength(1)
  })
})

describe('the schedule', () => {
  const discovererOf = (names: string[], source = testSource('luanti').source) =>
    createDiscoverer({ ...api.deps, settings: { ...api.deps.settings, DISCOVER: names } }, { sources: () => source })

  it('enqueues each source once an interval, however many workers look', async () => {
    const workers = [discovererOf(['luanti']), discovererOf(['luanti']), discovererOf(['luanti'])]
    await Promise.all(workers.map((worker) => worker.schedule()))
    await workers[0]?.schedule()
    const jobs = await api.deps.jobs.boss.findJobs('discovery', { queued: true })
    expect(jobs.map(({ data }) => data)).toEqual([expect.objectContaining({ source: 'luanti' })])
    for (const worker of workers) worker.close()
  })

  it('begins a run again that its worker ended because it stops, and counts no failure', async () => {
    const { source } = testSource('luanti')
    const started = Promise.withResolvers<void>()
    const discoverer = discovererOf(['luanti'], {
      ...source,
      async *found(signal) {
        started.resolve()
        await once(signal, 'abort')
        signal.throwIfAborted()
        yield* []
      },
    })
    await discoverer.schedule()
    const run = discoverer.handle({ source: 'luanti' }, new AbortController().signal)
    await started.promise
    discoverer.stop()
    await run
    expect(await findSourceStates(pool)).toMatchObject([{ failures: 0, error: null }])
    await api.deps.jobs.boss.deleteAllJobs('discovery')
    await discoverer.schedule()
    expect(await api.deps.jobs.boss.findJobs('discovery', { queued: true })).toHaveLength(1)
    discoverer.close()
  })

  it('records what a run found, and waits longer after each failure', async () => {
    const { source, state } = testSource('luanti', [find('127.0.0.1'), find('a b')])
    const discoverer = discovererOf(['luanti'], source)
    const { signal } = new AbortController()
    await discoverer.handle({ source: 'luanti' }, signal)
    expect(await findSourceStates(pool)).toMatchObject([
      { source: 'luanti', found: 2, added: 1, refused: { invalid: 1 }, failures: 0, error: null },
    ])
    state.failure = 'status 503'
    for (const failures of [1, 2]) {
      await expect(discoverer.handle({ source: 'luanti' }, signal)).rejects.toThrow('status 503')
      const [after] = await findSourceStates(pool)
      expect(after).toMatchObject({ failures, error: 'status 503', found: 2 })
      expect(((after?.nextRunAt.getTime() ?? 0) - (after?.finishedAt?.getTime() ?? 0)) / 1000).toBeCloseTo(
        600 * 2 ** failures,
        0,
      )
    }
    discoverer.close()
  })

  it('refuses a name that no source has', () => {
    expect(() => discovererOf(['luanti', 'nonsense'])).toThrow('DISCOVER has no source nonsense')
  })
})

it('a listing says that no account owns it, and which source found it; lists filter and count by that', async () => {
  await run([find('203.0.113.1'), find('203.0.113.2')])
  const [first, second] = await listed()
  await pool.query('update servers set owner_id = $1 where id = $2', [await addUser(), second?.id])
  await api.directory.refresh()
  const get = async (path: string) => (await (await api.request(path)).json()) as never
  expect(await get(`/api/servers/${first?.id}`)).toMatchObject({ isClaimed: false, source: 'luanti' })
  for (const [isClaimed, id] of [
    [false, first?.id],
    [true, second?.id],
  ])
    expect(await get(`/api/servers?isClaimed=${isClaimed}`)).toMatchObject({ servers: [{ id, isClaimed }] })
  expect((await get('/api/servers/facets')) as object).toMatchObject({
    isClaimed: [
      { value: 'false', servers: 1 },
      { value: 'true', servers: 1 },
    ],
  })
})
