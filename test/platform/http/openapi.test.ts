// The served OpenAPI document is valid, complete and matches the routes.
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { beforeAll, describe, expect, it } from 'vitest'
import { createCookieJar } from '../../../src/platform/http/cookies.ts'
import { describeApi } from '../../../src/platform/http/openapi.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { createContract } from '../../support/contract.ts'
import { EVERYTHING_OFFERED } from '../../support/everything-offered.ts'
import { sampleRoutes } from './sample-routes.ts'

type Json = Record<string, unknown>
interface Operation extends Json {
  operationId: string
  tags: string[]
  summary: string
  parameters?: { name: string; in: string; required?: boolean; schema: unknown }[]
  requestBody?: { required?: boolean }
  responses: Json
  'x-errors'?: Json
}

let api: TestApi
let document: Json & {
  servers: { url: string }[]
  paths: Record<string, Json>
  components: Record<string, Json>
  tags: { name: string }[]
}
let operations: { name: string; path: string; method: string; operation: Operation }[]

const OPTIONS = { publicBaseUrl: 'https://directory.example', images: [], withOperatorPaths: true }
const METHODS = ['get', 'put', 'post', 'delete', 'patch']

beforeAll(async () => {
  api = await startTestApi({ routes: sampleRoutes(), settings: EVERYTHING_OFFERED })
  document = (await (await api.request('/api/openapi.json')).json()) as typeof document
  operations = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method) => ({
      name: `${method.toUpperCase()} ${path}`,
      path,
      method,
      operation: item[method] as Operation,
    })),
  )
})

/** Every object in the document, with its JSON pointer. */
function* nodes(value: unknown, at = '#'): Generator<{ at: string; node: Json }> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield { at, node: value as Json }
  for (const [key, child] of Object.entries(value)) yield* nodes(child, `${at}/${key}`)
}

const successes = ({ responses }: Operation) =>
  Object.fromEntries(Object.entries(responses).filter(([status]) => status.startsWith('2')))

const resolve = (ref: string): unknown =>
  ref
    .slice(2)
    .split('/')
    .reduce<unknown>((value, key) => (value as Json | undefined)?.[key], document)

