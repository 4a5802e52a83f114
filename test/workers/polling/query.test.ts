// Asking one server: what is believed of an answer, and that no reply, however bad, harms anybody else.
import dgram from 'node:dgram'
import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { games, protocols } from 'gamedig'
import { afterEach, describe, expect, it } from 'vitest'
import { seededRandom, startFleet } from '../../../tools/simulator/fleet.ts'
import { type Faults, startSimulatedServer } from '../../../tools/simulator/server.ts'
import { BOUNDS } from '../../../workers/polling/bounds.ts'
import { createAskServer, type Outcome, text } from '../../../workers/polling/query.ts'
import { createQueryPool } from '../../../workers/polling/query-pool.ts'
import { createTargetResolver } from '../../../workers/polling/target-address.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

type Ask = (game: string, place: { address: string; port: number }) => Promise<Outcome>

function openAsk(options: { tries?: number[]; concurrency?: number } = {}): Ask {
  const { tries = [1_000], concurrency = 100 } = options
  const pool = createQueryPool({ concurrency })
  closing.push(() => pool.close())
  const resolve = createTargetResolver({ allowPrivate: true })
  const ask = createAskServer({ pool, resolve, tries: { online: tries, offline: tries } })
  return (game, { address, port }) => ask({ game, ipAddress: address, queryPort: port, isOnline: true })
}

async function udpServer(address: string, onMessage: (request: Buffer, reply: (datagram: Buffer) => void) => void) {
  const socket = dgram.createSocket('udp4')
  socket.on('message', (request, peer) =>
    onMessage(request, (datagram) => socket.send(datagram, peer.port, peer.address, () => {})),
  )
  await new Promise<void>((resolve) => socket.bind(0, address, resolve))
  closing.push(() => socket.close())
  return { address, port: socket.address().port }
}

async function tcpServer(address: string, onSocket: (socket: net.Socket) => void) {
  const sockets = new Set<net.Socket>()
  const server = net.createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    onSocket(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, address, resolve))
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { address, port: (server.address() as AddressInfo).port }
}

async function httpServer(address: string, onRequest: http.RequestListener) {
  const server = http.createServer(onRequest)
  await new Promise<void>((resolve) => server.listen(0, address, resolve))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { address, port: (server.address() as AddressInfo).port }
}

/** Writes until the other side has had enough. @returns bytes the kernel took */
function writeEndlessly(socket: net.Socket, chunk: Buffer): { bytes: number } {
  const written = { bytes: 0 }
  const go = () => {
    while (!socket.destroyed && socket.writable) {
      written.bytes += chunk.length
      if (!socket.write(chunk)) break
    }
  }
  socket.on('drain', go)
  go()
  return written
}

