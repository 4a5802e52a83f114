// Replies on the wire: cached pages, compression, ETags, HEAD.
import { request as httpRequest } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { page, sampleRoutes } from './sample-routes.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ routes: sampleRoutes() })
})

/** GET without fetch's default headers and decompression. */
function rawGet(path: string, headers: Record<string, string> = {}, method = 'GET') {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: Buffer }>((resolve, reject) => {
    httpRequest(api.url + path, { headers, method }, (res) => {
      const chunks: Buffer[] = []
      res.on('data', (chunk: Buffer) => chunks.push(chunk))
      res.on('end', () => resolve({ status: res.statusCode ?? 0, headers: res.headers, body: Buffer.concat(chunks) }))
    })
      .on('error', reject)
      .end()
  })
}

describe('a cached page', () => {
  it('is sent with its ETag, its age and its exact length', async () => {
    const reply = await rawGet('/api/samples/page')
    expect(reply.body.equals(page.bytes)).toBe(true)
    expect(reply.headers).toMatchObject({
      etag: '"page-1"',
      'cache-control': 'public, max-age=1',
      'content-length': String(page.bytes.length),
      'content-type': 'application/json; charset=utf-8',
      vary: 'Accept-Encoding',
    })
    expect(reply.headers['content-encoding']).toBeUndefined()
  })

  it('is sent compressed to a client that accepts gzip, with a weak ETag', async () => {
    const reply = await rawGet('/api/samples/page', { 'accept-encoding': 'br;q=1, gzip;q=0.5' })
    expect(reply.headers).toMatchObject({
      'content-encoding': 'gzip',
      etag: 'W/"page-1"',
      'content-length': String(page.gzip?.length),
      vary: 'Accept-Encoding',
    })
    expect(gunzipSync(reply.body).equals(page.bytes)).toBe(true)
  })

  it.each([
    'gzip;q=0',
    'gzip;q=0.0, identity',
    'gzip;q=0.1, identity;q=0.2',
    'identity',
    'br',
    'xgzip',
    '*;q=0',
    '',
    `gzip, ${'x'.repeat(200)}`,
  ])('is sent uncompressed for Accept-Encoding "%s"', async (accepted) => {
    const reply = await rawGet('/api/samples/page', { 'accept-encoding': accepted })
    expect(reply.headers['content-encoding']).toBeUndefined()
  })

  it.each(['"page-1"', 'W/"page-1"', '"other", W/"page-1"', '*'])(
    'answers 304 without a body for If-None-Match %s',
    async (tag) => {
      const reply = await rawGet('/api/samples/page', { 'if-none-match': tag })
      expect(reply).toMatchObject({ status: 304, headers: { etag: '"page-1"', 'cache-control': 'public, max-age=1' } })
      expect(reply.body.length).toBe(0)
    },
  )

  it('is sent again when its ETag differs', async () => {
    expect((await rawGet('/api/samples/page', { 'if-none-match': '"page-0"' })).status).toBe(200)
  })

  it('answers HEAD with the headers of GET and no body', async () => {
    const reply = await rawGet('/api/samples/page', {}, 'HEAD')
    expect(reply).toMatchObject({ status: 200, headers: { 'content-length': String(page.bytes.length) } })
    expect(reply.body.length).toBe(0)
  })
})

