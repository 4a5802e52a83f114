// Misbehaving connections, and a stop that finishes requests in progress.
import fs from 'node:fs'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { operation } from '../../../src/platform/http/operation.ts'
import { RenderedJson } from '../../../src/platform/http/reply-kinds.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { sampleRoutes } from './sample-routes.ts'

/** Opens a connection to write raw bytes to; collects what it receives. */
function wire(api: TestApi) {
  const socket = connect(api.server.port, '127.0.0.1')
  let received = ''
  socket.setEncoding('latin1').on('data', (chunk) => {
    received += chunk
  })
  socket.on('error', () => {}) // a reset counts as an answer
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(received)))
  return { socket, closed, received: () => received }
}

it('a client that never finishes its headers receives 408 and is disconnected', async () => {
  const api = await startTestApi({ server: { headersTimeoutMs: 200 } })
  const { socket, closed } = wire(api)
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n')
  const drip = setInterval(() => socket.write('X-A: b\r\n'), 20)
  const received = await closed
  clearInterval(drip)
  expect(received).toMatch(/^HTTP\/1.1 408 /)
  expect(received).toMatch(/X-Request-Id: [\w-]{36}\r\n/)
  expect(received).toContain('"error":"request_timeout"')
})

it('a client that never finishes its body is disconnected', async () => {
  const api = await startTestApi({
    server: { headersTimeoutMs: 1_000, requestTimeoutMs: 2_000 },
    routes: sampleRoutes(),
  })
  const { socket, closed } = wire(api)
  socket.write(
    'POST /api/samples HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
  )
  expect(await closed).toMatch(/^HTTP\/1.1 408 /)
  await expect.poll(() => fetch(`${api.url}/healthz`).then(({ status }) => status)).toBe(200)
})

it('headers over 16 kB, or too many, are refused with 431, and bytes that are not HTTP with 400', async () => {
  const api = await startTestApi()
  const many = wire(api)
  many.socket.write(`GET /healthz HTTP/1.1\r\nHost: x\r\n${'a:\r\n'.repeat(2_000)}\r\n`)
  expect(await many.closed).toMatch(/^HTTP\/1.1 431 [\s\S]*and about 1,000 of them/)
  const large = wire(api)
  large.socket.write(`GET /healthz HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(17_000)}\r\n\r\n`)
  expect(await large.closed).toMatch(/^HTTP\/1.1 431 [\s\S]*"error":"headers_too_large"/)
  const garbage = wire(api)
  garbage.socket.write('\u0016\u0003\u0001 hello\r\n\r\n')
  const refusal = await garbage.closed
  expect(refusal).toMatch(/^HTTP\/1.1 400 [\s\S]*"error":"malformed_request"/)
  const [head = '', body = ''] = refusal.split('\r\n\r\n')
  const lines = head.split('\r\n').slice(1)
  const headers = new Headers(lines.map((line) => line.split(': ', 2) as [string, string]))
  const exchange = { method: 'GET', target: '/api/servers', status: 400, headers, body }
  expect(() => api.contract.check(exchange)).not.toThrow()
})

