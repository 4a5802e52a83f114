// What administrators and owners keep sources from listing, and how administrators run sources.
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { discovery, runDiscoveryUpkeep } from '../../../src/features/discovery/index.ts'
import { createAddressOf, resolveNamesForBlocks } from '../../../workers/discovery/known-names.ts'
import { runSource } from '../../../workers/discovery/run.ts'
import { startTestApi } from '../../support/api.ts'
import { countLockWaits, emptyTables } from '../../support/database.ts'
import { addPerson } from '../../support/people.ts'
import { callerOf } from '../servers/support.ts'
import { find, testSource } from './support.ts'

const api = await startTestApi({ settings: { DISCOVER: 'luanti,beammp' } })
const { pool } = api.database
const call = callerOf(api)

const admin = await addPerson(pool, { isAdmin: true })
const owner = await addPerson(pool)
const other = await addPerson(pool)

const NAMES: Record<string, string> = { 'play.example': '203.0.113.1' }
const options = {
  pool,
  pollWithinSeconds: 60,
  resolve: ({ host }: { host: string }) => ({ address: NAMES[host] ?? host }),
  ask: async () => ({ answered: true }) as never,
}
const run = (...hosts: string[]) =>
  runSource(
    testSource(
      'luanti',
      hosts.map((host) => find(host)),
    ).source,
    options,
    new AbortController().signal,
  )
const listedHosts = async () => {
  const { rows } = await pool.query<{ host: string }>(
    'select ip_address as host from servers where deleted_at is null order by 1',
  )
  return rows.map(({ host }) => host)
}

beforeEach(() => emptyTables(pool, 'servers', 'discovery_sources', 'discovery_blocks'))

describe('blocks', () => {
  const block = (body: object) => call(admin, 'POST', '/admin/discovery/blocks', body)

  it('remove what sources listed at once, and keep it away until they are removed', async () => {
    await run('203.0.113.1', '203.0.113.2', '198.51.100.1')
    const added = await block({ network: '203.0.113.0/24', note: 'abuse mail' })
    expect(added).toMatchObject({
      status: 201,
      body: { removed: 2, block: { network: '203.0.113.0/24', isOptOut: false } },
    })
    expect(await run('203.0.113.1')).toMatchObject({ refused: { blocked: 1 } })
    const { body } = await call(admin, 'GET', '/admin/discovery/blocks')
    const [first] = body.blocks as { id: string }[]
    expect((await call(admin, 'DELETE', `/admin/discovery/blocks/${first?.id}`)).status).toBe(200)
    expect(await run('203.0.113.1')).toMatchObject({ returned: 1 })
    expect(await listedHosts()).toEqual(['198.51.100.1', '203.0.113.1'])
  })

  it('remove the listings of a large network by statements of a bounded size', async () => {
    await pool.query(
      `insert into servers (id, game, name, ip_address, game_port, query_port, source)
       select gen_random_uuid(), 'minetest', 'Server', host('10.0.0.0'::inet + n), 30000, 30000, 'luanti'
       from generate_series(1, 1001) as n`,
    )
    await pool.query(`
      create table removal_sizes (size bigint);
      create function record_size() returns trigger language plpgsql as
        $$ begin insert into removal_sizes select count(*) from changed; return null; end $$;
      create trigger record_size after update on servers referencing new table as changed
        for each statement execute function record_size()`)
    onTestFinished(async () => {
      await pool.query('drop function record_size cascade; drop table removal_sizes')
    })
    expect(await block({ network: '10.0.0.0/8' })).toMatchObject({ status: 201, body: { removed: 1_001 } })
    const { rows } = await pool.query('select size from removal_sizes where size > 0')
    expect(rows).toEqual([{ size: 1_000 }, { size: 1 }])
  })

  it('are added, and checked hourly, while there are thousands of opt-outs', async () => {
    await pool.query(
      `insert into servers (id, game, name, ip_address, game_port, query_port, source)
       select gen_random_uuid(), 'minetest', 'Server', host('10.0.0.0'::inet + n), 30000, 30000, 'luanti'
       from generate_series(1, 8000) as n`,
    )
    await pool.query(
      `insert into discovery_blocks (id, network, host, port, is_opt_out)
       select gen_random_uuid(), case when n % 2 = 0 then '10.1.0.0'::inet + n end,
         case when n % 2 = 1 then n || '.example' end, 30000, true
       from generate_series(1, 4000) as n`,
    )
    expect(await block({ network: '10.0.0.1' })).toMatchObject({ status: 201, body: { removed: 1 } })
    await pool.query(`update discovery_blocks set network = '10.0.0.2' where network = '10.1.0.2'`)
    const blocks = [{ host: '1.example', address: '10.0.0.3' }]
    await runDiscoveryUpkeep(api.deps, { listings: [], blocks })
    expect(await listedHosts()).toHaveLength(7_997)
  })

  it('of a DNS name apply to the address that it leads to', async () => {
    await block({ host: 'Play.Example' })
    expect(await run('play.example', '203.0.113.1')).toMatchObject({ added: 0, refused: { blocked: 1, repeated: 1 } })
  })

  it.each([
    ['of another game', { game: 'rust' }],
    ['with another name', { namePattern: 'casino' }],
    ['in another network', { network: '198.51.100.0/24' }],
  ])('of a DNS name allow servers %s at the address that it leads to', async (_, condition) => {
    await block({ host: 'play.example', ...condition })
    expect(await run('203.0.113.1')).toMatchObject({ added: 1, refused: {} })
  })

  it('of a part of the name take * for any text, and everything else literally', async () => {
    const added = await block({ namePattern: '100%*at 203' })
    expect(added.body).toMatchObject({ block: { namePattern: '100%*at 203' } })
    await block({ namePattern: 'SERVER*13.1' })
    expect(await run('203.0.113.1', '203.0.113.2')).toMatchObject({ added: 1, refused: { blocked: 1 } })
  })

  it('need a condition, and take addresses and networks in CIDR notation', async () => {
    for (const [body, path] of [
      [{}, 'body.network'],
      [{ note: 'all' }, 'body.network'],
      [{ port: 30_000, game: 'minetest' }, 'body.port'],
      [{ network: 'example.org' }, 'body.network'],
      [{ game: 'nonsense' }, 'body.game'],
    ] as const)
      expect(await block(body)).toMatchObject({ status: 400, body: { details: [{ path }] } })
    for (const [network, stored] of [
      ['2001:db8::1', '2001:db8::1/128'],
      ['203.0.113.9/24', '203.0.113.0/24'],
    ])
      expect(await block({ network })).toMatchObject({ body: { block: { network: stored } } })
  })
})

