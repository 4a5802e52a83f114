// The RCON client against a real server on a real socket, well-behaved or faulty.
import net from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { freePort } from '../../../commands/start/ports.ts'
import { exchange, MAX_ANSWER_BYTES, RconFailure } from '../../../workers/rcon/exchange.ts'
import { createPacketReader, encodePacket, PacketError } from '../../../workers/rcon/packets.ts'
import { type RconServer, type RconServerOptions, startTestRconServer } from '../../support/rcon-server.ts'

const LONG = Array.from({ length: 600 }, (_, n) => `${n}. Jörg ${n}, 7656119800000${String(n).padStart(4, '0')}`).join(
  '\n',
)

const ask = (server: Pick<RconServer, 'port'>, command: string, more: Partial<Parameters<typeof exchange>[0]> = {}) =>
  exchange({
    address: '127.0.0.1',
    port: server.port,
    password: 'open sesame',
    command,
    timeoutMs: 5_000,
    quietMs: 250,
    ...more,
  })

const reasonOf = (answer: Promise<string>) =>
  answer.then(
    (text) => `answered ${text.length}`,
    (error: unknown) => (error instanceof RconFailure ? error.reason : String(error)),
  )

describe('returns the complete answer', () => {
  it.each<[string, RconServerOptions, string]>([
    ['in one packet', { answer: () => 'three players' }, 'three players'],
    ['in many packets', { answer: () => LONG }, LONG],
    [
      'in many short packets',
      { answer: () => Array.from({ length: 50 }, (_, n) => `${n} `) },
      Array.from({ length: 50 }, (_, n) => `${n} `).join(''),
    ],
    ['in TCP segments of 7 bytes', { answer: () => LONG.slice(0, 9_000), segment: 7 }, LONG.slice(0, 9_000)],
    ['byte by byte', { answer: () => 'ü and 漢', segment: 1 }, 'ü and 漢'],
    ['from a server that mirrors no end mark', { answer: () => LONG, mirrors: false }, LONG],
    [
      'of exactly one full packet from such a server',
      { answer: () => 'x'.repeat(4_086), mirrors: false },
      'x'.repeat(4_086),
    ],
    ['of nothing at all', { answer: () => '' }, ''],
    ['beside packets that are no answer', { answer: () => 'here', fault: 'chatter' }, 'here'],
    ['from a server that takes one packet at a time', { answer: () => LONG, fault: 'refuses-two-at-once' }, LONG],
    ['with an empty packet list, mirrored', { answer: () => [] }, ''],
  ])('%s', async (_what, options, expected) => {
    const server = await startTestRconServer(options)
    expect(await ask(server, 'listplayers')).toBe(expected)
    expect(server.commands).toEqual(['listplayers'])
    await expect.poll(() => server.connections()).toBe(0)
  })

  it('that is slow', async () => {
    const { promise, resolve } = Promise.withResolvers<string>()
    const server = await startTestRconServer({ answer: () => promise })
    const answer = ask(server, 'saveworld', { quietMs: 50 })
    await expect.poll(() => server.commands.length).toBe(1)
    setTimeout(() => resolve('World saved'), 500)
    expect(await answer).toBe('World saved')
  })

  it('sends commands unchanged', async () => {
    const server = await startTestRconServer()
    expect(await ask(server, 'broadcast "Grüße" 漢 ;&|')).toBe('you said: broadcast "Grüße" 漢 ;&|')
  })
})

describe('tells the reasons for a missing answer apart', () => {
  it.each<[string, RconServerOptions, string]>([
    ['a wrong password', { password: 'another' }, 'wrong_password'],
    ['a server that says nothing', { fault: 'mute' }, 'timeout'],
    ['a server that says nothing after the login', { fault: 'deaf' }, 'timeout'],
    ['a server that hangs up at the login', { fault: 'closes-at-login' }, 'disconnected'],
    ['a server that hangs up at the command', { fault: 'closes-at-command' }, 'disconnected'],
    ['a server that hangs up within a packet', { fault: 'closes-midway' }, 'disconnected'],
    ['a connection that breaks', { fault: 'resets' }, 'disconnected'],
    ['another protocol', { fault: 'http' }, 'protocol_error'],
    ['a packet too short to be one', { fault: 'tiny-packet' }, 'protocol_error'],
    ['a packet that announces a megabyte', { fault: 'huge-packet' }, 'answer_too_large'],
    ['an answer without end', { fault: 'endless' }, 'answer_too_large'],
  ])('%s', async (_what, options, reason) => {
    const server = await startTestRconServer(options)
    expect(await reasonOf(ask(server, 'status', { timeoutMs: 1_500 }))).toBe(reason)
    await expect.poll(() => server.connections()).toBe(0)
  })

  it('a closed port', async () => {
    expect(await reasonOf(ask({ port: await freePort() }, 'status'))).toBe('unreachable')
  })

  it('does not send the command after a wrong password', async () => {
    const server = await startTestRconServer()
    expect(await reasonOf(ask(server, 'status', { password: 'wrong' }))).toBe('wrong_password')
    expect(server.commands).toEqual([])
  })

  it('times out on a peer that disappeared without closing the connection', async () => {
    // Its end is neither read nor closed, as after a power cut.
    const silent = net.createServer((socket) => socket.pause()).listen(0, '127.0.0.1')
    await new Promise((resolve) => silent.once('listening', resolve))
    try {
      const { port } = silent.address() as net.AddressInfo
      expect(await reasonOf(ask({ port }, 'status', { timeoutMs: 400 }))).toBe('timeout')
    } finally {
      silent.close()
    }
  })

  it('completes the answer when a stopped server closes the connection', async () => {
    const server = await startTestRconServer({ answer: () => 'Exiting', mirrors: false })
    const answer = ask(server, 'doexit', { quietMs: 60_000 })
    await expect.poll(() => server.commands.length).toBe(1)
    setTimeout(() => void server.close(), 200)
    expect(await answer).toBe('Exiting')
  })
})

describe('packets', () => {
  const bodies = fc.array(fc.string({ maxLength: 300, unit: 'grapheme' }), { minLength: 1, maxLength: 20 })

  it('are read as they were written, however TCP splits them', () => {
    fc.assert(
      fc.property(bodies, fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1 }), (texts, cuts) => {
        const bytes = Buffer.concat(texts.map((text, n) => encodePacket(n, 0, text)))
        const reader = createPacketReader(MAX_ANSWER_BYTES)
        const read: [number, string][] = []
        let at = 0
        for (let n = 0; at < bytes.length; n++) {
          const piece = bytes.subarray(at, at + (cuts[n % cuts.length] ?? 1))
          at += piece.length
          for (const { id, body } of reader.push(piece)) read.push([id, body.toString()])
          expect(reader.isMidway).toBe(texts.length > read.length && isWithin(texts, at))
        }
        expect(read).toEqual(texts.map((text, n) => [n, text]))
      }),
    )
  })

  it('never exceed the limit, for any input', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 2_000 }), { maxLength: 20 }), (pieces) => {
        const reader = createPacketReader(10_000)
        let taken = 0
        try {
          for (const piece of pieces) for (const { body } of reader.push(Buffer.from(piece))) taken += body.length
        } catch (error) {
          expect(error).toBeInstanceOf(PacketError)
        }
        expect(taken).toBeLessThanOrEqual(10_000)
      }),
    )
  })
})

/** Whether the byte at `at` is not the first of a packet. */
function isWithin(texts: string[], at: number): boolean {
  let start = 0
  for (const text of texts) {
    if (start === at) return false
    start += 14 + Buffer.byteLength(text)
  }
  return start !== at
}