describe('other JSON', () => {
  it('is revalidated by the client: 304 while it is unchanged', async () => {
    const first = await api.request('/api/samples?limit=3')
    expect(first.headers.get('cache-control')).toBe('private, no-cache')
    const etag = first.headers.get('etag') ?? ''
    expect((await api.request('/api/samples?limit=3', { headers: { 'if-none-match': etag } })).status).toBe(304)
    expect((await api.request('/api/samples?limit=4', { headers: { 'if-none-match': etag } })).status).toBe(200)
  })

  it('is compressed only above the minimum size', async () => {
    const large = await rawGet('/api/samples?limit=100', { 'accept-encoding': 'gzip' })
    expect(large.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' })
    expect(JSON.parse(gunzipSync(large.body).toString()).limit).toBe(100)
    const small = await rawGet('/api/samples?limit=1', { 'accept-encoding': 'gzip' })
    expect(small.headers['content-encoding']).toBeUndefined()
    expect(small.headers['content-length']).toBe(String(small.body.length))
  })

  it('answers HEAD without a body', async () => {
    const reply = await api.request('/api/samples?limit=100', { method: 'HEAD' })
    expect(reply.status).toBe(200)
    expect(await reply.text()).toBe('')
  })

  it('is not stored after a write, and has the declared status', async () => {
    const reply = await api.request('/api/samples', post({ name: 'a', size: 1 }))
    expect(reply.status).toBe(201)
    expect(reply.headers.get('cache-control')).toBe('no-store')
    expect(await reply.json()).toEqual({ name: 'a', size: 1 })
  })
})

describe('every reply', () => {
  const paths = [
    '/api/samples/page',
    '/api/samples',
    '/api/nothing',
    '/api/samples/broken',
    '/healthz',
    '/metrics',
    '/docs',
  ]

  it.each(paths)('of %s carries security headers and a request id', async (path) => {
    const reply = await rawGet(path)
    expect(reply.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': expect.any(String) })
    expect(reply.headers['content-security-policy']).toContain("default-src 'none'")
    expect(reply.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(reply.headers['x-powered-by']).toBeUndefined()
    expect(reply.headers['strict-transport-security']).toBeUndefined()
  })

  it('keeps a valid request id of the client and replaces any other', async () => {
    const ids = async (id: string) => (await rawGet('/api/samples', { 'x-request-id': id })).headers['x-request-id']
    expect(await ids('Root=1-67891233-abcdef012345678912345678')).toBe('Root=1-67891233-abcdef012345678912345678')
    expect(await ids('a b')).toMatch(/^[0-9a-f-]{36}$/)
    expect(await ids('"}')).toMatch(/^[0-9a-f-]{36}$/)
    expect(await ids('x'.repeat(129))).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('requires https of browsers when the service uses it', async () => {
    const https = await startTestApi({
      settings: { PUBLIC_BASE_URL: 'https://servers.example' },
      database: api.database,
    })
    expect((await https.request('/healthz')).headers.get('strict-transport-security')).toContain('max-age=')
  })
})

describe('both versions', () => {
  it.each(['/api', '/api/v1'])('%s serves the same endpoints', async (base) => {
    expect(await (await api.request(`${base}/samples/page`)).json()).toEqual(JSON.parse(page.bytes.toString()))
    expect((await api.request(`${base}/samples/missing`)).status).toBe(404)
    expect(await (await api.request(`${base}/openapi.json`)).json()).toMatchObject({ openapi: '3.1.1' })
  })
})

describe('other origins', () => {
  it('may read a public endpoint and its headers', async () => {
    const { headers } = await api.request('/api/samples/page', { headers: { origin: 'https://elsewhere.example' } })
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-expose-headers')).toContain('Retry-After')
  })

  it('may read the errors of a public endpoint', async () => {
    const refused = await api.request('/api/public/servers?limit=101')
    expect(refused.status).toBe(400)
    expect(refused.headers.get('access-control-allow-origin')).toBe('*')
  })

  it('may not read other endpoints', async () => {
    expect((await api.request('/api/samples')).headers.get('access-control-allow-origin')).toBeNull()
  })

  it('learn from a preflight which methods and headers a public endpoint accepts', async () => {
    const preflight = { origin: 'https://elsewhere.example', 'access-control-request-method': 'GET' }
    const allowed = await api.request('/api/samples/page', { method: 'OPTIONS', headers: preflight })
    expect(allowed.status).toBe(204)
    expect(allowed.headers.get('access-control-allow-methods')).toBe('GET')
    const refused = await api.request('/api/samples', { method: 'OPTIONS', headers: preflight })
    expect(refused.headers.get('access-control-allow-methods')).toBeNull()
    expect(refused.headers.get('allow')).toBe('GET, POST, HEAD, OPTIONS')
  })
})

function post(body: unknown): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}