describe('the served description', () => {
  it('lists every operation with its statuses', () => {
    const statuses = Object.fromEntries(
      operations.map(({ name, operation }) => [
        name,
        [...Object.keys(operation.responses), ...Object.keys(operation['x-errors'] ?? {})].join(' '),
      ]),
    )
    expect(statuses).toMatchObject({
      'GET /public/servers': '200 304 default 400 401 429 500 503',
      'GET /public/servers/{id}': '200 304 404 default 400 401 404 429 500 503',
      'GET /public/stats': '200 304 default 400 401 429 500 503',
      'GET /servers': '200 304 default 400 401 429 500 503',
      'GET /servers/{id}': '200 304 404 default 400 401 404 429 500 503',
      'GET /openapi.json': '200 304 default 400 401 429 500 503',
      'GET /healthz': '200',
      'GET /readyz': '200 503',
      'GET /metrics': '200',
      'POST /samples': '201 default 400 401 403 413 415 429 500 503',
      'DELETE /samples/{id}': '200 default 400 401 403 429 500 503',
    })
  })

  it('has no status but those of the interface and those of HTTP itself', () => {
    const ofInterface = ['200', '201', '400', '401', '403', '404', '429', '500', '503']
    const ofHttp = ['202', '302', '304', '405', '408', '413', '415', '417', '431']
    for (const { name, operation } of operations) {
      const statuses = [...Object.keys(operation.responses), ...Object.keys(operation['x-errors'] ?? {})]
      expect([...ofInterface, ...ofHttp, 'default'], name).toEqual(expect.arrayContaining(statuses))
    }
  })

  it('is OpenAPI 3.1 with the required fields', () => {
    expect(document).toMatchObject({
      openapi: expect.stringMatching(/^3\.1\.\d$/),
      info: { title: expect.any(String), version: expect.any(String) },
    })
    const tags = new Set(document.tags.map(({ name }) => name))
    for (const { name, operation } of operations) {
      expect(operation.summary, name).toBeTruthy()
      for (const tag of operation.tags) expect(tags, name).toContain(tag)
      for (const [status, response] of Object.entries(operation.responses)) {
        expect(status).toMatch(/^([1-5]\d\d|default)$/)
        const ref = (response as { $ref?: string }).$ref
        expect(ref ? resolve(ref) : response, `${name} ${status}`).toHaveProperty('description')
      }
    }
    for (const name of Object.keys(document.paths)) expect(name).toMatch(/^(\/([\w.-]+|\{\w+\}))+$/)
  })

  it('gives each operation its own id', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z]+$/)
  })

  it('has no dangling reference', () => {
    for (const { at, node } of nodes(document))
      if (typeof node.$ref === 'string') expect(resolve(node.$ref), `${at} → ${node.$ref}`).toBeDefined()
  })

  it('declares the parameters of each path, and none twice', () => {
    for (const { name, path, operation } of operations) {
      const parameters = operation.parameters ?? []
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter)
      const declared = parameters.filter((parameter) => parameter.in === 'path')
      expect(
        declared.map((parameter) => parameter.name),
        name,
      ).toEqual(inPath)
      for (const parameter of declared) expect(parameter.required, name).toBe(true)
      const keys = parameters.map((parameter) => `${parameter.in} ${parameter.name}`)
      expect(new Set(keys).size, name).toBe(keys.length)
      for (const parameter of parameters) expect(parameter.schema, name).toBeDefined()
    }
  })

  it('names the session’s cookie as a login sets it, which depends on https', () => {
    const nameOf = (publicBaseUrl: string) =>
      describeApi([], { ...OPTIONS, publicBaseUrl }).components?.securitySchemes?.session
    expect(nameOf('https://directory.example')).toMatchObject({ in: 'cookie', name: '__Host-session' })
    expect(nameOf('http://localhost:3000')).toMatchObject({ in: 'cookie', name: 'session' })
    expect(createCookieJar(true).set('session', 'x')[1]).toMatch(/^__Host-session=x;/)
    expect(createCookieJar(false).set('session', 'x')[1]).toMatch(/^session=x;/)
  })

  it('marks optional bodies', () => {
    const optional = operations.filter(({ operation }) => operation.requestBody?.required === false)
    expect(optional.map(({ name }) => name).sort()).toEqual([
      'POST /admin/auctions/{id}/bids/{bidId}/void',
      'POST /admin/queues/{name}/redrive',
      'POST /admin/queues/{name}/retry',
      'POST /auctions/{id}/checkout',
    ])
  })

  it('has only schemas of JSON Schema 2020-12 whose examples and defaults are valid', () => {
    const ajv = new Ajv2020({ strict: false })
    addFormats.default(ajv)
    ajv.addSchema({ ...document, $id: 'api' })
    const schemas = [...nodes(document)].filter(({ at }) =>
      /\/schemas\/[^/]+$|\/schema$|\/(properties\/[^/]+|items)$/.test(at),
    )
    expect(schemas.length).toBeGreaterThan(50)
    for (const { at, node } of schemas) {
      expect(ajv.validateSchema(node), `${at}: ${ajv.errorsText()}`).toBe(true)
      const pointer = at.slice(2).split('/').map(encodeURIComponent).join('/')
      const examples = [
        ...((node.examples as unknown[] | undefined) ?? []),
        ...('default' in node ? [node.default] : []),
      ]
      if (examples.length === 0 || at.includes('application/json')) continue
      const validate = ajv.getSchema(`api#/${pointer}`) ?? ajv.compile(node)
      for (const example of examples) expect(validate(example), `${at}: ${ajv.errorsText(validate.errors)}`).toBe(true)
    }
  })

  it('closes every object it returns, so that an extra field is as wrong as a missing one', () => {
    for (const { name, operation } of operations) {
      if (operation.operationId === 'getDescription') continue // its response is OpenAPI itself
      for (const { at, node } of nodes(successes(operation), name))
        if (node.type === 'object' && node.properties) expect(node.additionalProperties, at).toBe(false)
    }
    for (const { at, node } of nodes(document.components.schemas))
      if (
        node.type === 'object' &&
        node.properties &&
        !/^#\/(SampleItem|LookupRequest|VoterClaim|PushSubscription|PasskeyAssertion|PasskeyAttestation)/.test(at)
      )
        expect(node.additionalProperties, at).toBe(false)
  })

  it('is what client generators understand', () => {
    expect(document.servers).toEqual([
      { url: `${api.deps.settings.PUBLIC_BASE_URL}/api` },
      { url: '/api' },
      { url: '/api/v1' },
    ])
    for (const { at, node } of nodes(document)) {
      expect(node.const, at).not.toBe(true)
      if (node.format === 'date-time') expect(node.pattern, at).toBeUndefined()
      const ports = Object.entries((node.properties ?? {}) as Record<string, Json>).filter(([name]) =>
        /port$/i.test(name),
      )
      for (const [name, port] of ports)
        if (name !== 'reports') expect(JSON.stringify(port), `${at} ${name}`).toContain('"minimum":1,"maximum":65535')
    }
    const bodies = operations.map(({ name, operation }) => [name, JSON.stringify(operation.requestBody ?? {})] as const)
    expect(bodies.filter(([, body]) => body.includes('"format":"email"')).map(([name]) => name)).toEqual([
      'POST /auth/register',
      'POST /auth/login',
      'POST /auth/password-reset',
      'POST /contact',
    ])
  })

  it('has a name for each page, and one for each body of an error', () => {
    const inline = operations.flatMap(({ name, operation }) =>
      Object.values(operation.responses).flatMap((response) => {
        const { schema } =
          (response as { content?: Record<string, { schema: Json }> }).content?.['application/json'] ?? {}
        return schema ? [[name, schema] as const] : []
      }),
    )
    for (const [name, { properties = {}, allOf }] of inline) {
      expect(properties, name).not.toHaveProperty('pagination')
      expect(properties, name).not.toHaveProperty('error')
      expect(allOf, name).toBeUndefined()
    }
  })

  it('is the same below each base path', async () => {
    expect(await (await api.request('/api/v1/openapi.json')).json()).toEqual(document)
  })
})

