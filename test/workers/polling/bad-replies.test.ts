// A bad reply affects neither other queries nor the process.
import net from 'node:net'
import { gzipSync } from 'node:zlib'
import { protocols } from 'gamedig'
import { describe, expect, it, onTestFinished } from 'vitest'
import { seededRandom, startFleet } from '../../../dev/simulator/fleet.ts'
import { type Faults, startSimulatedServer } from '../../../dev/simulator/server.ts'
import { BOUNDS } from '../../../workers/polling/bounds.ts'
import { httpServer, openAsk, tcpServer, udpServer, writeEndlessly } from './far-end.ts'

/** A response: header, length, number of words, then each with its length and a zero byte. */
function battlefieldPacket(words: readonly string[]): Buffer {
  const parts = words.map((word) => {
    const part = Buffer.alloc(word.length + 5)
    part.writeUInt32LE(word.length)
    part.write(word, 4)
    return part
  })
  const head = Buffer.alloc(12)
  head.writeUInt32LE(0x4000_0000, 0)
  head.writeUInt32LE(12 + Buffer.concat(parts).length, 4)
  head.writeUInt32LE(words.length, 8)
  return Buffer.concat([head, ...parts])
}

describe('a bad reply', () => {
  it.each(['malformed', 'truncated', 'oversized', 'endless'] satisfies Faults['reply'][])(
    '(%s) over UDP does not affect simultaneous queries',
    async (reply) => {
      // An endless reply is 2.4 MB at once, sent by this very process.
      const bad = await startFleet({
        count: reply === 'endless' ? 1 : 20,
        first: 810_000,
        each: () => ({ faults: { reply }, random: seededRandom(7) }),
      })
      const good = await startFleet({ count: 60, first: 811_000 })
      onTestFinished(bad.close)
      onTestFinished(good.close)
      // All servers share two sockets, so the good ones receive next to everything the bad ones send.
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
    onTestFinished(good.close)
    const before = process.memoryUsage().rss
    const asking = Promise.all(Array.from({ length: 6 }, () => ask('minecraft', place)))
    for (let n = 0; n < 20; n++) expect(await ask('ase', good)).toMatchObject({ answered: true })
    for (const outcome of await asking) expect(outcome.answered).toBe(false)
    expect(written.length).toBeGreaterThan(0)
    // The kernels' buffers on both ends add to the limit.
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

  it('that decompresses to a flood over HTTP stays compressed', async () => {
    let encoding: string | undefined
    const place = await httpServer('127.81.2.5', (request, response) => {
      encoding = request.headers['accept-encoding']
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      response.end(gzipSync(Buffer.alloc(50_000_000, ' ')))
    })
    expect(await openAsk()('protocol-eldewrito', place)).toMatchObject({ answered: false })
    expect(encoding).toBeUndefined()
  })

  it('over HTTP can’t redirect us', async () => {
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

  it('that says it is compressed is refused without decompression', async () => {
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
    for (const game of [
      'protocol-samp',
      'protocol-unreal2',
      'protocol-starmade',
      'protocol-gamespy3',
      'protocol-quake3',
    ])
      expect(await ask(game, place), game).toMatchObject({ answered: false })
  })

  it.each([
    ['serverInfo', ['OK', 'B', '0', '64', 'CQ', 'map', '0', '1', '1e15']],
    ['listPlayers', ['OK', '0', '1e15']],
    ['listPlayers', ['OK', '1e15', 'name']],
  ])('of a Battlefield server to %s with a number of words that are not there ends (%j)', async (command, words) => {
    const replies: Record<string, string[]> = {
      serverInfo: ['OK', 'B', '0', '64', 'CQ', 'map', '0', '1', '1', '50', '100', 'ok'],
      version: ['OK', 'BF4', '1'],
      listPlayers: ['OK', '1', 'name', '0'],
      [command]: words,
    }
    const place = await tcpServer('127.81.2.10', (socket) => {
      socket.on('data', (request) => {
        const asked = Object.keys(replies).find((name) => request.includes(name))
        socket.write(battlefieldPacket(replies[asked ?? ''] ?? []))
      })
    })
    const outcome = await openAsk({ tries: [1_000] })('battlefield4', place)
    expect(outcome).toMatchObject({ answered: false, reason: 'unreadable' })
  })

  it('of a Murmur server with half a megabyte of “<” is read at once', async () => {
    const reply = { name: 'M', root: { description: '<'.repeat(400_000), channels: [], users: [] } }
    const place = await tcpServer('127.81.2.11', (socket) => {
      socket.once('data', () => socket.write(JSON.stringify(reply)))
    })
    expect(await openAsk({ tries: [3_000] })('protocol-mumble', place)).toMatchObject({ answered: true })
  })

  it('of any kind, to any protocol, ends in time without an unhandled error', async () => {
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
    // Protocols that query their publisher's server list instead of the server would leave this machine.
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
        onTestFinished(() => {
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