it('a request before bytes that are not HTTP gets its reply', async () => {
  const api = await startTestApi({ routes: sampleRoutes() })
  const { socket, closed } = wire(api)
  const body = JSON.stringify({ name: 'a', size: 1 })
  const post = `POST /api/samples HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  socket.write(`${post}GET /api/samples/page HTTP/1.1\r\nHost: x\r\n\r\n\0`)
  const statuses = (await closed).match(/(?<=^|\})HTTP\/1.1 \d+/g)
  expect(statuses).toEqual(['HTTP/1.1 201', 'HTTP/1.1 200', 'HTTP/1.1 400'])
})

describe('what arrives in one piece with what is not HTTP', async () => {
  const api = await startTestApi({ routes: sampleRoutes() })
  const get = 'GET /api/samples/page HTTP/1.1\r\nHost: x\r\n'
  /** Repeated until requests are handled so fast that their replies wait for each other. */
  const sendOften = async (piece: string) => {
    const received = []
    for (let n = 0; n < 50; n++) {
      const { socket, closed } = wire(api)
      socket.write(piece)
      received.push((await closed).match(/(?<=^|\})HTTP\/1.1 \d+/g)?.join())
    }
    return new Set(received)
  }

  it('requests before it get their replies', async () => {
    const replies = await sendOften(`${get}\r\n${get}\r\n\0`)
    expect([...replies]).toEqual(['HTTP/1.1 200,HTTP/1.1 200,HTTP/1.1 400'])
  })

  it('a request with an invalid body gets a reply', async () => {
    const replies = await sendOften(`${get}Transfer-Encoding: chunked\r\n\r\nZ\r\n`)
    expect([...replies].filter((reply) => !/^HTTP\/1.1 (200|400)$/.test(reply ?? ''))).toEqual([])
  })
})

/** The replies that a connection received. Each has a body of the length that it states. */
function repliesOf(received: string) {
  const replies = []
  for (let rest = received; rest; ) {
    const [head = ''] = rest.split('\r\n\r\n', 1)
    const [statusLine = '', ...lines] = head.split('\r\n')
    const headers = new Headers(lines.map((line) => line.split(': ', 2) as [string, string]))
    const end = head.length + 4 + Number(headers.get('content-length'))
    replies.push({ status: Number(statusLine.split(' ')[1]), headers, body: rest.slice(head.length + 4, end) })
    rest = rest.slice(end)
  }
  return replies
}

describe('a request', async () => {
  const logged: string[] = []
  const api = await startTestApi({ log: pino({ level: 'info' }, { write: (line) => logged.push(line) }) })

  it.each([
    ['without Host', 'HTTP/1.1', [], 'malformed_request'],
    ['with two different Host headers', 'HTTP/1.1', ['Host: a', 'Host: b'], 'malformed_request'],
    ['with the same Host header twice', 'HTTP/1.1', ['Host: a', 'host: a'], 'malformed_request'],
    ['with two Host headers in HTTP/1.0', 'HTTP/1.0', ['Host: a', 'Host: b'], 'malformed_request'],
    ['with an invalid Host', 'HTTP/1.1', ['Host: a b'], 'malformed_request'],
    ['with a Host that is a URL', 'HTTP/1.1', ['Host: http://a/'], 'malformed_request'],
    ['with an expectation', 'HTTP/1.1', ['Host: a', 'Expect: a miracle'], 'expectation_failed'],
    ['with more than one expectation', 'HTTP/1.1', ['Host: a', 'Expect: 100-continue, more'], 'expectation_failed'],
  ])(
    '%s is refused like others: as documented, with an id, headers and a log line',
    async (_, version, lines, code) => {
      const { socket, closed } = wire(api)
      const target = '/api/public/stats'
      const head = [`POST ${target} ${version}`, ...lines, 'Content-Length: 2', 'Connection: close']
      socket.write(`${head.join('\r\n')}\r\n\r\n{}`)
      const replies = repliesOf((await closed).replace('HTTP/1.1 100 Continue\r\n\r\n', ''))
      const [{ status, headers, body } = expect.fail('no reply')] = replies
      const requestId = headers.get('x-request-id')
      expect([replies.length, status]).toEqual([1, code === 'expectation_failed' ? 417 : 400])
      expect(JSON.parse(body)).toMatchObject({ error: code, status, instance: `#${requestId}` })
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      api.contract.check({ method: 'POST', target, status, headers, body })
      const lineOf = () => logged.map((line) => JSON.parse(line)).find((line) => line.requestId === requestId)
      await expect.poll(lineOf).toMatchObject({ method: 'POST', route: target, status, msg: 'request handled' })
    },
  )

  it.each(['/healthz', '/readyz', '/metrics'])('of %s is answered whatever its `Host`', async (path) => {
    for (const host of ['', 'Host: a b\r\n', 'Host: a\r\nHost: b\r\n']) {
      const { socket, closed } = wire(api)
      socket.write(`GET ${path} HTTP/1.1\r\n${host}Authorization: Bearer wrong\r\nConnection: close\r\n\r\n`)
      expect((await closed).slice(0, 15)).toBe('HTTP/1.1 200 OK')
    }
  })

  it('whose head is refused does not end the connection: its body is skipped, and the next one is answered', async () => {
    const { socket, closed } = wire(api)
    socket.write('POST /api/servers HTTP/1.1\r\nHost: a\r\nExpect: x\r\nContent-Length: 3\r\n\r\nabc')
    socket.write('POST /api/servers HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc')
    socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    expect(repliesOf(await closed).map(({ status }) => status)).toEqual([417, 400, 200])
  })

  it.each([
    ['HTTP/1.1', 'Host:'],
    ['HTTP/1.1', 'Host: [2001:db8::1]:8080'],
    ['HTTP/1.1', 'Host: my_server.example.org.:443'],
    ['HTTP/1.1', 'Host: xn--bcher-kva.example'],
    ['HTTP/1.1', 'Host: a\r\nExpect: 100-Continue'],
    ['HTTP/1.0', 'Expect: 100-continue'],
  ])('in %s with %j is answered', async (version, lines) => {
    const { socket, closed } = wire(api)
    socket.write(`GET /api/public/servers ${version}\r\n${lines}\r\nConnection: close\r\n\r\n`)
    expect(await closed).toMatch(/^(HTTP\/1.1 100 Continue\r\n\r\n)?HTTP\/1.1 200 OK/)
  })
})

