// Finding out what runs at an address: what is answered, and that it is no tool to scan or to flood others.
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { startSimulatedServer } from '../../../dev/simulator/server.ts'
import { type ServerProbe, serverProbe, setHidden } from '../../../src/features/servers/index.ts'
import { createProber } from '../../../workers/servers/probe.handler.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { nextGameAddress } from '../../support/game-address.ts'
import { addPerson } from '../../support/people.ts'
import { type Caller, callerOf, serverFields } from '../servers/support.ts'

const RUST = 252_490
const api = await startTestApi()
const { pool } = api.database
const call = callerOf(api)
const recognize = (who: Caller, body: object) => call(who, 'POST', '/servers/recognize', body)
/** What workers were asked for. */
const asked: ServerProbe[] = []
const prober = createProber(api.deps)
afterAll(() => prober.close())
await api.deps.jobs.boss.work<ServerProbe>(serverProbe.queue, { pollingIntervalSeconds: 0.5 }, async ([job]) => {
  const target = job?.data as ServerProbe
  asked.push(target)
  return target.ipAddress.startsWith('127.') ? prober.handle(target) : { outcome: 'silent' }
})
beforeEach(() => {
  asked.length = 0
})

test('a pasted address is answered with the game, its numbers and what players type', async () => {
  const info = { name: 'Rustafied EU', appId: RUST, players: 134, maxPlayers: 200, map: 'Procedural Map' }
  const game = await startSimulatedServer({ address: nextGameAddress(), info })
  afterAll(game.close)
  const owner = await addPerson(pool)
  const typed = `client.connect ${game.address}:${game.port}`
  const { status, body } = await recognize(owner, { address: typed })
  expect(status).toBe(200)
  expect(body).toEqual({
    ipAddress: game.address,
    gamePort: game.port,
    queryPort: game.port,
    game: 'rust',
    gameName: 'Rust',
    connectAddress: `${game.address}:${game.port}`,
    hasPassword: false,
    listedId: null,
    result: {
      outcome: 'answered',
      name: 'Rustafied EU',
      players: 134,
      maxPlayers: 200,
      map: 'Procedural Map',
      version: '1.0.0.0',
      queryMs: expect.any(Number),
    },
  })
  expect((await pool.query('select from servers')).rows).toEqual([])
  const fields = { game: 'rust', ipAddress: game.address, gamePort: game.port, queryPort: game.port }
  const listed = await call(owner, 'POST', '/servers', serverFields(fields))
  const again = await recognize(owner, { address: typed })
  expect(again.body.listedId).toBe((listed.body as { server: { id: string } }).server.id)
})

test('a game that was chosen is the only one that is asked for, at its query port or the given one', async () => {
  const owner = await addPerson(pool)
  const address = `${nextGameAddress()}:7777`
  const { body } = await recognize(owner, { address, game: 'ase' })
  expect(body).toMatchObject({ game: 'ase', gamePort: 7777, queryPort: 27_015, result: { outcome: 'silent' } })
  await recognize(owner, { address, game: 'ase', queryPort: 27_020 })
  const targets = asked.map(({ game, queryPort, others = [] }) => [{ game, queryPort }, ...others])
  expect(targets.flat().map(({ game }) => game)).toEqual(['ase', 'ase', 'ase'])
  expect(targets[1]).toEqual([{ game: 'ase', queryPort: 27_020 }])
})

test('a query port without a game does not turn another server of the machine into an answer', async () => {
  const owner = await addPerson(pool)
  const info = { name: 'Another one', gamePort: 7779 }
  const game = await startSimulatedServer({ address: nextGameAddress(), port: 27_015, info })
  afterAll(game.close)
  const address = `${game.address}:7777`
  for (const body of [{ address }, { address, queryPort: 27_020 }])
    expect((await recognize(owner, body)).body).toMatchObject({ gamePort: 7777, result: { outcome: 'silent' } })
})

test('an address that players of a listed server join leads to it, wherever its queries go, and when it is silent', async () => {
  const owner = await addPerson(pool)
  const ipAddress = nextGameAddress()
  const fields = { game: 'rust', ipAddress, gamePort: 7782, queryPort: 31_999 }
  const { body } = await call(owner, 'POST', '/servers', serverFields(fields))
  const { id } = (body as { server: { id: string } }).server
  const found = await recognize(owner, { address: `steam://connect/${ipAddress}:7782` })
  expect(found.body).toMatchObject({ listedId: id, game: 'rust', gameName: 'Rust', result: { outcome: 'silent' } })
  expect(asked[0]).toMatchObject({ game: 'rust', queryPort: 31_999 })
  // Of two servers behind one address, neither is meant for sure.
  await call(owner, 'POST', '/servers', serverFields({ ...fields, queryPort: 32_000 }))
  expect((await recognize(owner, { address: `${ipAddress}:7782` })).body.listedId).toBeNull()
})

