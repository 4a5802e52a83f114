// A requested check of a claim: the API asks a worker through the queue, waits, and reports when no result comes.
import { afterAll, expect, test } from 'vitest'
import { findOwnClaim } from '../../../src/features/claims/claims.store.ts'
import { claimCheck } from '../../../src/features/claims/index.ts'
import { createVerification } from '../../../src/features/claims/verification.service.ts'
import { inTransaction } from '../../../src/platform/db/pool.ts'
import { openWorkerJobs } from '../../../src/platform/queue/jobs.ts'
import { createClaimChecker } from '../../../workers/claims/claim-check.handler.ts'
import { startTestApi } from '../../support/api.ts'
import { countLockWaits, testLog } from '../../support/database.ts'
import { nextGameAddress } from '../../support/game-address.ts'
import { createClaimWorld } from './support.ts'

const api = await startTestApi()
const { pool } = api.database
const { call, list, claim, listing, statusOf } = createClaimWorld(api)
const checker = createClaimChecker(api.deps)
afterAll(() => checker.close())

const verify = (person: Parameters<typeof call>[0], id: string) => call(person, 'POST', `/servers/${id}/claim/verify`)

/** A worker for this one queue, until the returned function is called. */
async function startClaimWorker(): Promise<() => Promise<void>> {
  const { boss } = await openWorkerJobs({ url: api.database.url, log: testLog, applicationName: 'test worker' })
  await boss.work<{ serverId: string }>(
    claimCheck.queue,
    {
      batchSize: 2,
      localConcurrency: 4,
      burstWhenBatchFull: true,
      pollingIntervalSeconds: 1,
      notifyPollingIntervalSeconds: 2,
    },
    async (jobs) => {
      for (const { data } of jobs) await checker.handle(data)
    },
  )
  return () => boss.stop({ graceful: false })
}

test('without a worker the answer is 503 with Retry-After, the claim stays pending, and all requests share one job', async () => {
  const { deps, directory } = api
  const verifySoon = createVerification({ ...deps, directory, waitMs: 300 })
  const { id, owner } = await list()
  const ownClaim = await findOwnClaim(pool, id, owner.id)
  if (!ownClaim) throw new Error('the server is not listed')
  const outcomes = await Promise.allSettled(
    [1, 2, 3].map(() => verifySoon({ userId: owner.id, serverId: id }, ownClaim)),
  )
  for (const outcome of outcomes)
    expect(outcome).toMatchObject({
      status: 'rejected',
      reason: { status: 503, code: 'unavailable', headers: { 'Retry-After': '10' } },
    })
  expect(await statusOf(owner, id)).toMatchObject({ status: 'pending', checkedAt: null })
  expect(await api.deps.jobs.waiting(pool, claimCheck)).toBe(1)
})

test('a worker checks at once: pending without the token, verified with it', async () => {
  const stop = await startClaimWorker()
  try {
    const { id, owner, token, game } = await list()
    expect(await verify(owner, id)).toMatchObject({
      status: 200,
      body: { status: 'pending', message: expect.stringContaining('did not show') },
    })
    game.info.rules = { proof: token }
    expect(await verify(owner, id.toUpperCase())).toMatchObject({ status: 200, body: { status: 'verified' } })
    expect(await listing(id)).toEqual({ ownerId: owner.id, isVerified: true })
    expect((await call(undefined, 'GET', `/servers/${id}`)).body).toMatchObject({ isVerified: true })
  } finally {
    await stop()
  }
})

test('a waiting takeover is pending although the token is shown, as the description says', async () => {
  const stop = await startClaimWorker()
  try {
    const { id, owner, token, game } = await list()
    game.info.rules = { proof: token }
    expect(await verify(owner, id)).toMatchObject({ body: { status: 'verified' } })
    const other = await claim(id)
    game.info.rules = { proof: other.token }
    expect((await verify(other.person, id)).body).toMatchObject({ status: 'pending' })
    expect(await statusOf(other.person, id)).toMatchObject({ lastCheck: 'token_found', takeoverAt: expect.any(String) })
    const { paths } = await (await api.request('/api/openapi.json')).json()
    expect(paths['/servers/{id}/claim/verify'].post.description).toContain('or shows the token and becomes yours at')
  } finally {
    await stop()
  }
})

