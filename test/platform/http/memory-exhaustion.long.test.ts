// One client that does not read, or sends too much: the API's memory, and how long others wait.
import fs from 'node:fs'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { descendant } from '../../commands/support/start-launcher.ts'
import { openDatabaseOf, startProduct, WAIT_OPTIONS } from '../../support/started-product.ts'

/** The limits allow 8 MB a client; the rest is uncollected garbage, more on a busy machine. Without limits: 400 MB. */
const MAX_GROWTH_MB = 150
const SERVERS = 1_500
const ATTACKERS = 150
/** How much longer others may wait: generous, since the attackers share their processors. */
const MAX_SLOWDOWN = 60

// No proxy: each loopback address is a client. Request limits are off.
// As in production: elsewhere each page is parsed and checked again, which needs memory.
const product = await startProduct({
  NODE_ENV: 'production',
  APP_SECRET: 'a secret of the tests, 32 characters and more',
  ALLOW_HTTP: 'true',
  TRUST_PROXY: '0',
  RATE_LIMIT_IP_PER_MINUTE: '1000000',
  RATE_LIMIT_IP_PER_HOUR: '1000000',
})
const port = Number(new URL(product.url).port)
const api = descendant(product.launcher.pid, 'src/main.ts')?.pid ?? 0
const open = new Set<Socket>()
afterAll(() => {
  for (const socket of open) socket.destroy()
})

beforeAll(async () => {
  const pool = await openDatabaseOf(product)
  await pool.query(
    `insert into servers (id, game, name, description, ip_address, game_port, query_port)
     select gen_random_uuid(), 'ase', 'Large ' || n, repeat('🦖', 2000), '198.18.' || n / 256 || '.' || n % 256, 7777, 27015
     from generate_series(1, $1) as n`,
    [SERVERS],
  )
  await vi.waitFor(async () => {
    const statistics = (await (await fetch(`${product.url}/api/public/stats`)).json()) as { totalServers: number }
    expect(statistics.totalServers).toBe(SERVERS)
  }, WAIT_OPTIONS)
  // Reading clients cost memory, too: compiled code, and what the collector leaves between two runs.
  await others(200)
  for (let n = 0; n < 80; n++) await (await fetch(`${product.url}/api/servers/changes?limit=1000`)).arrayBuffer()
})

/** Opens a connection from a loopback address; reads nothing unless resumed. */
function attack(localAddress: string, ...parts: string[]): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  open.add(socket)
  socket.pause()
  socket.on('error', () => undefined) // cut off
  socket.on('close', () => open.delete(socket))
  for (const part of parts) socket.write(part)
  return socket
}

const memoryMb = () => Number(/VmRSS:\s+(\d+) kB/.exec(fs.readFileSync(`/proc/${api}/status`, 'utf8'))?.[1]) / 1024

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${product.url}/metrics`)).text()
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? 0)
}

/** Another client's 99th percentile of `requests`, in milliseconds. */
async function others(requests: number): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < requests; n++) {
    const from = performance.now()
    const response = await fetch(`${product.url}/api/public/servers?limit=2`)
    const body = await response.text()
    expect(response.status, `${body}\n${product.launcher.output().slice(-2_000)}`).toBe(200)
    times.push(performance.now() - from)
  }
  return times.sort((a, b) => a - b)[Math.floor(requests * 0.99)] ?? 0
}

/** Runs an attack while another client sends requests; checks the growth in memory and the other's waits. */
async function underAttack(name: string, begin: () => void): Promise<void> {
  const quiet = await others(300)
  const before = memoryMb()
  let peak = before
  const samples = setInterval(() => {
    peak = Math.max(peak, memoryMb())
  }, 50)
  begin()
  const busy = await others(600).finally(() => clearInterval(samples))
  const growth = peak - before
  const figures = [before, growth, quiet, busy].map((figure) => figure.toFixed(1))
  console.log(
    `${name}: ${figures[0]} MB + ${figures[1]} MB, p99 of others ${figures[2]} ms, under attack ${figures[3]} ms`,
  )
  expect(growth).toBeLessThan(MAX_GROWTH_MB)
  expect(busy / Math.max(quiet, 4)).toBeLessThan(MAX_SLOWDOWN)
}

const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n))

it('150 connections request the largest pages and never read', async () => {
  const request = 'GET /api/servers/changes?limit=1000 HTTP/1.1\r\nHost: x\r\n\r\n'
  await underAttack('never read', () => times(ATTACKERS, () => attack('127.0.0.2', request.repeat(8))))
  expect(await metric('directory_http_held_bytes')).toBeLessThanOrEqual(8_000_000)
})

it('unread replies are destroyed, and their memory is free again', async () => {
  await vi.waitFor(
    async () => expect(await metric('directory_http_cut_off_total{reason="stalled"}')).toBeGreaterThan(0),
    {
      timeout: 45_000,
      interval: 500,
    },
  )
  await expect.poll(() => metric('directory_http_held_bytes'), WAIT_OPTIONS).toBe(0)
})

it('live streams from several addresses are never read', async () => {
  const first = (await (await fetch(`${product.url}/api/servers/changes?limit=1`)).json()) as { cursor: string }
  const request = `GET /api/servers/stream?cursor=${first.cursor} HTTP/1.1\r\nHost: x\r\n\r\n`
  await underAttack('unread streams', () => times(100, (n) => attack(`127.0.1.${1 + (n % 5)}`, request)))
})

it('150 bodies never end: in one piece, and byte by byte', async () => {
  const head = 'Host: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'
  const signed = `POST /api/billing/webhook HTTP/1.1\r\n${head}${(900_000).toString(16)}\r\n${'x'.repeat(900_000)}\r\n`
  const bytewise = `POST /api/auth/login HTTP/1.1\r\n${head}${'1\r\nx\r\n'.repeat(60_000)}`
  await underAttack('bodies without end', () => times(ATTACKERS, (n) => attack('127.0.0.3', n % 2 ? signed : bytewise)))
})

it('a body that is too large is refused before its end', async () => {
  const head =
    'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'
  const socket = attack('127.0.0.4', head, `${(100_000).toString(16)}\r\n${'x'.repeat(100_000)}\r\n`)
  const drip = setInterval(() => socket.writable && socket.write('1\r\nx\r\n'), 200)
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk
  })
  socket.resume()
  // The body has no end: without the refusal the server would wait 30 s for it.
  await vi.waitFor(() => expect(open.has(socket)).toBe(false), { timeout: 15_000 })
  clearInterval(drip)
  expect(received).toMatch(/^HTTP\/1.1 413 /)
})

it('JSON nested 5,000 deep is refused and leaves no stack in the log', async () => {
  const nested = `${'['.repeat(5_000)}${']'.repeat(5_000)}`
  const response = await fetch(`${product.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: nested,
  })
  expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([400, 'validation_failed'])
  expect(product.launcher.output()).not.toContain('Maximum call stack')
})

it('an address that opens 400 connections gets 200, and others are served', async () => {
  const sockets = times(400, () => attack('127.0.0.6', 'GET /api/public/stats HTTP/1.1\r\nHost: x\r\n\r\n').resume())
  await vi.waitFor(() => expect(sockets.filter((socket) => open.has(socket))).toHaveLength(200), WAIT_OPTIONS)
  expect((await fetch(`${product.url}/api/public/stats`)).status).toBe(200)
})