describe('a declaration', () => {
  it('made twice prevents the start', async () => {
    const [first] = sampleRoutes()
    await expect(startTestApi({ database: api.database, routes: first ? [first, first] : [] })).rejects.toThrow(
      'declared twice',
    )
  })
})

describe('the contract that the tests check responses against', () => {
  const headers = (more = {}) =>
    new Headers({ 'x-request-id': '1', 'content-type': 'application/json', etag: '"1"', ...more })
  const stats = { totalServers: 0, onlineServers: 0, totalPlayers: 0, totalVotes: 0 }
  const check = (exchange: {
    target?: string
    method?: string
    status?: number
    headers?: Headers
    body?: unknown
  }) => {
    const contract = createContract(describeApi([...api.directory.operations, ...sampleRoutes()], OPTIONS) as never)
    contract.check({
      method: exchange.method ?? 'GET',
      target: exchange.target ?? '/api/public/stats',
      status: exchange.status ?? 200,
      headers: exchange.headers ?? headers(),
      body: JSON.stringify(exchange.body ?? stats),
    })
  }

  it('accepts what is described', () => {
    expect(() => check({})).not.toThrow()
  })

  it.each([
    ['a field too many', { body: { ...stats, more: 1 } }],
    ['a field too few', { body: { totalServers: 0 } }],
    ['a wrong type', { body: { ...stats, totalVotes: '0' } }],
    ['an undescribed status', { status: 404, body: { error: 'not_found', message: '' } }],
    ['an undescribed operation', { method: 'POST' }],
    ['an undescribed path', { target: '/api/public/nothing' }],
    ['another type of content', { headers: headers({ 'content-type': 'text/html' }) }],
    ['no request id', { headers: new Headers({ 'content-type': 'application/json', etag: '"1"' }) }],
    [
      'a code that belongs to another status',
      { status: 429, headers: headers({ 'retry-after': '1' }), body: { error: 'not_found', message: '' } },
    ],
    ['no Retry-After', { status: 429, body: { error: 'rate_limited', message: '' } }],
    [
      '405 at an address that is not there',
      {
        target: '/api/nothing',
        status: 405,
        headers: headers({ allow: 'GET' }),
        body: { error: 'method_not_allowed', message: '' },
      },
    ],
  ])('refuses %s', (_what, exchange) => {
    expect(() => check(exchange)).toThrow()
  })
})
