// Adding servers: all rows of a server or none, and each address once, also concurrently.
import pg from 'pg'
import { beforeEach, expect, test } from 'vitest'
import { removeServerAndNotify } from '../../../src/features/server-removal/index.ts'
import { createServers, type NewServerInput } from '../../../src/features/servers/index.ts'
import { createTestDatabase, emptyTables } from '../../support/database.ts'

const { pool, url } = await createTestDatabase()
const servers = createServers({ pool, settings: { DEFAULT_GAME: 'arma3' } })
const TABLES = ['servers', 'server_status', 'server_counters', 'server_uptime', 'server_polls']

const server = (n: number, fields: Partial<NewServerInput> = {}): NewServerInput => ({
  name: `Server ${n}`,
  ipAddress: `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`,
  gamePort: 2302,
  ...fields,
})

async function counts(): Promise<Record<string, number>> {
  const { rows } = await pool.query(
    `select ${TABLES.map((table) => `(select count(*) from ${table}) as ${table}`).join(', ')}`,
  )
  return rows[0]
}
const each = (count: number) => Object.fromEntries(TABLES.map((table) => [table, count]))

beforeEach(async () => {
  await emptyTables(pool, 'servers')
})

test('a server gets all of its rows: counters of this month, no uptime yet, a due poll', async () => {
  const added = await servers.add(server(1, { name: '  First ', tags: 'b,a', rates: 'xp:2', gameMode: 'PvE' }))
  expect(added).toEqual({ id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/), name: 'First' })
  const { rows } = await pool.query(
    `select name, game, ip_address, game_port, query_port, game_mode, tags, rates, owner_id, is_verified, last_wipe_at,
       is_online, current_players, consecutive_failures, last_polled_at, total_votes, monthly_votes,
       votes_month = date_trunc('month', now())::date as this_month, day, next_poll_at <= now() as due, cycle
     from servers
     join server_status on server_status.server_id = id
     join server_counters on server_counters.server_id = id
     join server_uptime on server_uptime.server_id = id
     join server_polls on server_polls.server_id = id
     where id = $1`,
    [added.id],
  )
  expect(rows).toEqual([
    {
      name: 'First',
      game: 'arma3',
      ip_address: '10.0.0.1',
      game_port: 2302,
      query_port: 2303,
      game_mode: 'PvE',
      tags: ['b', 'a'],
      rates: 'xp:2',
      owner_id: null,
      is_verified: false,
      last_wipe_at: null,
      is_online: false,
      current_players: 0,
      consecutive_failures: 0,
      last_polled_at: null,
      total_votes: 0,
      monthly_votes: 0,
      this_month: true,
      day: null,
      due: true,
      cycle: 0,
    },
  ])
})

test('a used address and query port is refused, with the claim endpoint of its server', async () => {
  const { id } = await servers.add(server(1, { ipAddress: 'play.example.com' }))
  await expect(servers.add(server(2, { ipAddress: 'PLAY.example.com.', name: 'Another' }))).rejects.toMatchObject({
    status: 400,
    code: 'already_listed',
    message: `play.example.com:2303 is already listed as server ${id}; if it is yours, claim it with POST /api/servers/${id}/claim`,
  })
  await servers.add(server(2, { ipAddress: 'play.example.com', queryPort: 2304 }))
  expect(await counts()).toEqual(each(2))
})

test('an invalid field is refused with its name and rule, and nothing is written', async () => {
  await expect(servers.add(server(1, { gamePort: 0, website: 'javascript:x' }))).rejects.toMatchObject({
    status: 400,
    code: 'validation_failed',
    fields: {
      details: [
        { path: 'gamePort', message: 'must be from 1 to 65535' },
        { path: 'website', message: 'must be an http or https URL' },
      ],
    },
  })
  expect(await counts()).toEqual(each(0))
})

