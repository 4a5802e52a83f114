// Invalid requests and the one shape of their error responses.
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Log } from '../../../src/platform/observability/log.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { testLog } from '../../support/database.ts'
import { sampleRoutes } from './sample-routes.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ routes: sampleRoutes() })
})

interface ErrorBody {
  error: string
  message: string
  details: { path: string; message: string }[]
}

async function refused(path: string, init?: RequestInit) {
  const response = await api.request(path, init)
  return { status: response.status, headers: response.headers, body: (await response.json()) as ErrorBody }
}

const send = (body: RequestInit['body'], contentType = 'application/json', headers = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': contentType, ...headers },
  body: body ?? null,
})

describe('a query', () => {
  it.each(['0', '101', 'abc', '1.5', '', '1e999', '-1'])('with limit=%s is refused, not clamped', async (limit) => {
    const { status, body } = await refused(`/api/samples?limit=${limit}`)
    expect(status).toBe(400)
    expect(body).toMatchObject({
      error: 'validation_failed',
      details: [{ path: 'limit', message: expect.any(String) }],
    })
    expect(body.message).toContain('limit')
  })

  it('with a parameter given twice is refused', async () => {
    expect((await refused('/api/samples?search=a&search=b')).body.details).toMatchObject([{ path: 'search' }])
  })

  it('reports every problem', async () => {
    const { body } = await refused(`/api/samples?limit=0&search=${'x'.repeat(51)}`)
    expect(body.details.map(({ path }) => path)).toEqual(['limit', 'search'])
  })

  it('with unknown parameters is refused, and each is reported with what was probably meant', async () => {
    const { status, body } = await refused('/api/samples?limit=2&per_page=5&searching=a&__proto__=x&constructor=y')
    expect(status).toBe(400)
    expect(body).toMatchObject({
      error: 'validation_failed',
      details: [
        { path: 'per_page', message: 'is not a recognized parameter; did you mean limit?' },
        { path: 'searching', message: 'is not a recognized parameter; did you mean search?' },
        { path: '__proto__' },
        { path: 'constructor' },
      ],
    })
  })

  it('of an operation without parameters is refused too', async () => {
    const { body } = await refused('/api/public/stats?game=rust')
    expect(body.details).toEqual([{ path: 'game', message: 'is not a recognized parameter' }])
  })

  it.each([
    ['offset=10', 'page'],
    ['sort=players', 'sortBy'],
    ['online=true', 'onlineOnly'],
    ['perPage=10', 'limit'],
    ['sortby=name', 'sortBy'],
    ['minPlayer=4', 'minPlayers'],
  ])('of the list of servers with %s names %s', async (query, meant) => {
    const { status, body } = await refused(`/api/servers?${query}`)
    expect(status).toBe(400)
    expect(body.message).toBe(`${query.split('=')[0]}: is not a recognized parameter; did you mean ${meant}?`)
  })

  it.each(['true', 'True', 'TRUE', 'false', 'False'])('may have a flag written as %s', async (flag) => {
    expect((await api.request(`/api/servers?onlineOnly=${flag}`)).status).toBe(200)
  })

  it.each(['1', 'yes', ''])('with %j as a flag is refused', async (flag) => {
    expect((await refused(`/api/servers?onlineOnly=${flag}`)).body.message).toBe('onlineOnly: must be true or false')
  })

  it('may have unknown parameters where programs of others add some', async () => {
    const { status, body } = await refused('/api/lenient?limit=2&utm_source=x')
    expect([status, body]).toEqual([200, { limit: 2 }])
  })

  it('is parsed again for each request', async () => {
    for (const limit of [1, 2, 1, 2])
      expect(await (await api.request(`/api/samples?limit=${limit}`)).json()).toMatchObject({ limit })
  })
})

describe('a path that ends with a slash', () => {
  it('is answered like the one without, with its query', async () => {
    expect(await (await api.request('/api/samples/?limit=2')).json()).toMatchObject({ limit: 2 })
    expect((await refused('/api/v1/samples/?limit=0')).body.details).toMatchObject([{ path: 'limit' }])
    expect((await api.request('/healthz/')).status).toBe(200)
  })

  it('keeps the method and the body', async () => {
    const response = await api.request('/api/samples/', send('{"name":"a","size":1}'))
    expect(response.status).toBe(201)
    expect(await response.json()).toEqual({ name: 'a', size: 1 })
  })

  it.each(['/api/samples//', '//api/samples', '//elsewhere.example/'])('but not %s', async (path) => {
    expect((await fetch(api.url + path, { redirect: 'manual' })).status).toBe(404)
  })
})