test('a silent server is reported differently from one without the token', async () => {
  const stop = await startClaimWorker()
  try {
    const { id, owner, game } = await list()
    game.faults.silent = true
    const { status, body } = await verify(owner, id)
    expect([status, body.status, body.message]).toEqual([200, 'pending', expect.stringContaining('did not answer')])
  } finally {
    await stop()
  }
})

test('a check that found out nothing is reported when it ends, not after the longest wait', async () => {
  const stop = await startClaimWorker()
  try {
    const { deps, directory } = api
    const { id, owner } = await list()
    const ownClaim = await findOwnClaim(pool, id, owner.id)
    if (!ownClaim) throw new Error('the server is not listed')
    const verifyLong = createVerification({ ...deps, directory, waitMs: 600_000 })
    // What a former address shows says nothing of the current one.
    const { verifying } = await inTransaction(pool, async (tx) => {
      await tx.query('select from server_claims where server_id = $1 for update', [id])
      const waiting = verifyLong({ userId: owner.id, serverId: id }, ownClaim)
      await expect.poll(() => countLockWaits(pool), { timeout: 10_000 }).toBe(1)
      await tx.query('update servers set query_port = query_port % 65535 + 1 where id = $1', [id])
      return { verifying: waiting }
    })
    await expect(verifying).rejects.toMatchObject({ status: 503 })
    expect(await statusOf(owner, id)).toMatchObject({ checkedAt: null })
  } finally {
    await stop()
  }
})

test('of many silent servers at one address few are queried, and nothing is said of the others', async () => {
  const address = nextGameAddress()
  const listings = await Promise.all(Array.from({ length: 6 }, () => list({ address })))
  for (const { game } of listings) game.faults.silent = true
  await Promise.all(listings.map(({ id }) => checker.handle({ serverId: id })))
  const statuses = await Promise.all(listings.map(({ owner, id }) => statusOf(owner, id)))
  expect(statuses.filter(({ checkedAt }) => checkedAt === null).length).toBeGreaterThanOrEqual(3)
  expect(statuses.filter(({ lastCheck }) => lastCheck === 'silent').length).toBeGreaterThanOrEqual(1)
})

test('of two concurrent claimants each gets their own result, and only the one whose token is shown gets the server', async () => {
  const stop = await startClaimWorker()
  try {
    const { id, owner, game } = await list()
    const other = await claim(id)
    game.info.keywords = other.token
    const [first, second] = await Promise.all([verify(owner, id), verify(other.person, id)])
    expect(first.body).toMatchObject({ status: 'pending' })
    expect(second.body).toMatchObject({ status: 'verified' })
    expect(await listing(id)).toEqual({ ownerId: other.person.id, isVerified: true })
  } finally {
    await stop()
  }
})

test('a check needs a claim, and a listed server', async () => {
  const { id, owner } = await list()
  const stranger = (await claim((await list()).id)).person
  expect(await verify(stranger, id)).toMatchObject({ status: 400, body: { error: 'no_pending_claim' } })
  await call(owner, 'DELETE', `/servers/${id}`)
  expect((await verify(owner, id)).status).toBe(404)
  await checker.handle({ serverId: id }) // a job that was already queued
})

test('one user can have a server checked 20 times a minute', async () => {
  const stop = await startClaimWorker()
  try {
    const { id, owner } = await list()
    const statuses = await Promise.all(Array.from({ length: 22 }, async () => (await verify(owner, id)).status))
    expect(statuses.filter((status) => status === 429)).toHaveLength(2)
    expect(statuses.filter((status) => status === 200)).toHaveLength(20)
  } finally {
    await stop()
  }
})
