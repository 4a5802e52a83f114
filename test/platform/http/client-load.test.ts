// Clients that do not read, or send too many requests at once: what each may use, and that others are served.
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, it, onTestFinished, vi } from 'vitest'
import * as z from 'zod'
import { cutOffs } from '../../../src/platform/http/http.metrics.ts'
import { type Operation, operation } from '../../../src/platform/http/operation.ts'
import { EventStream, RenderedJson, StreamedFile } from '../../../src/platform/http/reply-kinds.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { sampleRoutes } from './sample-routes.ts'

const soon = { timeout: 30_000, interval: 20 }
/** More than a connection's kernel buffers hold. */
const LARGE = 16 * 1024 * 1024
const large = new RenderedJson(Buffer.from(JSON.stringify('x'.repeat(LARGE))), '"large"', { maxAgeSeconds: 1 })

const largeRoute: Operation = operation({
  method: 'get',
  path: '/samples/large',
  operationId: 'getLargeSample',
  tag: 'Samples',
  summary: 'A reply that does not fit into a connection',
  returns: z.string(),
  handle: () => large,
})

const get = (path: string, client = '') =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\n${client && `X-Forwarded-For: ${client}\r\n`}\r\n`

/** Opens a connection that reads nothing until it is resumed. */
function openUnread(api: TestApi, request: string): { socket: Socket; received(): number; isClosed(): boolean } {
  const socket = connect(api.server.port, '127.0.0.1')
  let received = 0
  let isClosed = false
  socket.on('data', (chunk) => {
    received += chunk.length
  })
  socket.pause()
  socket.on('error', () => undefined) // the test waits for the reset
  socket.on('close', () => {
    isClosed = true
  })
  socket.write(request)
  onTestFinished(() => void socket.destroy())
  return { socket, received: () => received, isClosed: () => isClosed }
}

async function cutOff(reason: string): Promise<number> {
  const { values } = await cutOffs.get()
  return values.find(({ labels }) => labels.reason === reason)?.value ?? 0
}

const statusFor = (api: TestApi, client: string, path = '/api/samples?limit=1') =>
  fetch(api.url + path, { headers: { 'x-forwarded-for': client } }).then(({ status }) => status)

it('a reply without progress is destroyed, and one that is read slowly arrives', async () => {
  const api = await startTestApi({
    routes: [...sampleRoutes(), largeRoute],
    loadBounds: { stalledMs: 1_000, clientBytes: 4 * LARGE },
  })
  const before = await cutOff('stalled')
  const stuck = openUnread(api, get('/api/samples/large'))
  const slow = openUnread(api, get('/api/samples/large'))
  let isReading = true
  slow.socket.on('data', () => {
    if (isReading) slow.socket.pause()
  })
  const sips = setInterval(() => slow.socket.resume(), 1)
  onTestFinished(() => clearInterval(sips))
  await vi.waitFor(async () => expect(await cutOff('stalled')).toBe(before + 1), soon)
  stuck.socket.resume()
  await vi.waitFor(() => expect(stuck.isClosed()).toBe(true), soon)
  expect(stuck.received()).toBeLessThan(LARGE)
  isReading = false
  slow.socket.resume()
  await vi.waitFor(() => expect(slow.received()).toBeGreaterThan(LARGE), soon)
  expect(await cutOff('stalled')).toBe(before + 1)
})

/** An operation that sends these pieces as a file. */
const fileRoute = (path: string, pieces: () => AsyncIterable<string>): Operation =>
  operation({
    method: 'get',
    path: `/samples/${path}`,
    operationId: `get${path}`,
    tag: 'Samples',
    summary: 'A file that is sent while it is made',
    returns: z.string(),
    produces: 'text/csv',
    handle: () => new StreamedFile('file.csv', pieces()),
  })

it('a file that its client does not read is cut off, and one whose next piece takes long is not', async () => {
  const api = await startTestApi({
    routes: [
      fileRoute('endless', async function* () {
        for (;;) yield 'x'.repeat(100_000)
      }),
      fileRoute('patient', async function* () {
        yield 'begin,'
        await sleep(2_500)
        yield 'end'
      }),
    ],
    loadBounds: { stalledMs: 1_000 },
  })
  const before = await cutOff('stalled')
  const unread = openUnread(api, get('/api/samples/endless'))
  expect(await (await fetch(`${api.url}/api/samples/patient`)).text()).toBe('begin,end')
  await vi.waitFor(async () => expect(await cutOff('stalled')).toBe(before + 1), soon)
  unread.socket.resume()
  await vi.waitFor(() => expect(unread.isClosed()).toBe(true), soon)
})

it('a file that can’t be finished is cut off and logged with the request’s id; one that its client leaves is not', async () => {
  const logged: { msg: string; requestId?: string }[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => logged.push(JSON.parse(line)) })
  let ended = 0
  const clientHasBegin = Promise.withResolvers<void>()
  const api = await startTestApi({
    log,
    routes: [
      fileRoute('broken', async function* () {
        yield 'begin,'
        await clientHasBegin.promise
        throw new Error('no more')
      }),
      fileRoute('left', async function* () {
        try {
          for (;;) yield 'x'.repeat(100_000)
        } finally {
          ended++
        }
      }),
    ],
  })
  const broken = await fetch(`${api.url}/api/samples/broken`)
  clientHasBegin.resolve()
  await expect(broken.text()).rejects.toThrow('terminated')
  await (await fetch(`${api.url}/api/samples/left`)).body?.cancel()
  await expect.poll(() => ended).toBe(1)
  expect(logged).toEqual([
    expect.objectContaining({ msg: 'request failed', requestId: broken.headers.get('x-request-id') }),
  ])
})

it('a client of HTTP/1.0, for which a file ends with the connection, sees that it was cut off', async () => {
  const clientHasBegin = Promise.withResolvers<void>()
  const route = fileRoute('broken', async function* () {
    yield 'begin,'
    await clientHasBegin.promise
    throw new Error('no more')
  })
  const api = await startTestApi({ log: pino({ level: 'silent' }), routes: [route] })
  const socket = connect(api.server.port, '127.0.0.1').once('data', () => clientHasBegin.resolve())
  socket.write('GET /api/samples/broken HTTP/1.0\r\n\r\n')
  const end = new Promise((resolve) => {
    socket.once('end', () => resolve('whole')).once('error', ({ code }: NodeJS.ErrnoException) => resolve(code))
  })
  expect(await end).toBe('ECONNRESET')
})

/** Lets an operation return its result to a client that has left while the operation ran. */
async function answerAfterLeaving(result: StreamedFile | EventStream, produces: 'text/csv' | 'text/event-stream') {
  const entered = Promise.withResolvers<void>()
  const mayAnswer = Promise.withResolvers<void>()
  const route = operation({
    method: 'get',
    path: '/samples/late',
    operationId: 'getLateSample',
    tag: 'Samples',
    summary: 'A reply to a client that has left',
    returns: z.string(),
    produces,
    async handle() {
      entered.resolve()
      await mayAnswer.promise
      return result
    },
  })
  const logged: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => logged.push(line) })
  const api = await startTestApi({ log, routes: [route] })
  const { socket } = openUnread(api, get('/api/samples/late'))
  await entered.promise
  socket.resetAndDestroy()
  await expect.poll(() => logged.join('')).toContain('request aborted by the client')
  mayAnswer.resolve()
  return api
}

it('a file whose client left before its first piece is not counted', async () => {
  const ended = Promise.withResolvers<void>()
  async function* pieces() {
    try {
      yield 'unread'
    } finally {
      ended.resolve()
    }
  }
  const api = await answerAfterLeaving(new StreamedFile('file.csv', pieces()), 'text/csv')
  await ended.promise
  expect(await (await fetch(`${api.url}/metrics`)).text()).toMatch(/held_bytes 0\n/)
})

it('a stream whose client left before its head is not opened', async () => {
  let opened = 0
  const admitted = Promise.withResolvers<void>()
  const open = () => {
    opened++
  }
  await answerAfterLeaving(new EventStream({ admit: admitted.resolve, open }), 'text/event-stream')
  await admitted.promise
  expect(opened).toBe(0)
})

it('a client with too many unread bytes is refused until it has read them, also behind a proxy; others are served', async () => {
  const api = await startTestApi({
    routes: [...sampleRoutes(), largeRoute],
    settings: { TRUST_PROXY: '1' },
    loadBounds: { clientBytes: 1.5 * LARGE, replyBytes: LARGE },
  })
  const unread = openUnread(api, get('/api/samples/large', '203.0.113.1'))
  await vi.waitFor(async () => expect(await statusFor(api, '203.0.113.1')).toBe(429), soon)
  const refused = await fetch(`${api.url}/api/samples?limit=1`, { headers: { 'x-forwarded-for': '203.0.113.1' } })
  expect(refused.headers.get('retry-after')).toBe('5')
  expect(await refused.json()).toMatchObject({ error: 'rate_limited', message: expect.stringContaining('not read') })
  expect(await statusFor(api, '203.0.113.2')).toBe(200)
  expect(await statusFor(api, '203.0.113.1', '/healthz')).toBe(200)
  unread.socket.resume()
  await vi.waitFor(async () => expect(await statusFor(api, '203.0.113.1')).toBe(200), soon)
})

it('past the limit of a client its new reply is cut off, past the process’ limit the one that has waited longest', async () => {
  const api = await startTestApi({
    routes: [largeRoute],
    settings: { TRUST_PROXY: '1' },
    loadBounds: { clientBytes: 1.5 * LARGE, replyBytes: 0, processBytes: 2.5 * LARGE },
  })
  const [ofClient, ofProcess] = [await cutOff('client_bytes'), await cutOff('process_bytes')]
  openUnread(api, get('/api/samples/large', '203.0.113.1'))
  await vi.waitFor(
    async () => expect(await (await fetch(`${api.url}/metrics`)).text()).toMatch(/held_bytes 16777218\n/),
    soon,
  )
  openUnread(api, get('/api/samples/large', '203.0.113.1'))
  await vi.waitFor(async () => expect(await cutOff('client_bytes')).toBe(ofClient + 1), soon)
  for (const client of ['203.0.113.2', '203.0.113.3']) openUnread(api, get('/api/samples/large', client))
  await vi.waitFor(async () => expect(await cutOff('process_bytes')).toBe(ofProcess + 1), soon)
  expect(await (await fetch(`${api.url}/metrics`)).text()).toMatch(/held_bytes 33554436\n/)
})

it('behind a proxy the number of a client’s requests is limited, not the proxy’s connections', async () => {
  let open: () => void = () => undefined
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  let entered = 0
  const api = await startTestApi({
    routes: sampleRoutes(() => {
      entered++
      return gate
    }),
    settings: { TRUST_PROXY: '1', CONNECTIONS_PER_ADDRESS: '3' },
  })
  const slow = Array.from({ length: 3 }, () => statusFor(api, '203.0.113.1', '/api/samples/slow'))
  await vi.waitFor(() => expect(entered).toBe(3), soon)
  expect(await statusFor(api, '203.0.113.1')).toBe(429)
  expect(await statusFor(api, '203.0.113.2')).toBe(200)
  open()
  expect(await Promise.all(slow)).toEqual([200, 200, 200])
  await vi.waitFor(async () => expect(await statusFor(api, '203.0.113.1')).toBe(200), soon)
})

it('without a proxy an address’ connections are limited, and a further one is closed before it is read', async () => {
  const api = await startTestApi({ routes: sampleRoutes(), server: { connectionsPerAddress: 3 } })
  const open = (localAddress: string) => {
    const socket = connect({ port: api.server.port, host: '127.0.0.1', localAddress })
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => undefined)
    let received = ''
    const outcome = new Promise<string>((resolve) => {
      socket.on('data', (chunk) => {
        received += chunk
        resolve(received.slice(0, 12))
      })
      socket.on('close', () => resolve('closed'))
    })
    socket.write(get('/api/samples?limit=1'))
    return { socket, outcome }
  }
  const kept = [open('127.0.0.2'), open('127.0.0.2'), open('127.0.0.2')]
  expect(await Promise.all(kept.map(({ outcome }) => outcome))).toEqual(Array(3).fill('HTTP/1.1 200'))
  expect(await open('127.0.0.2').outcome).toBe('closed')
  expect(await open('127.0.0.3').outcome).toBe('HTTP/1.1 200')
  kept[0]?.socket.destroy()
  await vi.waitFor(async () => expect(await open('127.0.0.2').outcome).toBe('HTTP/1.1 200'), soon)
})
