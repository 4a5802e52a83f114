// Request bodies: size, nesting, encodings, and how they arrive.
import { connect } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { MAX_BODY_BYTES, MAX_BODY_DEPTH, MAX_BODY_VALUES } from '../../../src/platform/http/body.ts'
import { startTestApi } from '../../support/api.ts'
import { sampleRoutes } from './sample-routes.ts'

const api = await startTestApi({ routes: sampleRoutes() })

async function post(body: string | Buffer, headers: Record<string, string> = {}, path = '/api/samples') {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: new Uint8Array(Buffer.from(body)),
  }
  const response = await api.request(path, init)
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

/** Runs the given writes. Resolves with everything received once the server has closed the connection. */
function send(...parts: (string | Buffer)[]): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(api.server.port, '127.0.0.1')
    let received = ''
    socket.setEncoding('latin1').on('data', (chunk) => {
      received += chunk
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(received))
    for (const part of parts) socket.write(part)
  })
}

const HEAD = 'POST /api/samples HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
const valid = JSON.stringify({ name: 'Größe 🦖', size: 1 })
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

describe('a nested body', () => {
  it.each([
    ['one level too deep', nested(MAX_BODY_DEPTH + 1)],
    ['5,000 levels deep', nested(5_000)],
    ['30,000 levels deep', nested(30_000)],
    ['too deep in a field', `{"name":${nested(MAX_BODY_DEPTH)}}`],
    ['of objects', `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`],
  ])('%s is refused with the rule', async (_, body) => {
    expect(await post(body)).toMatchObject({
      status: 400,
      body: { error: 'validation_failed', message: 'body: must not be nested deeper than 50 levels' },
    })
  })

  it('at the deepest allowed level is read, and then refused by the schema', async () => {
    expect(await post(nested(MAX_BODY_DEPTH))).toMatchObject({
      status: 400,
      body: { message: expect.not.stringContaining('nested') },
    })
  })

  it('that never closes is not JSON', async () => {
    expect(await post('['.repeat(5_000))).toMatchObject({ status: 400, body: { error: 'malformed_json' } })
  })
})

describe('a body of many values', () => {
  const items = (count: number) => JSON.stringify(Array(count).fill(1))

  it.each([
    ['in a list', items(MAX_BODY_VALUES)],
    [
      'in lists of lists',
      `[${Array(MAX_BODY_VALUES / 2)
        .fill('[1]')
        .join(',')}]`,
    ],
    [
      'of distinct names',
      JSON.stringify(Object.fromEntries(Array.from({ length: MAX_BODY_VALUES }, (_, n) => [n, 1]))),
    ],
  ])('%s is refused with the rule', async (_, body) => {
    expect(await post(body)).toMatchObject({
      status: 400,
      body: { error: 'validation_failed', message: 'body: must not have more than 2000 values' },
    })
  })

  it('with the most that are allowed is read, and then refused by the schema', async () => {
    expect(await post(items(MAX_BODY_VALUES - 1))).toMatchObject({
      status: 400,
      body: { message: expect.not.stringContaining('values') },
    })
  })
})

it('of more than 50 mistakes in a body, 50 are named and the others counted', async () => {
  const { status, body } = await post(JSON.stringify({ ids: Array(60).fill(1) }), {}, '/api/servers/lookup')
  expect([status, (body.details as object[]).length]).toEqual([400, 50])
  expect(body.message).toMatch(/^body\.ids\.0: must be a string; .*body\.ids\.49: must be a string; and 10 more$/)
})

it.each([
  ['gzip', gzipSync(valid)],
  ['deflate', deflateSync(valid)],
  ['br', brotliCompressSync(valid)],
  ['identity', Buffer.from(valid)],
])('a body in %s is read', async (encoding, body) => {
  expect(await post(body, { 'content-encoding': encoding })).toMatchObject({ status: 201, body: { name: 'Größe 🦖' } })
})

it('a body in UTF-16, or with a byte order mark, is read', async () => {
  expect(
    await post(Buffer.from(valid, 'utf16le'), { 'content-type': 'application/json; charset=utf-16le' }),
  ).toMatchObject({
    status: 201,
    body: { name: 'Größe 🦖' },
  })
  expect((await post(`\uFEFF${valid}`)).status).toBe(201)
})

it('a body that is small only while compressed is refused', async () => {
  const bomb = gzipSync(JSON.stringify({ name: 'x'.repeat(10 * MAX_BODY_BYTES), size: 1 }))
  expect(bomb.length).toBeLessThan(MAX_BODY_BYTES)
  expect(await post(bomb, { 'content-encoding': 'gzip' })).toMatchObject({ status: 413 })
  expect(await post('not compressed', { 'content-encoding': 'gzip' })).toMatchObject({
    status: 400,
    body: { error: 'malformed_json' },
  })
})

it('a body that arrives byte by byte is read', async () => {
  const bytes = [...Buffer.from(valid)].map((byte) =>
    Buffer.concat([Buffer.from('1\r\n'), Buffer.from([byte]), Buffer.from('\r\n')]),
  )
  const received = await send(`${HEAD}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n`, ...bytes, '0\r\n\r\n')
  expect(received).toMatch(/^HTTP\/1.1 201 /)
})

it.each([
  ['declared', `${HEAD}Content-Length: ${MAX_BODY_BYTES + 1}\r\n\r\n{`],
  ['sent in chunks', `${HEAD}Transfer-Encoding: chunked\r\n\r\n11000\r\n${'x'.repeat(0x11000)}\r\n`],
  ['sent in thousands of pieces', `${HEAD}Transfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(2_000)}`],
])('a body that is too large as %s is refused before its end, and its connection closes', async (_, request) => {
  const received = await send(request)
  expect(received).toMatch(/^HTTP\/1.1 413 /)
  expect(received).toMatch(/\r\nConnection: close\r\n/)
  expect(received).toContain('"error":"payload_too_large"')
})

it('a body of the maximum size is read', async () => {
  const body = JSON.stringify({ name: 'x'.repeat(MAX_BODY_BYTES - 20), size: 1 })
  expect(body.length).toBeLessThanOrEqual(MAX_BODY_BYTES)
  expect((await post(body)).status).toBe(201)
})