const idOf = ({ body }: { body: Record<string, unknown> }) => (body as { server: { id: string } }).server.id

describe('an owner who removes a server', () => {
  const listing = { name: 'Mine', ipAddress: '203.0.113.1', game: 'minetest', gamePort: 30_000 }
  const remove = async (change: string) => {
    const id = idOf(await call(owner, 'POST', '/servers', listing))
    await pool.query(`update servers set ${change} where id = $1`, [id])
    expect((await call(owner, 'DELETE', `/servers/${id}`)).status).toBe(200)
  }

  it('without proof keeps no source from listing it', async () => {
    await remove('is_verified = false')
    expect(await run('203.0.113.1')).toMatchObject({ added: 1, refused: {} })
    const { rows } = await pool.query('select owner_id, source from servers where deleted_at is null')
    expect(rows).toEqual([{ owner_id: null, source: 'luanti' }])
  })

  it.each(['is_verified = true', 'hidden_at = now()'])('with %s keeps sources from listing it', async (change) => {
    await remove(change)
    expect(await run('203.0.113.1')).toMatchObject({ added: 0, refused: { removed: 1 } })
  })
})

describe('an opt-out', () => {
  const own = (isVerified: boolean) =>
    pool.query<{ id: string }>('update servers set owner_id = $1, is_verified = $2 returning id', [
      owner.id,
      isVerified,
    ])

  it.each(['203.0.113.1', 'play.example'])(
    'removes %s for good: for sources, for accounts, and without the account',
    async (host) => {
      await run(host)
      const { rows } = await own(true)
      const server = rows[0]?.id ?? ''
      expect(await call(other, 'POST', `/servers/${server}/opt-out`)).toMatchObject({ status: 403 })
      expect(await call(owner, 'POST', `/servers/${server}/opt-out`)).toMatchObject({ status: 200 })
      expect(await call(undefined, 'GET', `/servers/${server}`)).toMatchObject({ status: 404 })
      await pool.query('delete from servers')
      await pool.query('update discovery_blocks set created_by = null')
      expect(await run(host)).toMatchObject({ added: 0, refused: { blocked: 1 } })
      const listing = { name: 'Again', ipAddress: host, game: 'minetest', gamePort: 30_000 }
      expect(await call(other, 'POST', '/servers', listing)).toMatchObject({
        status: 400,
        body: { error: 'opted_out' },
      })
      const beside = await call(other, 'POST', '/servers', { ...listing, gamePort: 30_001 })
      const elsewhere = await call(other, 'POST', '/servers', { ...listing, ipAddress: '198.51.100.9' })
      const bedrock = {
        ...listing,
        ipAddress: '198.51.100.10',
        game: 'minecraft',
        bedrockAddress: host,
        bedrockPort: 30_000,
      }
      for (const reply of [
        await call(other, 'PATCH', `/servers/${idOf(beside)}`, { queryPort: 30_000 }),
        await call(other, 'PATCH', `/servers/${idOf(elsewhere)}`, { ipAddress: host }),
        await call(other, 'POST', '/servers', bedrock),
      ])
        expect(reply).toMatchObject({ status: 400, body: { error: 'opted_out' } })
    },
  )

  it('wins over an account that lists the address at the same time', async () => {
    await run('203.0.113.1')
    await own(true)
    const optingOut = await pool.connect()
    await optingOut.query('begin')
    await optingOut.query(
      `insert into discovery_blocks (id, network, port, is_opt_out)
       select gen_random_uuid(), ip_address::inet, query_port, true from servers`,
    )
    await optingOut.query('update servers set deleted_at = now()')
    const listing = { name: 'Again', ipAddress: '203.0.113.1', game: 'minetest', gamePort: 30_000 }
    const adding = call(other, 'POST', '/servers', listing)
    await expect.poll(() => countLockWaits(pool)).toBe(1)
    await optingOut.query('commit')
    optingOut.release()
    expect(await adding).toMatchObject({ status: 400, body: { error: 'opted_out' } })
    expect(await listedHosts()).toEqual([])
  })

  it('of a name is of the address that was proven, wherever the name leads now', async () => {
    NAMES['moving.example'] = '198.51.100.66'
    await run('moving.example')
    const { rows } = await own(true)
    await pool.query(`update servers set proven_address = '198.51.100.66'`)
    await run('203.0.113.7')
    NAMES['moving.example'] = '203.0.113.7'
    expect(await call(owner, 'POST', `/servers/${rows[0]?.id}/opt-out`)).toMatchObject({ status: 200 })
    expect(await run('203.0.113.7', '198.51.100.66')).toMatchObject({ added: 0, refused: { blocked: 1 } })
    expect(await run('moving.example')).toMatchObject({ added: 0, refused: { blocked: 1 } })
    await runDiscoveryUpkeep(api.deps, await resolveNamesForBlocks(pool, createAddressOf(options.resolve)))
    expect(await listedHosts()).toEqual(['203.0.113.7'])
  })

  it('needs the proof', async () => {
    await run('203.0.113.1')
    const { rows } = await own(false)
    expect(await call(owner, 'POST', `/servers/${rows[0]?.id}/opt-out`)).toMatchObject({
      status: 400,
      body: { error: 'not_verified' },
    })
    expect(await listedHosts()).toEqual(['203.0.113.1'])
  })
})

describe('sources', () => {
  it('are listed with what their last run found, also those that never ran', async () => {
    await run('203.0.113.1')
    await pool.query(
      `insert into discovery_sources (source, next_run_at, finished_at, found, refused) values ('luanti', now(), now(), 3, '{"private": 2}')`,
    )
    const { body } = await call(admin, 'GET', '/admin/discovery/sources')
    expect(body).toMatchObject({
      sources: [
        { source: 'beammp', isEnabled: true, listed: 0, finishedAt: null, nextRunAt: null, found: 0, refused: {} },
        { source: 'luanti', isEnabled: true, listed: 1, found: 3, refused: { private: 2 }, error: null },
      ],
    })
  })

  it('run when an administrator says so, and once for two requests', async () => {
    for (const _ of [1, 2])
      expect(await call(admin, 'POST', '/admin/discovery/sources/luanti/run')).toMatchObject({ status: 200 })
    expect(await api.deps.jobs.boss.findJobs(discovery.queue, { queued: true })).toHaveLength(1)
    expect(await call(admin, 'POST', '/admin/discovery/sources/steam/run')).toMatchObject({ status: 404 })
  })
})
