// The limits: the last allowed request passes, the next is refused.
import { expect } from 'vitest'
import { listMany, namesOf, publicPage, refusedParameters } from '../directory.ts'
import { newKey, withKey } from '../keys.ts'
import { auctionOf, bid, newAuction, subscribe } from '../money.ts'
import { MAX_LISTINGS, theOther } from '../other-product.ts'
import { elsewhere, newPlace, newVisitor, type Person, product, register } from '../product.ts'
import { crowd, from } from '../retrying.ts'
import { onceNeeded, section } from '../section.ts'
import { elapse, newVisitorId, post, theServer, vote, voteAgain } from '../votes.ts'

const DAY_MS = 24 * 3_600_000
const REST = 5

/** Buys a tier and sends its requests of one minute, and a few more. */
async function expectTierLimit(tier: 'free' | 'standard' | 'premium' | 'enterprise', limit: number): Promise<void> {
  const owner = await register()
  const key = await newKey(owner)
  if (tier !== 'free') await subscribe(owner, tier)
  const authorization = `Bearer ${key.key}.${key.secret}`
  const neighbour = newVisitor()
  const startedAt = Date.now()
  const answers = await crowd(product, limit + REST, { authorization, ...from(neighbour) })
  expect(Date.now() - startedAt, 'more than a minute proves nothing').toBeLessThan(60_000)
  expect(answers).toEqual({ 200: limit, 429: REST })

  const refused = await withKey(key).get('/api/v1/servers')
  expect(refused).toMatchObject({ status: 429, body: { error: 'rate_limited' } })
  const countsForAddress = tier === 'free'
  const ofAddress = countsForAddress ? '"ip-minute";q=100;w=60, "ip-hour";q=1000;w=3600, ' : ''
  expect(refused.headers.get('ratelimit-policy')).toBe(`${ofAddress}"${tier}";q=${limit};w=60`)
  expectRetryAfter(refused.headers, 60)
  const other = withKey(await newKey(owner, 'Another one'))
  expect((await other.get('/api/v1/servers')).status, 'all keys of an account count together').toBe(429)
  const left = 99 - (countsForAddress ? limit + REST : 0)
  expect((await neighbour.get('/api/public/stats')).headers.get('ratelimit')).toContain(`"ip-minute";r=${left}`)
}

function expectRetryAfter(headers: Headers, most: number): void {
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(most)
}

/** More than a page may have. */
const theMany = onceNeeded(() => listMany(101, 'Skerry'))