test('of many, the valid ones are added and each invalid one is reported, in their order', async () => {
  const listed = await servers.add(server(7))
  const results = await servers.addMany([server(1), server(2, { name: 'x' }), server(7), server(3), server(1)])
  expect(results).toEqual([
    { id: expect.any(String), name: 'Server 1' },
    { error: expect.objectContaining({ code: 'validation_failed' }) },
    { error: expect.objectContaining({ code: 'already_listed' }), holderId: listed.id },
    { id: expect.any(String), name: 'Server 3' },
    // A repeated row names the first of the two.
    {
      error: expect.objectContaining({ code: 'already_listed' }),
      holderId: (results[0] as { id: string } | undefined)?.id,
    },
  ])
  expect(await counts()).toEqual(each(3))
  expect(await servers.addMany([])).toEqual([])
})

test('twenty thousand are added at once; their ids keep the order', async () => {
  const many = Array.from({ length: 20_000 }, (_, n) =>
    server(n, { tags: ['a', 'b'].slice(n % 3), description: `No. ${n}` }),
  )
  const results = await servers.addMany(many)
  expect(results.filter((result) => 'error' in result)).toEqual([])
  expect(await counts()).toEqual(each(20_000))
  const ids = results.map((result) => ('id' in result ? result.id : ''))
  expect(ids).toEqual([...ids].sort())
  const { rows } = await pool.query('select tags, description from servers where id = any($1) order by id', [
    ids.slice(10, 13),
  ])
  expect(rows).toEqual([
    { tags: ['b'], description: 'No. 10' },
    { tags: [], description: 'No. 11' },
    { tags: ['a', 'b'], description: 'No. 12' },
  ])
})

test('imports that overlap in opposite orders all finish, and each address is listed once', async () => {
  const forward = Array.from({ length: 2_000 }, (_, n) => server(n))
  const results = await Promise.all(
    [forward, [...forward].reverse(), forward, [...forward].reverse()].map((list) => servers.addMany(list)),
  )
  expect(results.flat().filter((result) => 'id' in result)).toHaveLength(2_000)
  expect(results.flat().every((result) => 'id' in result || result.error.code === 'already_listed')).toBe(true)
  expect(await counts()).toEqual(each(2_000))
})

test('each write notifies the directory once it is committed, and a refused one does not', async () => {
  const listener = new pg.Client({ connectionString: url })
  await listener.connect()
  try {
    let heard = 0
    listener.on('notification', () => heard++)
    await listener.query('listen directory_changed')
    const { id } = await servers.add(server(1))
    await expect.poll(() => heard).toBe(1)
    await expect(servers.add(server(1))).rejects.toThrow('already listed')
    await removeServerAndNotify(pool, '019a0000-0000-7000-8000-000000000000')
    await removeServerAndNotify(pool, id)
    await expect.poll(() => heard).toBe(2)
    await servers.addMany([server(2), server(3)])
    await expect.poll(() => heard).toBe(3)
  } finally {
    await listener.end()
  }
})

test('the list is searched in names and addresses, literally, page by page', async () => {
  await servers.addMany([
    server(1, { name: '100% Vanilla' }),
    server(2, { name: 'Modded' }),
    server(3, { name: 'vanilla two', ipAddress: 'van.example' }),
  ])
  const names = async (options: Parameters<typeof servers.list>[0]) =>
    (await servers.list(options)).map((listed) => listed.name)
  expect(await names({})).toEqual(['100% Vanilla', 'Modded', 'vanilla two'])
  expect(await names({ search: 'VANILLA' })).toEqual(['100% Vanilla', 'vanilla two'])
  expect(await names({ search: '%' })).toEqual(['100% Vanilla'])
  expect(await names({ search: 'van.example' })).toEqual(['vanilla two'])
  const [first] = await servers.list({ limit: 1 })
  expect(await names({ after: first?.id ?? '', limit: 1 })).toEqual(['Modded'])
})

test('an unsupported default game prevents the start', () => {
  expect(() => createServers({ pool, settings: { DEFAULT_GAME: 'chess' } })).toThrow(
    'bad setting: DEFAULT_GAME must be a gamedig type id',
  )
})
