// Every documented status, and how clients handle temporary ones.
import { expect } from 'vitest'
import type { Answer } from '../../support/product-client.ts'
import type { Page } from '../directory.ts'
import { withHeader } from '../keys.ts'
import { endHourIn, theOther, whileFrozen } from '../other-product.ts'
import {
  createServer,
  newListing,
  newPlace,
  newVisitor,
  PASSWORD,
  product,
  register,
  UNKNOWN_ID,
  WAIT_OPTIONS,
} from '../product.ts'
import { createRetryingClient, crowd, from } from '../retrying.ts'
import { expectFields, onceNeeded, section } from '../section.ts'
import { elapse, newVisitorId, solveProof, theServer, vote, voteAgain } from '../votes.ts'

/** RFC 9457 (docs/decisions/0046). */
const PROBLEM = ['type', 'title', 'status', 'detail', 'instance']

/** Expects a code for programs, a message for people, the members of a problem document, and a request id. */
function expectError({ status, body, headers }: Answer, [expected, code]: readonly [number, string]): void {
  expect([status, body.error]).toEqual([expected, code])
  expectFields(body, ['error', 'message', ...PROBLEM, ...(code === 'validation_failed' ? ['details'] : [])])
  expect(body.message).toMatch(/\w+ \w+/)
  expect(headers.get('x-request-id')).toBeTruthy()
}

const LIST = '/api/public/servers?search=lighthouse'

/** Three servers listed at a product whose database then stops answering, and what visitors receive. */
const theOutage = onceNeeded(async () => {
  const other = await theOther()
  const owner = await register(undefined, other)
  const { server } = await createServer(owner, { name: 'First lighthouse' })
  for (const name of ['Second lighthouse', 'Third lighthouse']) await createServer(owner, { name })
  const visitor = newVisitor(other)
  const retrying = createRetryingClient(newVisitor(other))
  const vote = { visitorId: newVisitorId(), proof: await solveProof(other, server.id) }
  const before = await visitor.get<Page>(LIST)
  const { during, insisting } = await whileFrozen(other, async () => {
    await expect.poll(async () => (await visitor.get(LIST)).status, WAIT_OPTIONS).toBe(503)
    const insisting = retrying.send<Page>('GET', LIST)
    await expect.poll(() => retrying.refusals.length, WAIT_OPTIONS).toBe(1)
    const paths = [
      LIST,
      '/api/servers',
      `/api/public/servers/${server.id}`,
      '/api/public/stats',
      '/api/v1/servers/changes',
    ]
    const reads = await Promise.all(paths.map((path) => visitor.get(path)))
    const written = await visitor.post(`/api/servers/${server.id}/vote`, vote)
    return { during: [...reads, written], insisting }
  })
  return { before, during, after: await insisting, refusals: retrying.refusals }
})

