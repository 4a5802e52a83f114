// Traces as a collector receives them (OTLP/HTTP) from the product that `npm start` runs.
import { expect, it } from 'vitest'
import { startLoopbackServer } from '../support/loopback-server.ts'
import { createClient } from '../support/product-client.ts'
import { openDatabaseOf, PASSWORD, registerAt, startProduct, WAIT_OPTIONS } from '../support/started-product.ts'

interface SentSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
  status: { code?: number }
}

const KIND = { server: 2, client: 3, consumer: 5 }

const attribute = ({ attributes }: Pick<SentSpan, 'attributes'>, name: string) =>
  attributes.find(({ key }) => key === name)?.value.stringValue

const spans: (SentSpan & { service: string | undefined })[] = []
/** Everything that the collector got, as text. */
let exported = ''
const collector = await startLoopbackServer(({ url, headers, body }, res) => {
  expect([url.pathname, headers['content-type']]).toEqual(['/v1/traces', 'application/json'])
  exported += body
  const { resourceSpans } = JSON.parse(body) as {
    resourceSpans: { resource: Pick<SentSpan, 'attributes'>; scopeSpans: { spans: SentSpan[] }[] }[]
  }
  for (const { resource, scopeSpans } of resourceSpans)
    for (const span of scopeSpans.flatMap((scope) => scope.spans))
      spans.push({ ...span, service: attribute(resource, 'service.name') })
  res.writeHead(200, { 'content-type': 'application/json' }).end('{}')
})
const received: Record<string, unknown>[] = []
const receiver = await startLoopbackServer(({ headers }, res) => {
  received.push(headers)
  res.end()
})
const product = await startProduct({ OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.origin}/` })
const pool = await openDatabaseOf(product)
const { client: owner } = await registerAt(product)
const { body } = await owner.post<{ server: { id: string } }>('/api/servers', {
  name: 'Traced',
  ipAddress: '127.0.0.1',
  gamePort: 7777,
})
const path = `/api/servers/${body.server.id}`
const endpoint = await owner.put<{ secret: string }>(`${path}/webhook`, {
  url: `${receiver.origin}/path-token?key=query-token`,
  events: ['vote.created'],
})
expect(endpoint.status).toBe(200)

async function voteAs(visitorId: string, requestId: string) {
  const headers = { 'x-request-id': requestId, traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` }
  const { body } = await createClient(product, headers).post(`${path}/vote`, { visitorId })
  expect(body).toMatchObject({ webhookSent: true })
}

const requestOf = (requestId: string) =>
  spans.find((span) => span.kind === KIND.server && attribute(span, 'directory.request_id') === requestId)

it('a vote, the job of its webhook and the attempt are one trace, apart from that of another vote', async () => {
  await Promise.all([voteAs('visitor-one', 'vote-one'), voteAs('visitor-two', 'vote-two')])
  for (const requestId of ['vote-one', 'vote-two']) {
    await expect
      .poll(() => {
        const request = requestOf(requestId)
        return spans.filter(({ traceId }) => traceId === request?.traceId).length
      }, WAIT_OPTIONS)
      .toBe(3)
    const request = requestOf(requestId)
    const ofKind = (kind: number) => spans.find((span) => span.kind === kind && span.traceId === request?.traceId)
    const [job, attempt] = [ofKind(KIND.consumer), ofKind(KIND.client)]
    expect(request).toMatchObject({ name: 'POST /servers/{id}/vote', service: 'server-directory-api' })
    expect(request?.parentSpanId ?? '').toBe('')
    expect(request?.traceId).not.toBe('a'.repeat(32))
    expect(job).toMatchObject({ name: 'webhook', parentSpanId: request?.spanId, service: 'server-directory-worker' })
    expect(job && attribute(job, 'directory.request_id')).toBe(requestId)
    expect(attempt?.name).toBe('webhook attempt')
    // One of two jobs may find both deliveries; the request is then the other attempt’s parent.
    expect([job?.spanId, request?.spanId]).toContain(attempt?.parentSpanId)
    expect(attempt && attribute(attempt, 'directory.outcome')).toBe('delivered')
  }
})

it('an attempt’s parent is the job that woke the endpoint for it', async () => {
  await voteAs('visitor-alone', 'vote-alone')
  await expect
    .poll(() => {
      const trace = spans.filter(({ traceId }) => traceId === requestOf('vote-alone')?.traceId)
      const job = trace.find(({ kind }) => kind === KIND.consumer)
      return trace.find(({ kind }) => kind === KIND.client)?.parentSpanId === job?.spanId && job !== undefined
    }, WAIT_OPTIONS)
    .toBe(true)
})