it('a stop turns /readyz 503, finishes and closes requests in progress, and accepts no connection', async () => {
  let open: () => void = () => {}
  let entered: () => void = () => {}
  const inside = new Promise<void>((resolve) => {
    entered = resolve
  })
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const api = await startTestApi({
    routes: sampleRoutes(() => {
      entered()
      return gate
    }),
  })
  const idle = wire(api)
  idle.socket.write('GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n')
  await expect.poll(idle.received).toMatch(/"ready":true[\s\S]*\]}$/)

  const slow = new Promise<{ status: number; connection: string | undefined; body: string }>((resolve, reject) => {
    httpRequest(`${api.url}/api/samples/slow`, { agent: false, headers: { connection: 'keep-alive' } }, (res) => {
      let body = ''
      res.setEncoding('utf8').on('data', (chunk) => {
        body += chunk
      })
      res.on('end', () => resolve({ status: res.statusCode ?? 0, connection: res.headers.connection, body }))
    })
      .on('error', reject)
      .end()
  })
  await inside

  api.app.drain()
  const unready = await api.request('/readyz')
  expect(unready.status).toBe(503)
  expect(unready.headers.get('connection')).toBe('close')
  expect(await unready.json()).toMatchObject({
    ready: false,
    checks: expect.arrayContaining([{ name: 'accepting', ready: false, reason: 'stopping' }]),
  })

  const stopped = api.server.stop(25_000)
  await idle.closed
  await expect(fetch(`${api.url}/healthz`)).rejects.toThrow()
  open()
  expect(await slow).toEqual({ status: 200, connection: 'close', body: '{"done":true}' })
  await stopped
})

it('a stop lets clients read the rest of replies that have ended', async () => {
  const bytes = Buffer.from(JSON.stringify('x'.repeat(7_000_000)))
  const large = operation({
    method: 'get',
    path: '/samples/large',
    operationId: 'getLargeSample',
    tag: 'Samples',
    summary: 'More than the system buffers for a client',
    returns: z.string(),
    handle: () => new RenderedJson(bytes, '"large"', { maxAgeSeconds: 1 }),
  })
  const api = await startTestApi({ routes: [large] })
  let received = 0
  const socket = connect(api.server.port, '127.0.0.1')
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  socket.write('GET /api/samples/large HTTP/1.1\r\nHost: x\r\n\r\n')
  await new Promise((resolve) => socket.once('readable', resolve))
  api.app.drain()
  const stopped = api.server.stop(25_000)
  const accepts = () =>
    fetch(`${api.url}/healthz`).then(
      () => true,
      () => false,
    )
  await expect.poll(accepts).toBe(false)
  socket.on('data', (chunk) => {
    received += chunk.length
  })
  await closed
  expect(received).toBeGreaterThan(bytes.length)
  await stopped
})

/** Keeps this process, which is also the server, from accepting any before the system has connected them all. */
function blockUntilConnected(port: number, count: number): void {
  if (process.platform !== 'linux') return
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const connected = () =>
    fs
      .readFileSync('/proc/net/tcp', 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, address, , state]) => address?.endsWith(local) && state === '01').length
  const until = performance.now() + 10_000
  while (connected() < count && performance.now() < until);
}

it('a stop answers connections that wait to be accepted', async () => {
  const api = await startTestApi()
  const waiting = Array.from({ length: 50 }, () => wire(api))
  for (const { socket } of waiting) socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  await new Promise<void>((resolve) => process.nextTick(resolve))
  blockUntilConnected(api.server.port, waiting.length)
  const stopped = api.server.stop(25_000)
  await Promise.all(waiting.map(({ closed }) => closed))
  for (const { received } of waiting) expect(received()).toMatch(/^HTTP\/1\.1 200 OK/)
  await stopped
})

/** Sends bytes and resets the connection before this process, which is also the server, accepts it. */
function sendAndLeave(port: number, bytes: string): void {
  const hasLeft = new Int32Array(new SharedArrayBuffer(4))
  const client = `
    const { workerData: { port, bytes, hasLeft } } = require('node:worker_threads')
    const socket = require('node:net').connect(port, '127.0.0.1', () => socket.write(bytes, () => socket.resetAndDestroy()))
    socket.on('close', () => {
      Atomics.store(hasLeft, 0, 1)
      Atomics.notify(hasLeft, 0)
    })`
  new Worker(client, { eval: true, workerData: { port, bytes, hasLeft } })
  Atomics.wait(hasLeft, 0, 0, 10_000)
}

it('a client that left before it was accepted, which has no address, is not served', async () => {
  let served = 0
  const routes = sampleRoutes(async () => {
    served++
  })
  const api = await startTestApi({ routes, settings: { RATE_LIMIT_IP_PER_MINUTE: '1' } })
  const statusOf = async () => (await fetch(`${api.url}/api/samples/slow`)).status
  expect([await statusOf(), await statusOf()]).toEqual([200, 429])
  sendAndLeave(api.server.port, 'GET /api/samples/slow HTTP/1.1\r\nHost: x\r\n\r\n')
  const later = wire(api) // accepted after it
  later.socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  expect(await later.closed).toMatch(/^HTTP\/1.1 200 /)
  expect(served).toBe(1)
})

it('a request that takes longer than the grace period is cut off', async () => {
  let entered: () => void = () => {}
  const inside = new Promise<void>((resolve) => {
    entered = resolve
  })
  const api = await startTestApi({
    routes: sampleRoutes(() => {
      entered()
      return new Promise(() => {})
    }),
  })
  const slow = fetch(`${api.url}/api/samples/slow`)
  const outcome = expect(slow).rejects.toThrow()
  await inside
  await api.server.stop(100)
  await outcome
})