test('a hidden server is named to no one, and may not be claimed', async () => {
  const fields = { game: 'rust', ipAddress: '198.51.100.90', gamePort: 7783, queryPort: 31_998 }
  const { body } = await call(await addPerson(pool), 'POST', '/servers', serverFields(fields))
  const { id } = (body as { server: { id: string } }).server
  await setHidden(pool, id, true)
  const other = await addPerson(pool)
  const { ipAddress, gamePort, queryPort, game } = fields
  const replies = [
    await recognize(other, { address: `${ipAddress}:${gamePort}` }),
    await recognize(other, { address: `${ipAddress}:${gamePort}`, game, queryPort }),
    await call(other, 'POST', '/servers/probe', fields),
  ]
  expect(replies.map((reply) => [reply.status, reply.body.listedId])).toEqual([
    [200, null],
    [200, null],
    [200, null],
  ])
  const own = await call(other, 'POST', '/servers', serverFields({ ...fields, queryPort: 31_997 }))
  const { server } = own.body as { server: { id: string } }
  for (const refused of [
    await call(other, 'POST', '/servers', serverFields(fields)),
    await call(other, 'PATCH', `/servers/${server.id}`, { queryPort }),
  ]) {
    expect(refused).toMatchObject({ status: 400, body: { error: 'already_listed' } })
    expect(refused.body.message).toBe('198.51.100.90:31998 belongs to a listing that an administrator has hidden.')
  }
})

/** A new account asks about an address, by one operation or the other. */
async function lookAt(api: TestApi, n: number, host: string) {
  const fields = { ipAddress: host, gamePort: 27_000 + n, queryPort: 27_000 + n, game: 'rust' }
  const [path, body] = n % 2 ? ['/servers/probe', fields] : ['/servers/recognize', { address: `${host}:${27_000 + n}` }]
  return callerOf(api)(await addPerson(pool), 'POST', path, body)
}

describe('an attacker', () => {
  test('reaches no private address, in any notation', async () => {
    const strict = await startTestApi({ database: api.database, settings: { ALLOW_PRIVATE_TARGETS: 'false' } })
    const owner = await addPerson(pool)
    const attempts = [
      ...['10.0.0.1:27015', '127.0.0.1', '169.254.169.254:80', '[::1]:27015', '[::ffff:10.0.0.1]:80'],
      ...[
        'steam://connect/192.168.1.1:27015',
        'connect 172.16.0.1:28015',
        'minecraft://?addExternalServer=a|10.0.0.1:1',
      ],
    ]
    for (const address of attempts) {
      const { status, body } = await callerOf(strict)(owner, 'POST', '/servers/recognize', { address })
      expect([address, status, body.details]).toEqual([
        address,
        400,
        [{ path: 'body.address', message: 'must be a public address' }],
      ])
    }
    const other = await addPerson(pool)
    for (const address of ['0x7f000001', '2130706433', '127.1', '017700000001'])
      expect((await callerOf(strict)(other, 'POST', '/servers/recognize', { address })).status).toBe(400)
    expect(asked).toEqual([])
  })

  test('gets few questions out of one call, at the typed port and usual ports of games only', async () => {
    const owner = await addPerson(pool)
    await recognize(owner, { address: '198.51.100.7:22' })
    const ports = asked.flatMap(({ queryPort, others = [] }) => [queryPort, ...others.map((one) => one.queryPort)])
    expect(ports.length).toBeLessThanOrEqual(8)
    expect([...new Set(ports)].sort((a, b) => a - b)).toEqual([22, 23])
    asked.length = 0
    await recognize(owner, { address: '198.51.100.8' })
    const usual = asked.flatMap(({ queryPort, others = [] }) => [queryPort, ...others.map((one) => one.queryPort)])
    expect(usual.sort((a, b) => a - b)).toEqual([9987, 19_132, 25_565, 27_015, 28_015, 30_120])
  })

  test('is refused after ten calls of an account, and after twenty of a client address with more accounts', async () => {
    const target = (n: number) => ({ address: `not-asked-${n}.example.org:70000` })
    const one = await addPerson(pool)
    const statuses: number[] = []
    for (let n = 0; n < 11; n++) statuses.push((await recognize(one, target(n))).status)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 400), 429])
    const fresh = await startTestApi({ database: api.database })
    const calls = await Promise.all(
      Array.from({ length: 25 }, async (_, n) => lookAt(fresh, n, `198.51.100.${20 + n}`)),
    )
    expect(calls.filter(({ status }) => status === 200)).toHaveLength(20)
    expect(calls.filter(({ status }) => status === 429)).toHaveLength(5)
  })

  test('cannot have one host asked again and again, with whatever accounts', async () => {
    const fresh = await startTestApi({ database: api.database })
    const calls = await Promise.all(Array.from({ length: 15 }, async (_, n) => lookAt(fresh, n, '203.0.113.77')))
    expect(calls.filter(({ status }) => status === 200)).toHaveLength(12)
  })
})