section('statuses', {
  '200': [
    'a read or a change succeeded',
    async () => {
      expect((await newVisitor().get('/api/public/servers')).status).toBe(200)
      expect((await vote()).success).toBe(true)
    },
  ],
  '201': [
    'an account, a server or a favorite was created; the second time the favorite answers 200',
    async () => {
      const { client } = await register() // expects 201
      const created = await client.post<{ server: { id: string } }>('/api/servers', {
        name: 'A new isle',
        game: 'protocol-valve',
        ...newPlace(),
      })
      expect(created.status).toBe(201)
      const favorite = `/api/servers/${created.body.server.id}/favorite`
      expect((await client.post(favorite)).status).toBe(201)
      expect((await client.post(favorite)).status).toBe(200)
    },
  ],
  '400': [
    'the request is invalid, and the error names the fields',
    async () => {
      const wrong = await newVisitor().get('/api/public/servers?limit=101&page=0')
      expectError(wrong, [400, 'validation_failed'])
      expect((wrong.body.details as { path: string }[]).map(({ path }) => path).sort()).toEqual(['limit', 'page'])
      const { client } = await register()
      const unnamed = await client.post('/api/servers', { ...newPlace(), name: '' })
      expectError(unnamed, [400, 'validation_failed'])
      expect(unnamed.body.details).toMatchObject([{ path: 'body.name' }])
      const broken = await fetch(`${product.url}/api/contact`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...from(client) },
        body: '{"name":',
      })
      expect([broken.status, await broken.json()]).toMatchObject([400, { error: 'malformed_json' }])
    },
  ],
  '401': [
    'credentials are missing, or the password or the key is wrong',
    async () => {
      expectError(await newVisitor().get('/api/user/profile'), [401, 'unauthenticated'])
      expectError(await newVisitor().post('/api/servers', { name: 'Mine', ...newPlace() }), [401, 'unauthenticated'])
      const { email } = await register()
      const wrong = { email, password: `${PASSWORD}?` }
      expectError(await newVisitor().post('/api/auth/login', wrong), [401, 'invalid_credentials'])
      expectError(await withHeader('Bearer key.secret').get('/api/public/stats'), [401, 'invalid_api_key'])
    },
  ],
  '403': [
    'the user has no permission: other users’ servers, and administration',
    async () => {
      const { id } = await newListing()
      const { client } = await register()
      expectError(await client.patch(`/api/servers/${id}`, { name: 'Mine now' }), [403, 'forbidden'])
      expectError(await client.get('/api/admin/stats'), [403, 'forbidden'])
    },
  ],
  '404': [
    'the resource does not exist',
    async () => {
      expectError(await newVisitor().get(`/api/public/servers/${UNKNOWN_ID}`), [404, 'not_found'])
      expectError(await newVisitor().get('/api/public/nothing'), [404, 'not_found'])
      const { client } = await register()
      expectError(await client.delete(`/api/servers/${UNKNOWN_ID}`), [404, 'not_found'])
    },
  ],
  '429': [
    'too many requests, or a vote too early; both say for how many seconds to wait',
    async () => {
      const visitor = newVisitor()
      await crowd(product, 100, from(visitor))
      const refused = await visitor.get('/api/public/stats')
      expectError(refused, [429, 'rate_limited'])
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      const { visitorId } = await vote()
      expect((await voteAgain(visitorId)).error).toBe('vote_cooldown')
    },
  ],
  '500': [
    'an internal error, without details except the request id',
    async () => {
      const other = await theOther()
      const visitor = newVisitor(other)
      await other.database.query('alter table auctions rename to auctions_away')
      try {
        const broken = await visitor.get('/api/auctions')
        expectError(broken, [500, 'internal'])
        expect(JSON.stringify(broken.body)).not.toMatch(/auction|relation|select|\.ts/i)
        await expect.poll(other.launcher.output, WAIT_OPTIONS).toContain(broken.headers.get('x-request-id'))
      } finally {
        await other.database.query('alter table auctions_away rename to auctions')
      }
      expect((await visitor.get('/api/auctions')).status).toBe(200)
    },
  ],
  '503': [
    'the directory is out of date: no old and no empty data, and Retry-After',
    async () => {
      const { before, during } = await theOutage()
      expect(before.body.servers).toHaveLength(3)
      for (const answer of during) {
        expectError(answer, [503, 'unavailable'])
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      }
    },
  ],
})

/** Enough for a busy machine to be refused first. */
const SECONDS_LEFT = 8

async function expectLetInAfterTheHour(): Promise<void> {
  const other = await theOther()
  const visitor = newVisitor(other)
  expect(await crowd(other, 1_000, from(visitor))).toEqual({ 200: 1_000 })
  await endHourIn(SECONDS_LEFT)
  const retrying = createRetryingClient(visitor)
  expect((await retrying.send('GET', '/api/public/stats')).status).toBe(200)
  expect(retrying.refusals).toMatchObject([{ status: 429 }])
}

async function expectVoteAfterTheCooldown(): Promise<void> {
  const retrying = createRetryingClient(newVisitor())
  const { visitorId } = await vote()
  await elapse(visitorId, (24 * 3_600 - SECONDS_LEFT) * 1_000)
  const path = `/api/servers/${(await theServer()).id}/vote`
  expect((await retrying.send('POST', path, { body: { visitorId } })).status).toBe(200)
  expect(retrying.refusals).toMatchObject([{ status: 429 }])
}

section('retries', {
  '503 is not an empty result': [
    'a client that waits for Retry-After has the same list after the outage as before, and nothing in between',
    async () => {
      const { before, after, refusals } = await theOutage()
      expect(refusals.map(({ status }) => status)).toEqual(refusals.map(() => 503))
      expect(after.status).toBe(200)
      expect(after.body.servers.map(({ id }) => id)).toEqual(before.body.servers.map(({ id }) => id))
    },
  ],
  '429 is retried with backoff': [
    'a client that waits for Retry-After is allowed at once, to the directory and to the next vote',
    async () => {
      await Promise.all([expectLetInAfterTheHour(), expectVoteAfterTheCooldown()])
    },
  ],
})
