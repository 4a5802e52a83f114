// Querying one server: how an answer is read, and what counts as no answer.
import { games, protocols } from 'gamedig'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startSimulatedServer } from '../../../dev/simulator/server.ts'
import { createAskServer } from '../../../workers/polling/query.ts'
import { createQueryPool } from '../../../workers/polling/query-pool.ts'
import { createTargetResolver } from '../../../workers/polling/target-address.ts'
import { openAsk, tcpServer, udpServer } from './far-end.ts'

describe('an answer', () => {
  it('has players, map and version of a Source server', async () => {
    const server = await startSimulatedServer({
      address: '127.81.0.1',
      info: { map: 'Ragnarok', players: 17, maxPlayers: 70, version: '361.7' },
    })
    onTestFinished(server.close)
    expect(await openAsk()('ase', server)).toEqual({
      answered: true,
      address: '127.81.0.1',
      players: 17,
      bots: 0,
      hasPassword: false,
      maxPlayers: 70,
      map: 'Ragnarok',
      version: '361.7',
      profile: { name: 'Simulated server' },
      queryMs: expect.toSatisfy((ms: number) => Number.isInteger(ms) && ms >= 0 && ms < 3000),
    })
  })

  it('has the same of Mumble, whose numbers are limited', async () => {
    const place = await udpServer('127.81.0.2', (request, reply) => {
      const answer = Buffer.alloc(24)
      answer.set([0, 1, 5, 735 & 255])
      request.copy(answer, 4, 4, 12)
      answer.writeUInt32BE(42, 12)
      answer.writeUInt32BE(4_000_000_000, 16)
      reply(answer)
    })
    expect(await openAsk()('protocol-mumbleping', place)).toMatchObject({
      answered: true,
      players: 42,
      maxPlayers: 1_000_000,
      version: '1.5.223',
    })
  })

  it('has the same of Minecraft, over TCP and in pieces', async () => {
    const status = { version: { name: '1.21.4' }, players: { online: 3, max: 20 }, description: 'A §aserver' }
    const json = Buffer.from(JSON.stringify(status))
    const packet = Buffer.concat([Buffer.from([json.length + 2, 0, json.length]), json])
    const place = await tcpServer('127.81.0.3', (socket) => {
      socket.setNoDelay(true)
      socket.once('data', () => {
        for (let at = 0; at < packet.length; at += 10) setTimeout(() => socket.write(packet.subarray(at, at + 10)), at)
      })
    })
    // Minecraft is queried in three ways at once; the query waits for the two that stay silent.
    expect(await openAsk({ tries: [400] })('minecraft', place)).toMatchObject({
      answered: true,
      players: 3,
      maxPlayers: 20,
      version: '1.21.4',
    })
  })

  it('arrives after failed tries', async () => {
    const server = await startSimulatedServer({ address: '127.81.0.4', faults: { silent: true } })
    onTestFinished(server.close)
    const asking = openAsk({ tries: [100, 100, 1_000] })('ase', server)
    setTimeout(() => {
      server.faults.silent = false
    }, 150)
    expect(await asking).toMatchObject({ answered: true })
  })
})

describe('no answer', () => {
  it('is the result when every try times out', async () => {
    const server = await startSimulatedServer({ address: '127.81.1.1', faults: { silent: true } })
    onTestFinished(server.close)
    const from = performance.now()
    expect(await openAsk({ tries: [50, 100] })('ase', server)).toMatchObject({ answered: false, reason: 'silent' })
    expect(performance.now() - from).toBeGreaterThan(145)
  })

  it('is skipped, not a failure, when the batch ends while the name is being resolved', async () => {
    const pool = createQueryPool({ concurrency: 1 })
    onTestFinished(() => pool.close())
    const ask = createAskServer({ pool, resolve: () => new Promise(() => undefined) })
    const batch = new AbortController()
    const asking = ask({ game: 'ase', ipAddress: 'silent.example', queryPort: 27015, isOnline: true }, batch.signal)
    batch.abort()
    expect(await asking).toMatchObject({ answered: false, reason: 'skipped' })
  })

  it('is skipped at once, without a place in the pool, when the batch has ended', async () => {
    const pool = createQueryPool({ concurrency: 1 })
    onTestFinished(() => pool.close())
    const { promise: occupied, resolve: free } = Promise.withResolvers<void>()
    const occupying = pool.run('127.81.1.5', () => occupied)
    const ask = createAskServer({ pool, resolve: createTargetResolver({ allowPrivate: true }) })
    const target = { game: 'ase', ipAddress: '127.81.1.6', queryPort: 27015, isOnline: true }
    expect(await ask(target, AbortSignal.abort())).toMatchObject({ answered: false, reason: 'skipped' })
    free()
    await occupying
  })

  it('is the result when no TCP port is open', async () => {
    expect(
      await openAsk({ tries: [200] })('protocol-minecraftvanilla', { address: '127.81.1.2', port: 9 }),
    ).toMatchObject({
      answered: false,
      reason: 'silent',
    })
  })

  it.each(['no-such-game', 'protocol-nothing', 'constructor', 'protocol-toString', '', 'protocol-nadeo'])(
    'is the result for a game of type “%s”, which is not queried',
    async (game) => {
      expect(await openAsk()(game, { address: '127.81.1.3', port: 27015 })).toMatchObject({ reason: 'unknown game' })
    },
  )

  it('is the result for a private address in production', async () => {
    const server = await startSimulatedServer({ address: '127.81.1.4' })
    onTestFinished(server.close)
    const pool = createQueryPool({ concurrency: 1 })
    onTestFinished(() => pool.close())
    const ask = createAskServer({ pool, resolve: createTargetResolver({ allowPrivate: false }) })
    const target = {
      serverId: '',
      cycle: 1,
      game: 'ase',
      queryPort: server.port,
      isOnline: true,
      consecutiveFailures: 0,
    }
    for (const ipAddress of [server.address, 'localhost'])
      expect(await ask({ ...target, ipAddress })).toMatchObject({ answered: false, reason: 'refused' })
    expect(server.requests).toBe(0)
  })
})

it('every game of gamedig has a protocol that gamedig supports', () => {
  const lost = Object.entries(games).filter(([, { options }]) => !Object.hasOwn(protocols, options.protocol))
  expect(lost.map(([id]) => id)).toEqual([])
})
