// Hostile HTTP below the operations: addresses, methods, headers and bytes that no client sends.
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { sampleRoutes } from '../platform/http/sample-routes.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { FUZZ_TIMEOUT, runFor } from './support/run.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ routes: sampleRoutes().filter(({ path }) => !/broken|wrong|unavailable/.test(path)) })
})

const segment = fc.oneof(
  fc.constantFrom(
    'api',
    'v1',
    'samples',
    'public',
    'servers',
    'stats',
    'docs',
    'openapi.json',
    '..',
    '.',
    '',
    '%2e%2e',
    '%ff',
    '*',
    '{id}',
    ':id',
    '__proto__',
    'constructor',
  ),
  fc.string({ maxLength: 20 }).map(encodeURIComponent),
  fc.string({ unit: fc.constantFrom(...'!"$&\'()*+,-.:;<=>@[]^_`{|}~%\\'), maxLength: 8 }),
)
const key = fc.constantFrom(
  'limit',
  'page',
  'search',
  'map',
  'sortBy',
  'sortOrder',
  'tags',
  'minMultiplier',
  'onlineOnly',
  '__proto__',
  'toString',
  'limit[]',
  'limit[a]',
)
const value = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }).map((text) => encodeURIComponent(text.toWellFormed())),
  fc.constantFrom(
    '1',
    '-0',
    '1e3',
    '0x10',
    'NaN',
    'Infinity',
    '%00',
    '%',
    '%F0%9F%92%A9',
    '99999999999999999999',
    'true',
    ',',
  ),
)
const target = fc
  .tuple(fc.array(segment, { maxLength: 5 }), fc.array(fc.tuple(key, value), { maxLength: 4 }))
  .map(([segments, query]) => `/${segments.join('/')}?${query.map(([k, v]) => `${k}=${v}`).join('&')}`)
const method = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND')
const body = fc.oneof(
  fc.constant(undefined),
  fc.json({ maxDepth: 3 }).map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)),
  fc
    .record({ name: fc.string({ unit: 'binary' }), size: fc.oneof(fc.integer(), fc.double(), fc.string()) })
    .map((item) => Buffer.from(JSON.stringify(item))),
)
const header = fc.constantFrom<Record<string, string>>(
  {},
  { 'content-type': 'application/json' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': ';;;' },
  { 'content-encoding': 'br', 'content-type': 'application/json' },
  { 'if-none-match': 'W/"' },
  { 'accept-encoding': ';q=,,gzip;q=x' },
  { 'x-forwarded-for': ',,999.1.1.1' },
  { 'x-request-id': '' },
  { origin: 'null', 'access-control-request-method': '\t' },
)

/** Sends the path unchanged; fetch would normalize it. */
function statusOf(method: string, path: string, headers: Record<string, string>, body: Buffer | undefined) {
  return new Promise<number>((resolve, reject) => {
    const { port } = new URL(api.url)
    const framing = body ? { 'content-length': body.length } : {}
    httpRequest({ port, host: '127.0.0.1', method, path, headers: { ...headers, ...framing }, agent: false }, (res) => {
      res.resume().on('end', () => resolve(res.statusCode ?? 0))
    })
      .on('error', reject)
      .end(body)
  })
}

it('no path, query, header or body makes the process fail', FUZZ_TIMEOUT, async () => {
  await runFor(
    'addresses',
    0.15,
    fc.asyncProperty(method, target, header, body, async (method, path, headers, body) => {
      const status = await statusOf(method, path, headers, body)
      expect(status).toBeGreaterThanOrEqual(200)
      expect(status).toBeLessThan(500)
    }),
  )
})

it('no bytes on the wire make the process fail', FUZZ_TIMEOUT, async () => {
  const { port } = new URL(api.url)
  const exchange = (bytes: Uint8Array) =>
    new Promise<string>((resolve, reject) => {
      let received = ''
      const socket = connect(Number(port), '127.0.0.1', () => socket.end(bytes))
      socket.setEncoding('latin1').on('data', (chunk) => {
        received += chunk
      })
      socket.on('close', () => resolve(received)).on('error', reject)
    })
  const line = fc.oneof(
    fc.uint8Array({ maxLength: 100 }),
    fc
      .constantFrom(
        'GET /api/samples HTTP/1.1\r\n',
        'GET * HTTP/1.1\r\n\r\n',
        'GET http:// HTTP/1.1\r\nHost: x\r\n\r\n',
        'Host: x\r\n\r\n',
        'POST //// HTTP/1.0\r\n\r\n',
        'Content-Length: -1\r\n',
        'Transfer-Encoding: chunked\r\n\r\nzz\r\n',
        'GET \\ HTTP/1.1\r\nHost: x\r\n\r\n',
      )
      .map((text) => Buffer.from(text)),
  )
  await runFor(
    'bytes',
    0.1,
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 4 }), async (lines) => {
      expect(await exchange(Buffer.concat(lines))).not.toMatch(/^HTTP\/1.1 5/)
    }),
  )
  expect((await api.request('/healthz')).status).toBe(200)
})