section('limits', {
  'requests per IP and minute': [
    'allow 100 of any kind, report how many are left, and refuse the next; another address is not affected',
    async () => {
      const visitor = newVisitor()
      const first = await visitor.get('/api/public/stats')
      expect(first.headers.get('ratelimit-policy')).toContain('"ip-minute";q=100;w=60')
      expect(first.headers.get('ratelimit')).toMatch(/"ip-minute";r=99;t=\d+/)
      expect((await visitor.get('/api/public/nothing')).status).toBe(404)
      expect((await visitor.post(`/api/servers/${(await theServer()).id}/vote`, {})).status).toBe(400)
      expect(await crowd(product, 97, from(visitor))).toEqual({ 200: 97 })
      const refused = await visitor.get('/api/public/stats')
      expect(refused).toMatchObject({ status: 429, body: { error: 'rate_limited' } })
      expectRetryAfter(refused.headers, 60)
      const unvoted = await visitor.post(`/api/servers/${(await theServer()).id}/vote`, { visitorId: newVisitorId() })
      expect(unvoted).toMatchObject({ status: 429, body: { error: 'rate_limited' } })
      expect((await newVisitor().get('/api/public/stats')).status).toBe(200)
    },
  ],
  'requests per IP and hour': [
    'allow 1000 and refuse the next until the hour is over; another address is not affected',
    async () => {
      const other = await theOther()
      const visitor = newVisitor(other)
      expect(await crowd(other, 1_000 + REST, from(visitor))).toEqual({ 200: 1_000, 429: REST })
      const refused = await visitor.get('/api/public/stats')
      expect(refused).toMatchObject({ status: 429, body: { error: 'rate_limited' } })
      expect(refused.headers.get('ratelimit-policy')).toBe('"ip-hour";q=1000;w=3600')
      expectRetryAfter(refused.headers, 3_600)
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_500)
      expect((await newVisitor(other).get('/api/public/stats')).status).toBe(200)
    },
  ],
  'vote cooldown': [
    'is 24 hours per visitor and server: a minute less is too early, then the vote counts',
    async () => {
      const { visitorId } = await vote()
      await elapse(visitorId, DAY_MS - 60_000)
      expect((await voteAgain(visitorId)).cooldownRemaining).toBeLessThanOrEqual(60_000)
      await elapse(visitorId, 60_000)
      expect((await post({ visitorId })).status).toBe(200)
    },
  ],
  'contact form': [
    'takes five messages an hour from one address; another address has its own five',
    async () => {
      const message = { name: 'Ada', email: 'ada@example.com', message: 'One of many.' }
      const visitor = newVisitor()
      for (let n = 1; n <= 5; n++) expect((await visitor.post('/api/contact', message)).status).toBe(200)
      const refused = await visitor.post('/api/contact', message)
      expect(refused).toMatchObject({ status: 429, body: { error: 'rate_limited' } })
      expectRetryAfter(refused.headers, 3_600)
      expect((await visitor.get('/api/public/stats')).status).toBe(200)
      expect((await newVisitor().post('/api/contact', message)).status).toBe(200)
    },
  ],
  'API key tier free': [
    'allows an account’s keys 10 requests a minute, which count against the address too',
    () => expectTierLimit('free', 10),
  ],
  'API key tier standard': [
    'allows an account’s keys 100 requests a minute, which don’t count against the address',
    () => expectTierLimit('standard', 100),
  ],
  'API key tier premium': [
    'allows an account’s keys 1000 requests a minute, which don’t count against the address',
    () => expectTierLimit('premium', 1_000),
  ],
  'API key tier enterprise': [
    'allows an account’s keys 10000 requests a minute, which don’t count against the address',
    () => expectTierLimit('enterprise', 10_000),
  ],
  'public page size': [
    'is 20 by default, and 100 at most',
    async () => {
      await theMany()
      expect(namesOf(await publicPage('search=skerry'))).toHaveLength(20)
      const [first, second] = [
        await publicPage('search=skerry&limit=100'),
        await publicPage('search=skerry&limit=100&page=2'),
      ]
      expect(first.pagination).toEqual({ page: 1, limit: 100, total: 101, totalPages: 2 })
      expect([first, second].map((page) => namesOf(page).length)).toEqual([100, 1])
      expect(await refusedParameters('/api/public/servers?limit=101')).toEqual(['limit'])
    },
  ],
  'owner page size': [
    'is 10 by default',
    async () => {
      const client = elsewhere((await theMany()).owner)
      const { body } = await client.get<{ servers: unknown[]; pagination: unknown }>('/api/user/servers')
      expect(body.servers).toHaveLength(10)
      expect(body.pagination).toEqual({ page: 1, limit: 10, total: 101, totalPages: 11 })
      const last = await client.get<{ servers: unknown[] }>('/api/user/servers?page=11')
      expect(last.body.servers).toHaveLength(1)
    },
  ],
  'visitorId length': [
    'is 10 to 100 characters: 9 and 101 are refused',
    async () => {
      for (const [length, status] of [
        [9, 400],
        [10, 200],
        [100, 200],
        [101, 400],
      ] as const)
        expect([length, (await post({ visitorId: 'v'.repeat(length) })).status]).toEqual([length, status])
    },
  ],
  bid: [
    'must exceed the highest bid, in whole cents: lower and equal bids are refused',
    async () => {
      const { id } = await newAuction({ startingBid: 500, minimumIncrement: 1 })
      const [first, second] = [await register(), await register()]
      expect((await bid(first, id, 700)).status).toBe(201)
      for (const bidAmount of [1, 699, 700])
        expect(await bid(second, id, bidAmount)).toMatchObject({
          status: 400,
          body: { error: 'bid_too_low', currentBid: 700, minimumBid: 701 },
        })
      expect((await bid(second, id, 700.5)).status).toBe(400)
      expect(await auctionOf(id)).toMatchObject({ currentBid: 700, bidCount: 1 })
      expect((await bid(second, id, 701)).status).toBe(201)
      expect(await auctionOf(id)).toMatchObject({ currentBid: 701, bidCount: 2 })
    },
  ],
  'listings per account': [
    'are 100 unless the operator sets another number; the next is refused, and another account may list it',
    async () => {
      const other = await theOther()
      const [owner, neighbour] = [await register(undefined, other), await register(undefined, other)]
      const list = ({ client }: Person) =>
        client.post('/api/servers', { name: 'One of many', game: 'protocol-valve', ...newPlace() })
      for (let n = 1; n <= MAX_LISTINGS; n++) expect((await list(owner)).status).toBe(201)
      expect(await list(owner)).toMatchObject({ status: 400, body: { error: 'too_many_listings' } })
      expect((await list(neighbour)).status).toBe(201)
    },
  ],
  'depth of a body': [
    'is 50 levels at most; the error names the rule',
    async () => {
      const nested = (levels: number) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`)
      const send = async (levels: number) =>
        (await newVisitor().post('/api/contact', { message: nested(levels - 1) })).body
      expect(JSON.stringify(await send(50))).not.toContain('nested')
      expect(await send(51)).toMatchObject({
        error: 'validation_failed',
        message: 'body: must not be nested deeper than 50 levels',
      })
    },
  ],
})
