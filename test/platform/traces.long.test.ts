// Traces as a collector receives them (OTLP/HTTP) from the product that `npm start` runs.
import { expect, it } from 'vitest'
import { startLoopbackServer } from '../support/loopback-server.ts'
import { createClient } from '../support/product-client.ts'
import { PATIENCE, registerAt, startProduct } from '../support/started-product.ts'

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
const collector = await startLoopbackServer(({ url, headers, body }, res) => {
  expect([url.pathname, headers['content-type']]).toEqual(['/v1/traces', 'application/json'])
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
const { client: owner } = await registerAt(product)
const { body } = await owner.post<{ server: { id: string } }>('/api/servers', {
  name: 'Traced',
  ipAddress: '127.0.0.1',
  gamePort: 7777,
})
const path = `/api/servers/${body.server.id}`
expect((await owner.put(`${path}/webhook`, { url: `${receiver.origin}/`, events: ['vote.created'] })).status).toBe(200)

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
      }, PATIENCE)
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
    }, PATIENCE)
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
  await expect.poll(() => requestOf('unknown-one')?.name, PATIENCE).toBe('GET /public/servers/{id}')
  expect(requestOf('unknown-one')?.status.code ?? 0).toBe(0)
  expect(spans.filter(({ name }) => name.includes('readyz'))).toEqual([])
})