describe('a body', () => {
  it('is checked field by field', async () => {
    const { status, body } = await refused('/api/samples', send('{"name":1}'))
    expect(status).toBe(400)
    expect(body).toMatchObject({ error: 'validation_failed', details: [{ path: 'body.name' }, { path: 'body.size' }] })
  })

  it('with unknown keys is refused, and each is reported with what was probably meant', async () => {
    const { status, body } = await refused(
      '/api/samples',
      send('{"name":"a","size":1,"names":"b","__proto__":{"x":1}}'),
    )
    expect(status).toBe(400)
    expect(body.details).toEqual([
      { path: 'body.names', message: 'is not a recognized field; did you mean name?' },
      { path: 'body.__proto__', message: expect.stringContaining('is not a recognized field') },
    ])
  })

  it('with thousands of unknown keys is refused with a few of them', async () => {
    const names = Array.from({ length: 4000 }, (_, i) => [`field${i}`, 1])
    const { status, body } = await refused('/api/samples', send(JSON.stringify(Object.fromEntries(names))))
    expect(status).toBe(400)
    expect(body.details.length).toBeLessThanOrEqual(12)
  })

  it.each(['{', '', '{"name":"a",}', 'undefined', "{'name':1}"])('of %j is malformed_json or missing', async (text) => {
    const { status, body } = await refused('/api/samples', send(text))
    expect(status).toBe(400)
    expect(body.error).toBe(text === '' ? 'validation_failed' : 'malformed_json')
  })

  it.each(['[]', '"text"', '1', 'null', 'true'])('of %s is valid JSON of the wrong type', async (text) => {
    expect((await refused('/api/samples', send(text))).body).toMatchObject({
      error: 'validation_failed',
      details: [{ path: 'body' }],
    })
  })

  it('that is missing is refused', async () => {
    expect((await refused('/api/samples', { method: 'POST' })).body).toMatchObject({ details: [{ path: 'body' }] })
  })

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    '',
  ])('sent as "%s" is unsupported_media_type', async (type) => {
    const { status, body } = await refused(
      '/api/samples',
      send(new TextEncoder().encode('{"name":"a","size":1}'), type),
    )
    expect(status).toBe(415)
    expect(body.error).toBe('unsupported_media_type')
  })

  it('in an unknown charset or encoding is unsupported_media_type', async () => {
    expect((await refused('/api/samples', send('{}', 'application/json; charset=klingon'))).status).toBe(415)
    for (const encoding of ['zip', 'constructor', '__proto__']) {
      const { status } = await refused('/api/samples', send('{}', 'application/json', { 'content-encoding': encoding }))
      expect(status, encoding).toBe(415)
    }
  })

  it('of 64 kB is read, one byte more is payload_too_large', async () => {
    const ofSize = (bytes: number) => {
      const frame = JSON.stringify({ name: '', size: 1 })
      return JSON.stringify({ name: 'x'.repeat(bytes - frame.length), size: 1 })
    }
    expect((await api.request('/api/samples', send(ofSize(65_536)))).status).toBe(201)
    expect(await refused('/api/samples', send(ofSize(65_537)))).toMatchObject({
      status: 413,
      body: { error: 'payload_too_large' },
    })
  })

  it('that is small only while compressed is payload_too_large, and one that can’t be decompressed malformed_json', async () => {
    const bomb = gzipSync(`{"name":"${'x'.repeat(10_000_000)}"}`)
    expect((await refused('/api/samples', send(bomb, 'application/json', { 'content-encoding': 'gzip' }))).status).toBe(
      413,
    )
    const garbage = await refused('/api/samples', send('not gzip', 'application/json', { 'content-encoding': 'gzip' }))
    expect(garbage).toMatchObject({ status: 400, body: { error: 'malformed_json' } })
  })

  it('must not contain NUL, in a value or a key', async () => {
    for (const text of ['{"name":"a\\u0000b","size":1}', '{"name":"a","size":1,"x\\u0000":[{"y":1}]}'])
      expect((await refused('/api/samples', send(text))).body).toMatchObject({ details: [{ path: 'body' }] })
    expect((await api.request('/api/samples', send('{"name":"a\\\\u0000b","size":1}'))).status).toBe(201)
  })
})