describe('an answer', () => {
  it('tells players, map and version of a Source server', async () => {
    const server = await startSimulatedServer({
      address: '127.81.0.1',
      info: { map: 'Ragnarok', players: 17, maxPlayers: 70, version: '361.7' },
    })
    closing.push(server.close)
    expect(await openAsk()('ase', server)).toEqual({
      answered: true,
      players: 17,
      maxPlayers: 70,
      map: 'Ragnarok',
      version: '361.7',
    })
  })

  it('tells the same of Mumble, whose numbers are kept within reason', async () => {
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

  it('tells the same of Minecraft, over TCP and in pieces', async () => {
    const status = { version: { name: '1.21.4' }, players: { online: 3, max: 20 }, description: 'A §aserver' }
    const json = Buffer.from(JSON.stringify(status))
    const packet = Buffer.concat([Buffer.from([json.length + 2, 0, json.length]), json])
    const place = await tcpServer('127.81.0.3', (socket) => {
      socket.setNoDelay(true)
      socket.once('data', () => {
        for (let at = 0; at < packet.length; at += 10) setTimeout(() => socket.write(packet.subarray(at, at + 10)), at)
      })
    })
    // Minecraft is asked in three ways at once; the two that stay silent are waited for.
    expect(await openAsk({ tries: [400] })('minecraft', place)).toMatchObject({
      answered: true,
      players: 3,
      maxPlayers: 20,
      version: '1.21.4',
    })
  })

  it('comes after tries that failed', async () => {
    const server = await startSimulatedServer({ address: '127.81.0.4', faults: { silent: true } })
    closing.push(server.close)
    const asking = openAsk({ tries: [100, 100, 1_000] })('ase', server)
    setTimeout(() => {
      server.faults.silent = false
    }, 150)
    expect(await asking).toMatchObject({ answered: true })
  })

  it('has text in one line of a hundred characters, and none where there is none', () => {
    expect(text('  The\u0000Is\u0007land\r\n\u202e ')).toBe('The Is land')
    expect(text('x'.repeat(5_000))).toHaveLength(100)
    expect(Array.from(text('🦖'.repeat(200)))).toHaveLength(100)
    expect(text('lone \ud83e surrogate')).toBe('lone \ufffd surrogate')
    for (const nothing of ['undefined', 'null', undefined, null, 7, {}, ['x']]) expect(text(nothing)).toBe('')
  })
})

describe('no answer', () => {
  it('is silence after every try', async () => {
    const server = await startSimulatedServer({ address: '127.81.1.1', faults: { silent: true } })
    closing.push(server.close)
    const from = performance.now()
    expect(await openAsk({ tries: [50, 100] })('ase', server)).toMatchObject({ answered: false, reason: 'silent' })
    expect(performance.now() - from).toBeGreaterThan(145)
  })

  it('is silence where no TCP port is open', async () => {
    expect(
      await openAsk({ tries: [200] })('protocol-minecraftvanilla', { address: '127.81.1.2', port: 9 }),
    ).toMatchObject({
      answered: false,
      reason: 'silent',
    })
  })

  it.each(['no-such-game', 'protocol-nothing', 'constructor', 'protocol-toString', '', 'protocol-nadeo'])(
    'comes from a game of type “%s”, which is not asked',
    async (game) => {
      expect(await openAsk()(game, { address: '127.81.1.3', port: 27015 })).toMatchObject({ reason: 'unknown game' })
    },
  )

  it('is expected from a private address in production', async () => {
    const server = await startSimulatedServer({ address: '127.81.1.4' })
    closing.push(server.close)
    const pool = createQueryPool({ concurrency: 1 })
    closing.push(() => pool.close())
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

describe('a bad reply', () => {
  it.each(['malformed', 'truncated', 'oversized', 'endless'] satisfies Faults['reply'][])(
    '(%s) over UDP harms nobody who is asked at the same time',
    async (reply) => {
      // An endless one sends 2.4 MB at once, out of this very process.
      const bad = await startFleet({
        count: reply === 'endless' ? 1 : 20,
        first: 810_000,
        each: () => ({ faults: { reply }, random: seededRandom(7) }),
      })
      const good = await startFleet({ count: 60, first: 811_000 })
      closing.push(bad.close, good.close)
      // All share two instances, so everything the bad send passes by everybody else.
      const ask = openAsk({ tries: [500, 1_000, 2_000], concurrency: 100 })
      const [outcomes] = await Promise.all([
        Promise.all(good.servers.map((server) => ask('ase', server))),
        Promise.all(bad.servers.map((server) => ask('ase', server))),
      ])
      expect(outcomes.filter(({ answered }) => !answered)).toEqual([])
    },
  )

  it('without an end over TCP is cut off', async () => {
    const written: { bytes: number }[] = []
    const place = await tcpServer('127.81.2.1', (socket) => {
      socket.once('data', () => written.push(writeEndlessly(socket, Buffer.alloc(16_384, 0xff))))
    })
    const ask = openAsk({ tries: [700] })
    const good = await startSimulatedServer({ address: '127.81.2.2' })
    closing.push(good.close)
    const before = process.memoryUsage().rss
    const asking = Promise.all(Array.from({ length: 6 }, () => ask('minecraft', place)))
    for (let n = 0; n < 20; n++) expect(await ask('ase', good)).toMatchObject({ answered: true })
    for (const outcome of await asking) expect(outcome.answered).toBe(false)
    expect(written.length).toBeGreaterThan(0)
    // What kernels buffer on both ends comes on top of the bound.
    for (const { bytes } of written) expect(bytes).toBeLessThan(BOUNDS.tcpBytes + 16 * 1024 * 1024)
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024)
  })

  it('in countless small pieces over TCP is cut off', async () => {
    let pieces = 0
    const place = await tcpServer('127.81.2.3', (socket) => {
      socket.setNoDelay(true)
      const drip = () => {
        if (socket.destroyed) return
        pieces++
        socket.write(Buffer.from([0xff]), () => setImmediate(drip))
      }
      socket.once('data', drip)
    })
    expect(await openAsk({ tries: [1_000] })('protocol-minecraftvanilla', place)).toMatchObject({ answered: false })
    const after = pieces
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(pieces - after).toBeLessThanOrEqual(1)
  })

  it('without an end over HTTP is cut off', async () => {
    const written: { bytes: number }[] = []
    const place = await httpServer('127.81.2.4', (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      if (response.socket)
        written.push(writeEndlessly(response.socket, Buffer.from(`4000\r\n${'['.repeat(16_384)}\r\n`)))
    })
    const outcome = await openAsk({ tries: [2_000] })('protocol-eldewrito', place)
    expect(outcome).toMatchObject({ answered: false, reason: 'unreadable' })
    expect(written[0]?.bytes).toBeLessThan(BOUNDS.httpBytes + 16 * 1024 * 1024)
  })

  it('that unpacks to a flood over HTTP stays packed', async () => {
    let encoding: string | undefined
    const place = await httpServer('127.81.2.5', (request, response) => {
      encoding = request.headers['accept-encoding']
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      response.end(gzipSync(Buffer.alloc(50_000_000, ' ')))
    })
    expect(await openAsk()('protocol-eldewrito', place)).toMatchObject({ answered: false })
    expect(encoding).toBeUndefined()
  })

  it('over HTTP can’t send us elsewhere', async () => {
    let visited = 0
    const elsewhere = await httpServer('127.81.2.6', (_request, response) => {
      visited++
      response.end('{"name":"inside","numPlayers":1,"maxPlayers":2}')
    })
    const place = await httpServer('127.81.2.7', (_request, response) => {
      response.writeHead(302, { location: `http://${elsewhere.address}:${elsewhere.port}/` }).end()
    })
    expect(await openAsk()('protocol-eldewrito', place)).toMatchObject({ answered: false })
    expect(visited).toBe(0)
  })

  it('that says it is compressed is refused unopened', async () => {
    const place = await udpServer('127.81.2.8', (_request, reply) => {
      const head = Buffer.alloc(20)
      head.writeInt32LE(-2, 0)
      head.writeUInt32LE(0x8000_0001, 4)
      head.set([1, 0], 8)
      reply(Buffer.concat([head, Buffer.from('BZh91AY&SY')]))
    })
    expect(await openAsk({ tries: [500] })('ase', place)).toMatchObject({ answered: false, reason: 'unreadable' })
  })

  it('that announces four thousand million entries ends with its data', async () => {
    const place = await udpServer('127.81.2.9', (request, reply) => {
      if (request.length === 11) return reply(Buffer.from(`SAMP${'\0'.repeat(7)}`))
      reply(Buffer.alloc(200, 0xff))
    })
    const ask = openAsk({ tries: [300] })
    const from = performance.now()
    for (const game of [
      'protocol-samp',
      'protocol-unreal2',
      'protocol-starmade',
      'protocol-gamespy3',
      'protocol-quake3',
    ])
      await ask(game, place)
    expect(performance.now() - from).toBeLessThan(10_000)
  })

  it('of any kind, to any protocol, ends in time and throws nothing anybody has to catch', async () => {
    const random = seededRandom(20_261)
    const noise = (size: number) => Buffer.from(Array.from({ length: size }, () => Math.floor(random() * 256)))
    const heads = [
      '\xff\xff\xff\xffI',
      '\xff\xff\xff\xffA\x01\x02\x03\x04',
      '\xfe\xff\xff\xff\x01\x00\x00\x00\x02\x00',
      '\\',
      '\xff\xff\xff\xffstatusResponse\n',
      '\x09\x00\x00\x00\x01',
      '\x00\x00\x00\x00\x01',
      'SAMP',
      'EYE1',
      'HTTP/1.1 200 OK\r\n\r\n{"a":',
      '',
    ].map((head) => Buffer.from(head, 'latin1'))
    const reply = () => Buffer.concat([heads[Math.floor(random() * heads.length)] ?? noise(1), noise(random() * 300)])
    // Those that ask their publisher's list of servers instead of the server would leave this machine.
    const asksPublisher =
      /master|^(altvmp|asa|beammp|brokeprotocol|discord|epic|factorio|geneshift|hawakening|minetest|ragemp|renegadex|renown|scpsl|squad|theisleevrima|toxikk|tribes1|ut3|vintagestory)$/
    const ids = Object.keys(protocols).filter((id) => !asksPublisher.test(id))
    expect(ids.length).toBeGreaterThan(40)
    const ask = openAsk({ tries: [150, 150] })
    await Promise.all(
      ids.map(async (id, n) => {
        const address = `127.82.${n}.1`
        const { port } = await udpServer(address, (request, send) => {
          for (const datagram of [reply(), Buffer.concat([request.subarray(0, 8), noise(60)]), reply()]) send(datagram)
        })
        const sockets = new Set<net.Socket>()
        const tcp = net.createServer((socket) => {
          sockets.add(socket)
          socket.on('error', () => {})
          socket.on('data', () => socket.write(reply()))
        })
        await new Promise<void>((resolve) => tcp.listen(port, address, resolve))
        closing.push(() => {
          for (const socket of sockets) socket.destroy()
          tcp.close()
        })
        const outcome = await ask(`protocol-${id}`, { address, port })
        if (outcome.answered) {
          expect(Number.isSafeInteger(outcome.players)).toBe(true)
          expect(outcome.players).toBeLessThanOrEqual(1_000_000)
          expect(outcome.map.length).toBeLessThanOrEqual(200)
        }
      }),
    )
  })
})

it('every game gamedig knows has a protocol it knows', () => {
  const lost = Object.entries(games).filter(([, { options }]) => !Object.hasOwn(protocols, options.protocol))
  expect(lost.map(([id]) => id)).toEqual([])
})
