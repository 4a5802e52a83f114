// The proof query: a new source port for each try, and no trust in one of several answers.
import dgram from 'node:dgram'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { answer, type ServerInfo } from '../../../dev/simulator/a2s.ts'
import { startSimulatedServer } from '../../../dev/simulator/server.ts'
import { createProofQuery } from '../../../workers/claims/proof-query.ts'
import { createQueryPool } from '../../../workers/polling/query-pool.ts'
import { hasNoIpv6 } from '../../support/ipv6.ts'

const TOKEN = 'sd-verify-abcdefghijkmnopq'
const pool = createQueryPool({ concurrency: 5 })
afterAll(() => pool.close())
const prove = createProofQuery({
  pool,
  resolve: async ({ host }) => ({ address: host }),
  tries: { online: [300, 400], offline: [300, 400] },
})
const targetOf = ({ address, port }: { address: string; port: number }) => ({
  game: 'protocol-valve',
  ipAddress: address,
  gamePort: port,
  gamePortGiven: true,
  queryPort: port,
  isOnline: true,
})
const INFO: ServerInfo = {
  name: 'The real one',
  map: 'TheIsland',
  players: 0,
  maxPlayers: 70,
  version: '1.0.0.0',
  keywords: '',
  gamePort: 7777,
  rules: {},
}

/** A server whose address also sends forged answers, which `forge` makes from the real one, before or after it. */
async function startForged(
  forge: { info: ServerInfo; isFirst: boolean; delayMs?: number },
  address: '127.0.0.1' | '::1' = '127.0.0.1',
) {
  const socket = dgram.createSocket(address === '::1' ? 'udp6' : 'udp4')
  onTestFinished(() => new Promise<void>((resolve) => socket.close(() => resolve())))
  socket.on('message', (request, peer) => {
    const send = (info: ServerInfo) => {
      for (const datagram of answer(request, info)) socket.send(datagram, peer.port, peer.address)
    }
    const [first, second] = forge.isFirst ? [forge.info, INFO] : [INFO, forge.info]
    send(first)
    setTimeout(send, forge.delayMs ?? 0, second)
  })
  await new Promise<void>((resolve) => socket.bind(0, address, resolve))
  return { address, port: socket.address().port }
}

test('accepts a server that answers once', async () => {
  const game = await startSimulatedServer({ info: { name: `Mine ${TOKEN}` } })
  onTestFinished(() => game.close())
  expect(await prove(targetOf(game), [TOKEN])).toMatchObject({ shown: [TOKEN] })
  game.info.name = 'Mine'
  game.info.rules = { proof: TOKEN }
  expect(await prove(targetOf(game), [TOKEN])).toMatchObject({ shown: [TOKEN] })
  game.info.rules = {}
  expect(await prove(targetOf(game), [TOKEN])).toMatchObject({ shown: [] })
  game.faults.silent = true
  expect(await prove(targetOf(game), [TOKEN])).toMatchObject({ shown: 'silent' })
})

test.skipIf(hasNoIpv6())('accepts a server over IPv6, and no forged answer there', async () => {
  const game = await startSimulatedServer({ address: '::1', info: { name: `Mine ${TOKEN}` } })
  onTestFinished(() => game.close())
  expect(await prove(targetOf(game), [TOKEN])).toMatchObject({ shown: [TOKEN] })
  const forged = await startForged({ info: { ...INFO, name: TOKEN }, isFirst: true }, '::1')
  expect(await prove(targetOf(forged), [TOKEN])).toMatchObject({ shown: 'contradictory' })
})

test('uses another port each time', async () => {
  const game = await startSimulatedServer({ info: { name: TOKEN } })
  onTestFinished(() => game.close())
  const ports: Set<number>[] = []
  for (let n = 0; n < 4; n++) {
    const seen = new Set<number>()
    game.onRequest = (port) => seen.add(port)
    await prove(targetOf(game), [TOKEN])
    ports.push(seen)
  }
  expect(ports.map(({ size }) => size)).toEqual([1, 1, 1, 1])
  expect(new Set(ports.flatMap((seen) => [...seen])).size).toBe(4)
})

test.each([
  ['comes before the server’s own', { isFirst: true }],
  ['comes some time before the server’s own', { isFirst: true, delayMs: 300 }],
  ['comes after the server’s own', { isFirst: false }],
])('accepts neither of two answers when the forged one %s', async (_when, order) => {
  const forged = { ...INFO, name: `Forged ${TOKEN}` }
  expect(await prove(targetOf(await startForged({ info: forged, ...order })), [TOKEN])).toMatchObject({
    shown: 'contradictory',
  })
})

test('accepts a datagram that the network has duplicated', async () => {
  const info = { ...INFO, name: TOKEN }
  const socket = dgram.createSocket('udp4')
  onTestFinished(() => new Promise<void>((resolve) => socket.close(() => resolve())))
  socket.on('message', (request, peer) => {
    for (const datagram of answer(request, info))
      for (let copy = 0; copy < 2; copy++) socket.send(datagram, peer.port, peer.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  expect(await prove(targetOf({ address: '127.0.0.1', port: socket.address().port }), [TOKEN])).toMatchObject({
    shown: [TOKEN],
  })
})
