// Quake 3's rcon and Rust's WebRCON against real sockets, well-behaved and not, and against a real OpenArena server.
import { type ChildProcess, spawn } from 'node:child_process'
import dgram from 'node:dgram'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { games } from 'gamedig'
import { describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../../commands/start/ports.ts'
import { QUAKE3_GAMES, rconProtocolOf } from '../../../src/features/rcon/index.ts'
import { MAX_ANSWER_BYTES, type RconExchange, RconFailure } from '../../../workers/rcon/exchange.ts'
import { exchangeQuake3 } from '../../../workers/rcon/quake3.ts'
import { createRconSender } from '../../../workers/rcon/send.ts'
import { exchangeWebRcon } from '../../../workers/rcon/webrcon.ts'
import { startTestApi } from '../../support/api.ts'
import { findProgram, isMissing } from '../../support/installed.ts'
import { hasNoIpv6 } from '../../support/ipv6.ts'
import { type NameRecord, startNameServer } from '../../support/name-server.ts'
import { startTestRconServer } from '../../support/rcon-server.ts'
import { startWebRconServer, type WebRconOptions } from '../../support/webrcon-server.ts'
import { createRconWorld, startRconWorker } from './support.ts'

const PASSWORD = 'open sesame'
/** Long enough for a busy machine; what lasts until the time limit has a shorter one. */
const TIMEOUT_MS = 20_000
const timeoutFor = (reason: string) => (reason === 'timeout' ? 1_500 : TIMEOUT_MS)
const optionsOf = (port: number, more: Partial<RconExchange> = {}): RconExchange => ({
  address: '127.0.0.1',
  port,
  password: 'sesame',
  command: 'status',
  timeoutMs: TIMEOUT_MS,
  quietMs: 200,
  ...more,
})
const reasonOf = (answer: Promise<string>) =>
  answer.then(
    (text) => `answered ${text.length}`,
    (error: unknown) => (error instanceof RconFailure ? error.reason : String(error)),
  )

test('the game of a server chooses its protocol', () => {
  const byGamedig = Object.entries(games).flatMap(([id, { options }]) =>
    /^(quake3|fivem)$/.test(options.protocol) ? [id] : [],
  )
  expect([...QUAKE3_GAMES].sort()).toEqual([...byGamedig, 'protocol-quake3'].sort())
  expect(['rust', 'openarena', 'gta5f', 'ase', 'minecraft'].map(rconProtocolOf)).toEqual([
    'webrcon',
    'quake3',
    'quake3',
    'source',
    'source',
  ])
})

test('commands go where players get: to the address that the name servers give, by the game’s service if it has one', async () => {
  const [byName, byService] = [
    await startTestRconServer({ address: '127.88.1.1' }),
    await startTestRconServer({ address: '127.88.1.2' }),
  ]
  const records: Record<string, NameRecord[]> = {
    'play.example': ['127.88.1.1'],
    '_minecraft._tcp.play.example': [{ port: 25_570, target: 'node.example' }],
    'node.example': ['127.88.1.2'],
  }
  const dns = await startNameServer((name) => records[name] ?? 'missing')
  const send = createRconSender({ ALLOW_PRIVATE_TARGETS: true, DNS_SERVERS: [dns.address] })
  const request = { protocol: 'source', host: 'play.example', password: PASSWORD, timeoutMs: TIMEOUT_MS } as const
  await send({ ...request, port: byName.port, command: 'first' })
  await send({ ...request, port: byService.port, command: 'second', srvService: '_minecraft._tcp' })
  expect([byName.commands, byService.commands]).toEqual([['first'], ['second']])
})

describe('Quake 3', () => {
  type Reply = (text: string, kind?: string) => void
  /** @param answer called with each datagram, without its header */
  async function quake3(
    answer: (request: string, reply: Reply, peerPort: number) => void,
    address: '127.0.0.1' | '::1' = '127.0.0.1',
  ) {
    const requests: string[] = []
    let isOpen = true
    const socket = dgram.createSocket(address === '::1' ? 'udp6' : 'udp4')
    socket.on('message', (datagram, peer) => {
      requests.push(datagram.subarray(4).toString())
      const send = (text: string, kind = 'print\n') =>
        isOpen &&
        socket.send(
          Buffer.concat([Buffer.alloc(4, 0xff), Buffer.from(kind + text)]),
          peer.port,
          peer.address,
          () => undefined,
        )
      answer(datagram.subarray(4).toString(), send, peer.port)
    })
    await new Promise<void>((resolve) => socket.bind(0, address, resolve))
    const close = () => {
      if (isOpen) socket.close()
      isOpen = false
    }
    onTestFinished(close)
    return { port: socket.address().port, requests, close }
  }

  test.skipIf(hasNoIpv6())('a command is sent over IPv6', async () => {
    const server = await quake3((_request, reply) => reply('map: q3dm17\n'), '::1')
    expect(await exchangeQuake3(optionsOf(server.port, { address: '::1' }))).toBe('map: q3dm17\n')
  })

  test('a command is sent once, and its answer is all that is printed', async () => {
    const server = await quake3((_request, reply) => {
      reply('map: q3dm17\n')
      setTimeout(reply, 100, 'num score ping\n')
    })
    expect(await exchangeQuake3(optionsOf(server.port))).toBe('map: q3dm17\nnum score ping\n')
    expect(server.requests).toEqual(['rcon sesame status'])
  })

  test.each<[string, string, (request: string, reply: Reply) => void]>([
    ['refuses the password', 'wrong_password', (_request, reply) => reply('Bad rconpassword.\n')],
    ['has no password', 'wrong_password', (_request, reply) => reply('No rconpassword set on the server.\n')],
    ['says nothing', 'timeout', () => undefined],
    ['sends garbage', 'protocol_error', (_request, reply) => reply('x', 'statusResponse\n')],
    [
      'sends without end',
      'answer_too_large',
      (_request, reply) => {
        const timer = setInterval(() => {
          for (let n = 0; n < 10; n++) reply('x'.repeat(8_000))
        }, 5)
        onTestFinished(() => clearInterval(timer))
      },
    ],
    [
      'drips without end',
      'timeout',
      (_request, reply) => {
        const timer = setInterval(reply, 50, 'x')
        onTestFinished(() => clearInterval(timer))
      },
    ],
  ])('a server that %s: %s', async (_what, reason, answer) => {
    const server = await quake3(answer)
    expect(await reasonOf(exchangeQuake3(optionsOf(server.port, { timeoutMs: timeoutFor(reason) })))).toBe(reason)
    expect(server.requests).toHaveLength(1)
  })

  test('FiveM prints after a space', async () => {
    const server = await quake3((_request, reply) => reply('hostname: a roleplay server\n', 'print '))
    expect(await exchangeQuake3(optionsOf(server.port))).toBe('hostname: a roleplay server\n')
    const silent = await quake3((_request, reply) => reply('', 'print '))
    expect(await exchangeQuake3(optionsOf(silent.port))).toBe('')
  })

  test.each<[string, string, string]>([
    ['Quake 3', 'print\n', 'Bad rconpassword.\n'],
    ['Quake 3 without a password', 'print\n', 'No rconpassword set on the server.\n'],
    ['Call of Duty', 'print\n', 'Invalid password.\n'],
    ['FiveM', 'print ', 'Invalid password.\n'],
    ['FiveM without a password', 'print ', 'The server must set rcon_password to be able to use this command.\n'],
  ])('%s refuses the password: %j %j', async (_game, kind, text) => {
    const server = await quake3((_request, reply) => reply(text, kind))
    expect(await reasonOf(exchangeQuake3(optionsOf(server.port)))).toBe('wrong_password')
  })

  test('a command whose answer begins like a refusal is answered', async () => {
    const server = await quake3((_request, reply) => reply('Invalid password. Tries left: 2\n'))
    expect(await exchangeQuake3(optionsOf(server.port))).toBe('Invalid password. Tries left: 2\n')
  })

  test('a datagram from elsewhere is not heard', async () => {
    const other = dgram.createSocket('udp4')
    onTestFinished(() => {
      other.close()
    })
    const forged = Buffer.concat([Buffer.alloc(4, 0xff), Buffer.from('print\nforged')])
    const server = await quake3((_request, reply, peerPort) =>
      other.send(forged, peerPort, '127.0.0.1', () => setTimeout(reply, 100, 'the server')),
    )
    expect(await exchangeQuake3(optionsOf(server.port))).toBe('the server')
  })

  test('no server listens, or the password is invalid: nothing is sent', async () => {
    const server = await quake3((_request, reply) => reply('x'))
    expect(await reasonOf(exchangeQuake3(optionsOf(server.port, { password: 'two words' })))).toBe('wrong_password')
    expect(server.requests).toEqual([])
    server.close()
    expect(await reasonOf(exchangeQuake3(optionsOf(server.port)))).toBe('unreachable')
  })

  test('an address that this machine can’t send to: nothing but the command fails', async () => {
    expect(await reasonOf(exchangeQuake3(optionsOf(9, { address: '255.255.255.255' })))).toBe('unreachable')
  })
})

describe('WebRCON', () => {
  const ask = async (options: WebRconOptions, more: Partial<RconExchange> = {}) => {
    const server = await startWebRconServer(options)
    return { server, outcome: exchangeWebRcon(optionsOf(server.port, { password: PASSWORD, ...more })) }
  }

  test('a command is answered under its number; the log of others is left out', async () => {
    const { server, outcome } = await ask({})
    expect(await outcome).toBe('you said: status')
    expect([server.paths, server.commands]).toEqual([['/open%20sesame'], ['status']])
  })

  test.skipIf(hasNoIpv6())('a command is sent over IPv6', async () => {
    const { outcome } = await ask({ address: '::1' }, { address: '::1' })
    expect(await outcome).toBe('you said: status')
  })

  test('a password of any characters stays the path', async () => {
    const password = '../?a=1#ß/@127.0.0.1:1/'
    const { outcome } = await ask({ password }, { password })
    expect(await outcome).toBe('you said: status')
  })

  test.each<[string, string, WebRconOptions]>([
    ['refuses the password', 'wrong_password', { password: 'another' }],
    ['says nothing', 'timeout', { onCommand: () => undefined }],
    ['accepts no WebSocket', 'timeout', { onUpgrade: () => undefined }],
    ['sends garbage', 'protocol_error', { onCommand: (_command, send) => send('not JSON') }],
    ['sends other JSON', 'protocol_error', { onCommand: (_command, send) => send('[]') }],
    ['answers http', 'protocol_error', { onUpgrade: (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n') }],
    [
      'leads elsewhere',
      'protocol_error',
      { onUpgrade: (socket) => socket.end('HTTP/1.1 302 Found\r\nLocation: ws://127.0.0.1:1/\r\n\r\n') },
    ],
    [
      'hangs up at the command, which may have run',
      'disconnected',
      { onCommand: (_command, _send, socket) => socket.end() },
    ],
    [
      'hangs up after its log',
      'disconnected',
      {
        onCommand: (_command, send, socket) => {
          send(JSON.stringify({ Identifier: 0, Message: 'log' }))
          setTimeout(() => socket.destroy(), 50)
        },
      },
    ],
    [
      'logs without end',
      'answer_too_large',
      {
        onCommand: (_command, send) => {
          const timer = setInterval(() => send(JSON.stringify({ Identifier: 0, Message: 'x'.repeat(100_000) })), 5)
          onTestFinished(() => clearInterval(timer))
        },
      },
    ],
  ])('a server that %s: %s', async (_what, reason, options) => {
    const { outcome } = await ask(options, { timeoutMs: timeoutFor(reason) })
    expect(await reasonOf(outcome)).toBe(reason)
  })

  test('a server that closes the connection during the login may only be restarting, which is reported with the refusal', async () => {
    const { outcome } = await ask({ password: 'another' })
    await expect(outcome).rejects.toMatchObject({ reason: 'wrong_password', isUnsent: true, closedAtLogin: true })
  })

  test('a server that refuses the password gets no command', async () => {
    const { server, outcome } = await ask({ password: 'another' })
    expect(await reasonOf(outcome)).toBe('wrong_password')
    expect(server.commands).toEqual([])
  })

  test.each<[string, boolean, WebRconOptions]>([
    ['speaks another protocol', true, { onUpgrade: (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n') }],
    ['hangs up at the command', false, { onCommand: (_command, _send, socket) => socket.end() }],
  ])('a server that %s: the command was certainly not sent: %s', async (_what, isUnsent, options) => {
    const { outcome } = await ask(options)
    await expect(outcome).rejects.toMatchObject({ isUnsent })
  })

  test('a server that writes its log only after the time limit gets no command, which is reported as not sent', async () => {
    const ended = Promise.withResolvers<string>()
    const { outcome } = await ask(
      {
        onLogin: (send, socket) => {
          socket.once('end', () => ended.resolve('the connection was ended'))
          setTimeout(() => send(JSON.stringify({ Identifier: 0, Message: 'a player joined' })), 1_000)
        },
        onCommand: ({ Message }) => ended.resolve(`it got ${Message}`),
      },
      { timeoutMs: 450 },
    )
    await expect(outcome).rejects.toMatchObject({ reason: 'timeout', isUnsent: true })
    expect(await ended.promise).toBe('the connection was ended')
  })

  test('an answer that is too large ends the connection before it is whole', async () => {
    const { outcome } = await ask({
      onCommand: ({ Identifier }, send) => send(JSON.stringify({ Identifier, Message: 'x'.repeat(MAX_ANSWER_BYTES) })),
    })
    expect(await reasonOf(outcome)).not.toMatch(/^answered/)
  })

  test('no server listens', async () => {
    expect(await reasonOf(exchangeWebRcon(optionsOf(await freePort())))).toBe('unreachable')
  })
})

describe('from the owner’s request', async () => {
  const api = await startTestApi()
  const { list, configure, send, entries } = createRconWorld(api)

  test('a Rust server gets the command by WebRCON, audited without the password', async () => {
    await startRconWorker(api)
    const server = await startWebRconServer()
    const { id, owner } = await list({ game: 'rust' })
    expect((await configure(owner, id, server.port)).status).toBe(200)
    expect(await send(owner, id, 'status')).toEqual({ status: 200, body: { response: 'you said: status' } })
    expect((await entries(id)).at(-1)).toMatchObject({
      action: 'rcon.command',
      details: { command: 'status', outcome: 'answered' },
    })
    expect(JSON.stringify(await entries(id))).not.toContain(PASSWORD)
  })

  test.skipIf(isMissing('openarena-server'))(
    'a real OpenArena server answers, and refuses a wrong password',
    { timeout: 60_000 },
    async () => {
      await startRconWorker(api)
      const port = await startOpenArena()
      const { id, owner } = await list({ game: 'openarena', gamePort: port, queryPort: port })
      await configure(owner, id, port, 'sesame')
      await expect
        .poll(async () => (await send(owner, id, 'status')).body, { timeout: 50_000 })
        .toMatchObject({
          response: expect.stringContaining('map: oa_dm1'),
        })
      await configure(owner, id, port, 'wrong')
      expect((await send(owner, id, 'status')).body).toMatchObject({ error: 'rcon_wrong_password' })
    },
  )
})

async function startOpenArena(): Promise<number> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'server-directory-openarena-'))
  fs.chmodSync(folder, 0o777)
  const port = await freePort()
  const settings = { dedicated: 1, net_enabled: 1, net_ip: '127.0.0.1', net_port: port, fs_homepath: folder }
  const parameters = Object.entries({ ...settings, rconPassword: 'sesame', sv_master1: '' }).flatMap(
    ([name, value]) => ['+set', name, String(value)],
  )
  // It refuses to run as root.
  const identity = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
  const child: ChildProcess = spawn(findProgram('openarena-server') ?? '', [...parameters, '+map', 'oa_dm1'], {
    ...identity,
    cwd: folder,
    env: { HOME: folder, PATH: process.env.PATH },
    stdio: 'ignore',
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
    fs.rmSync(folder, { recursive: true, force: true })
  })
  return port
}