describe('an error', () => {
  const detail = 'There is nothing at this address.'

  it('has the members of RFC 9457 beside its code and message', async () => {
    const { body, headers } = await refused('/api/nothing')
    expect(headers.get('content-type')).toBe('application/json')
    expect(body).toEqual({
      error: 'not_found',
      message: detail,
      type: 'urn:problem-type:server-directory:not_found',
      title: 'Not found',
      status: 404,
      detail,
      instance: `#${headers.get('x-request-id')}`,
    })
  })

  it.each([
    ['application/problem+json', 'application/problem+json'],
    ['application/problem+json, application/json;q=0.5', 'application/problem+json'],
    ['application/json, application/problem+json', 'application/json'],
    ['*/*', 'application/json'],
  ])('has the content type that Accept: %s asks for', async (accept, type) => {
    for (const path of ['/api/nothing', '/api/samples?limit=0'])
      expect((await refused(path, { headers: { accept } })).headers.get('content-type')).toBe(type)
  })

  it('of 401 has a challenge that opens no dialog', async () => {
    const { status, headers } = await refused('/api/user/profile')
    expect(status).toBe(401)
    expect(headers.get('www-authenticate')).toBe('Bearer realm="Server Directory"')
  })
})

describe('an address', () => {
  it('without an operation is not_found, with and without a version', async () => {
    for (const path of [
      '/api',
      '/api/',
      '/api/nothing',
      '/api/v1/nothing',
      '/api/v2/samples',
      '/API/samples',
      '/api/Samples',
      '/docs/../package.json',
    ])
      expect(await refused(path), path).toMatchObject({ status: 404, body: { error: 'not_found' } })
  })

  it('known with other methods is method_not_allowed and lists them', async () => {
    const { status, headers, body } = await refused('/api/samples', { method: 'PUT' })
    expect(status).toBe(405)
    expect(body.error).toBe('method_not_allowed')
    expect(headers.get('allow')).toBe('GET, POST, HEAD, OPTIONS')
    expect((await refused('/healthz', { method: 'POST' })).headers.get('allow')).toBe('GET, HEAD')
    expect((await fetch(`${api.url}/docs`, { method: 'POST' })).status).toBe(405)
    expect((await refused('/api/samples/page', { method: 'DELETE' })).headers.get('allow')).toBe('GET, HEAD, OPTIONS')
  })

  it.each([
    '/api/%ff',
    '/api/samples/%ff',
    '/api/samples/%',
    '/api/samples?search=%ff',
    '/api/samples?search=%',
    '/api/samples/a%00b',
    '/%ff',
    '/docs/%ff',
  ])('%s can’t be decoded: 400', async (path) => {
    expect(await refused(path)).toMatchObject({
      status: 400,
      body: { error: 'validation_failed', details: [{ path: 'url' }] },
    })
  })

  it('with a fixed segment does not match a parameter', async () => {
    expect(await (await api.request('/api/samples/undeclared')).json()).toEqual({ name: 'a' })
    expect(await (await api.request('/api/samples/a%20b%2Fc')).json()).toEqual({ id: 'a b/c' })
  })
})

describe('an error in a handler', () => {
  it('is sent when it is typed', async () => {
    expect((await refused('/api/samples/missing')).body).toMatchObject({
      error: 'not_found',
      message: 'There is no such sample.',
    })
    const unavailable = await refused('/api/samples/unavailable')
    expect(unavailable).toMatchObject({ status: 503, body: { error: 'unavailable' } })
    expect(unavailable.headers.get('retry-after')).toBe('7')
  })

  it.each(['/api/samples/broken', '/api/samples/wrong'])('is otherwise a 500 without details (%s)', async (path) => {
    const { status, headers, body } = await refused(path)
    expect(status).toBe(500)
    expect(body).toMatchObject({ error: 'internal', message: expect.stringContaining('X-Request-Id') })
    expect(headers.get('cache-control')).toBe('no-store')
  })

  it('whose reply can’t be made ends the connection, not the process', async () => {
    const quiet = await startTestApi({
      routes: sampleRoutes(),
      log: testLog.child({}, { level: 'silent' }) as Log,
    })
    await expect(fetch(`${quiet.url}/api/samples/unsendable`)).rejects.toThrow('fetch failed')
    expect((await quiet.request('/api/samples/page')).status).toBe(200)
  })

  it('never sends an undeclared field', async () => {
    expect(await (await api.request('/api/samples/undeclared')).json()).toEqual({ name: 'a' })
  })
})

describe('an address where nothing is', () => {
  const AS_BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
  const get = (path: string, accept?: string) => fetch(api.url + path, accept ? { headers: { accept } } : {})

  it.each(['/nothing', '/api/nothing'])('%s is a page in a browser, under the rules of pages', async (path) => {
    const response = await get(path, AS_BROWSER)
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('content-security-policy')).toContain("style-src 'self'")
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('vary')).toContain('Accept')
    const page = await response.text()
    expect(page).toContain('<h1>Not found</h1>')
    expect(page).not.toContain('{"error"')
  })

  it.each([undefined, '*/*', 'application/json'])('is JSON for a program that accepts %s', async (accept) => {
    const response = await get('/api/nothing', accept)
    expect([response.status, await response.json()]).toEqual([404, expect.objectContaining({ error: 'not_found' })])
  })
})
