// What a probe finds out about an address of which only a port, or nothing, is known.
import { expect, onTestFinished, test } from 'vitest'
import { startSimulatedServer } from '../../dev/simulator/server.ts'
import { likelyTargets } from '../../src/features/games/index.ts'
import { createProber } from '../../workers/servers/probe.handler.ts'
import { tcpServer, udpServer } from './polling/far-end.ts'
import { bedrockServer, minecraftServer } from './polling/minecraft-server.ts'

const RUST = 252_490
const ARK = 346_110

function proberFor(allowPrivate = true) {
  const prober = createProber({ settings: { ALLOW_PRIVATE_TARGETS: allowPrivate } })
  onTestFinished(() => prober.close())
  return (ipAddress: string, port: number | undefined, types: readonly string[] = []) => {
    const [first, ...others] = likelyTargets(port, types).map((target) => ({
      ...target,
      gamePortGiven: port !== undefined,
    }))
    if (!first) throw new Error('nothing to ask')
    return prober.handle({ ...first, ipAddress, others, typedPort: port })
  }
}

const simulated = async (options: Parameters<typeof startSimulatedServer>[0]) => {
  const game = await startSimulatedServer(options)
  onTestFinished(game.close)
  return game
}

test('a game on Steam is known by its number, at any port', async () => {
  const info = { name: 'Rustafied EU', appId: RUST, players: 134, maxPlayers: 200 }
  const game = await simulated({ address: '127.88.1.1', info })
  const found = { game: 'rust', gamePort: game.port, queryPort: game.port, hasPassword: false }
  expect(await proberFor()(game.address, game.port)).toMatchObject({
    outcome: 'answered',
    name: 'Rustafied EU',
    players: 134,
    maxPlayers: 200,
    found,
  })
})

test('a typed game port finds the query port of the game, and a typed query port the game port', async () => {
  const info = { name: 'Island', appId: ARK, gamePort: 7777 }
  const game = await simulated({ address: '127.88.1.2', port: 27_015, info })
  const found = { game: 'ase', gamePort: 7777, queryPort: 27_015, hasPassword: false }
  expect(await proberFor()(game.address, 7777)).toMatchObject({ outcome: 'answered', found })
  expect(await proberFor()(game.address, 27_015)).toMatchObject({ outcome: 'answered', found })
})

test('another server of the same machine is no answer, and nothing is said of it', async () => {
  const game = await simulated({ address: '127.88.1.3', port: 27_015, info: { appId: ARK, gamePort: 7779 } })
  expect(await proberFor()(game.address, 7777)).toEqual({ outcome: 'silent' })
  expect(game.requests).toBeGreaterThan(0)
})

test('the editions of Minecraft are recognized', async () => {
  const java = await minecraftServer('127.88.1.4', { description: 'Java' })
  expect(await proberFor()(java.address, java.port)).toMatchObject({
    found: { game: 'minecraft', gamePort: java.port },
  })
  const bedrock = await bedrockServer('127.88.1.5')
  expect(await proberFor()(bedrock.address, bedrock.port)).toMatchObject({
    found: { game: 'mbe', gamePort: bedrock.port },
  })
})

test('without a port, players need none', async () => {
  const java = await minecraftServer('127.88.1.6', { description: 'Java' }, 25_565)
  const found = { game: 'minecraft', gamePort: null, queryPort: 25_565 }
  expect(await proberFor()(java.address, undefined)).toMatchObject({ outcome: 'answered', found })
})

test('a service that is no game has the outcome of a closed port', async () => {
  const ssh = await tcpServer('127.88.1.7', (socket) => socket.write('SSH-2.0-OpenSSH_9.9\r\n'))
  const echo = await udpServer('127.88.1.8', (request, reply) => reply(request))
  for (const { address, port } of [ssh, echo, { address: '127.88.1.9', port: 9 }])
    expect(await proberFor()(address, port)).toEqual({ outcome: 'silent' })
})

test('private addresses are not asked, and names that lead there have the outcome of those that do not exist', async () => {
  const game = await simulated({ address: '127.88.1.10', info: { appId: RUST } })
  for (const host of [game.address, 'localhost', 'does-not-exist.invalid'])
    expect(await proberFor(false)(host, game.port)).toEqual({ outcome: 'unresolved' })
  expect(game.requests).toBe(0)
})