it('receivers get no trace context', () => {
  expect(received.length).toBeGreaterThan(0)
  for (const headers of received) expect(headers).not.toHaveProperty('traceparent')
})

it('a refused request counts as no error, and probes are not traced', async () => {
  await createClient(product).get('/readyz')
  const refused = await createClient(product, { 'x-request-id': 'unknown-one' }).get('/api/public/servers/none')
  expect(refused.status).toBe(404)
  await expect.poll(() => requestOf('unknown-one')?.name, WAIT_OPTIONS).toBe('GET /public/servers/{id}')
  expect(requestOf('unknown-one')?.status.code ?? 0).toBe(0)
  expect(spans.filter(({ name }) => name.includes('readyz'))).toEqual([])
})

it('spans name no person, address, token or query of a request', async () => {
  const { client, email, username } = await registerAt(product)
  const registered = [...client.cookies.values()]
  expect((await client.post('/api/auth/login', { email, password: PASSWORD })).status).toBe(200)
  const key = await client.post<{ key: string; secret: string }>('/api/user/api-keys', { name: 'Name of a key' })
  const bearer = createClient(product, { authorization: `Bearer ${key.body.key}.${key.body.secret}` })
  expect((await bearer.get('/api/public/servers?search=word+searched')).status).toBe(200)
  const voter = { visitorId: 'visitor-to-hide', username: 'Name of a voter', gamePlatformId: '76561190000000007' }
  const headers = { 'x-request-id': 'vote-to-hide' }
  expect((await createClient(product, headers).post(`${path}/vote`, voter)).status).toBe(200)
  await client.get('/no/such/page-of-a-person?email=visitor%40example.com')
  const last = createClient(product, { 'x-request-id': 'after-all' })
  expect((await last.post('/api/auth/login', { email, password: 'wrong password' })).status).toBe(401)

  const traceOf = (requestId: string) => spans.filter(({ traceId }) => traceId === requestOf(requestId)?.traceId)
  await expect.poll(() => traceOf('vote-to-hide').map(({ kind }) => kind), WAIT_OPTIONS).toContain(KIND.client)
  await expect.poll(() => requestOf('after-all')?.name, WAIT_OPTIONS).toBe('POST /auth/login')
  await expect.poll(() => spans.filter(({ name }) => name === 'mail').length, WAIT_OPTIONS).toBeGreaterThan(1)
  const hidden = [
    ...[email, 'example.com', username, PASSWORD, 'wrong password'],
    ...[...registered, ...client.cookies.values(), key.body.key, key.body.secret, 'Name of a key'],
    ...[client.address, last.address, '127.0.0.1', 'localhost'],
    ...Object.values(voter),
    ...['word searched', 'word+searched', 'search=', 'page-of-a-person'],
    ...['path-token', 'query-token', endpoint.body.secret],
  ]
  expect(hidden.filter((value) => exported.includes(value))).toEqual([])
})

it.each([
  ['ten kilobytes', 'f'.repeat(10_240)],
  ['ten kilobytes in the right form', `00-${'a'.repeat(10_180)}-${'b'.repeat(16)}-01`],
  ['another form', '{"$ne":null}; drop table votes'],
  ['the right form', `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`],
])('a caller’s traceparent of %s leaves nothing in the job and the delivery', async (form, traceparent) => {
  const headers = { traceparent, tracestate: 'vendor=caller', 'x-request-id': 'r'.repeat(129) }
  const vote = await createClient(product, headers).post(`${path}/vote`, { visitorId: `visitor of ${form}` })
  expect(vote.status).toBe(200)
  const requestId = vote.headers.get('x-request-id')
  expect(requestId).toMatch(/^[0-9a-f-]{36}$/) // its own: the caller's is too long
  const { rows } = await pool.query<{ cause: { traceparent: string } }>(
    `select data -> '_cause' as cause from pgboss.job where data -> '_cause' ->> 'requestId' = $1`,
    [requestId],
  )
  expect(rows.length).toBeGreaterThan(0)
  const ours = expect.stringMatching(/^00-(?!a{32})[0-9a-f]{32}-(?!b{16})[0-9a-f]{16}-01$/)
  for (const { cause } of rows) expect(cause).toEqual({ requestId, traceparent: ours })
  const deliveries = await pool.query('select traceparent from endpoint_deliveries where traceparent = $1', [
    rows[0]?.cause.traceparent,
  ])
  expect(deliveries.rows).toHaveLength(1)
})
