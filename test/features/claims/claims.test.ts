// How a claim begins, waits and ends, as its claimant sees it.
import { expect, test } from 'vitest'
import {
  createClaimChecks,
  type Proof,
  readPendingTokens,
  toChecks,
  writeTakenOver,
} from '../../../src/features/claims/index.ts'
import { inTransaction } from '../../../src/platform/db/pool.ts'
import { startTestApi } from '../../support/api.ts'
import { countLockWaits } from '../../support/database.ts'
import { addPerson } from '../../support/people.ts'
import { bearer, createKey } from '../api-keys/support.ts'
import { createClaimWorld } from './support.ts'

const api = await startTestApi()
const { pool } = api.database
const { call, list, claim, statusOf, listing, mails, passTime } = createClaimWorld(api)
const checks = createClaimChecks({ pool, jobs: api.deps.jobs })

/** The result of a check that found these tokens. */
async function look(id: string, seen: Proof['shown']): Promise<void> {
  const { byServer, askedAt } = await readPendingTokens(pool, [id])
  await inTransaction(pool, (tx) => checks.record(tx, toChecks(byServer.get(id) ?? [], seen), { askedAt }))
}
const lapse = (id: string) =>
  pool.query(`update server_claims set expires_at = now() - interval '1 second' where server_id = $1`, [id])

test('a claim begins with a token that is valid for seven days, and a second request returns the same', async () => {
  const { id } = await list()
  const person = await addPerson(pool)
  expect(await statusOf(person, id)).toEqual({
    status: 'none',
    verificationToken: null,
    expiresAt: null,
    checkedAt: null,
    lastCheck: null,
    takeoverAt: null,
    message: expect.any(String),
  })
  const first = await call(person, 'POST', `/servers/${id}/claim`)
  expect(first.status).toBe(200)
  const { verificationToken, expiresAt } = first.body as Record<string, string>
  expect(first.body).toEqual({
    verificationToken: expect.stringMatching(/^sd-verify-[a-z0-6]{16}$/),
    message: expect.stringContaining(String(verificationToken)),
    expiresAt: expect.any(String),
  })
  expect(Math.abs(Date.parse(String(expiresAt)) - Date.now() - 7 * 86_400_000)).toBeLessThan(60_000)
  expect((await call(person, 'POST', `/servers/${id}/claim`)).body).toEqual(first.body)
  expect(await statusOf(person, id)).toMatchObject({ status: 'pending', verificationToken, expiresAt })
})

test('each user has a separate token', async () => {
  const { id, token } = await list()
  const others = await Promise.all([claim(id), claim(id), claim(id)])
  expect(new Set([token, ...others.map((other) => other.token)]).size).toBe(4)
})

test('an expired claim says so, can’t be proven, and starts again with another token', async () => {
  const { id, owner, token } = await list()
  await lapse(id)
  expect(await statusOf(owner, id)).toMatchObject({ status: 'expired', verificationToken: null })
  await look(id, [token])
  await inTransaction(pool, (tx) => checks.record(tx, toChecks([token], [token]), { askedAt: new Date() }))
  expect(await listing(id)).toMatchObject({ isVerified: false })
  expect(await call(owner, 'POST', `/servers/${id}/claim/verify`)).toMatchObject({
    status: 400,
    body: { error: 'no_pending_claim' },
  })
  const renewed = (await call(owner, 'POST', `/servers/${id}/claim`)).body as { verificationToken: string }
  expect(renewed.verificationToken).not.toBe(token)
  await look(id, [token])
  expect(await statusOf(owner, id)).toMatchObject({ status: 'pending' })
  await look(id, [renewed.verificationToken])
  expect(await statusOf(owner, id)).toMatchObject({ status: 'verified' })
})

test('a check reports what it found: no answer, no token, or the proof', async () => {
  const { id, owner, token } = await list()
  await look(id, 'silent')
  expect((await statusOf(owner, id)).message).toContain('did not answer')
  await look(id, ['sd-verify-0000000000000000'])
  expect(await statusOf(owner, id)).toMatchObject({
    status: 'pending',
    checkedAt: expect.any(String),
    message: expect.stringContaining('did not show'),
  })
  await look(id, [token])
  expect(await statusOf(owner, id)).toMatchObject({ status: 'verified', verificationToken: null, expiresAt: null })
  expect(await listing(id)).toEqual({ ownerId: owner.id, isVerified: true })
  expect(await mails(id)).toEqual([])
  expect(await call(owner, 'POST', `/servers/${id}/claim`)).toMatchObject({
    status: 400,
    body: { error: 'already_verified' },
  })
  expect(await call(owner, 'POST', `/servers/${id}/claim/verify`)).toMatchObject({
    status: 200,
    body: { status: 'verified' },
  })
})

test('a proof takes over an unproven listing: the former owner is notified and loses it, and other claims remain', async () => {
  const { id, owner } = await list()
  const [other, third] = [await claim(id), await claim(id)]
  await look(id, [other.token])
  expect(await listing(id)).toEqual({ ownerId: other.person.id, isVerified: true })
  expect(await mails(id)).toEqual([{ kind: 'listing-taken-over', userId: owner.id, serverId: id }])
  const write = () =>
    writeTakenOver(
      { pool, settings: { PUBLIC_BASE_URL: 'https://directory.example' } },
      { userId: owner.id, serverId: id },
    )
  expect(await write()).toEqual({
    to: `${owner.id}@example.com`,
    subject: expect.stringContaining('was taken over'),
    text: expect.stringContaining(`https://directory.example/servers/${id}`),
  })
  // An address that is not verified may be another person's.
  await pool.query('update users set email_verified_at = null where id = $1', [owner.id])
  expect(await write()).toBeUndefined()
  expect((await call(owner, 'PATCH', `/servers/${id}`, { name: 'Still mine' })).status).toBe(403)
  expect((await call(other.person, 'PATCH', `/servers/${id}`, { name: 'Mine now' })).status).toBe(200)
  expect(await statusOf(owner, id)).toMatchObject({ status: 'pending' })
  expect(await statusOf(third.person, id)).toMatchObject({ status: 'pending' })
  const { rows } = await pool.query(`select actor_id, action, details from audit_log where target_id = $1`, [id])
  expect(rows).toEqual([
    { actor_id: other.person.id, action: 'server.claim', details: { formerOwnerId: owner.id, wasProven: false } },
  ])
})

/** Shows the token long enough to take over a proven listing. */
async function takeOver(id: string, token: string): Promise<void> {
  for (let n = 0; n < 4; n++) {
    await look(id, [token])
    await passTime(id, 4)
  }
  await look(id, [token])
}

test('the newest proof wins over a proven owner in the end, who is notified and can claim again', async () => {
  const { id, owner, token } = await list()
  await look(id, [token])
  const other = await claim(id)
  await takeOver(id, other.token)
  expect(await listing(id)).toEqual({ ownerId: other.person.id, isVerified: true })
  expect(await mails(id)).toEqual([
    { kind: 'takeover-warning', userId: owner.id, serverId: id, claimId: expect.any(String) },
    { kind: 'listing-taken-over', userId: owner.id, serverId: id },
  ])
  expect(await statusOf(owner, id)).toMatchObject({ status: 'none' })
  // The earlier proof's token is no longer valid.
  await look(id, [token])
  expect(await listing(id)).toMatchObject({ ownerId: other.person.id })
  const again = (await call(owner, 'POST', `/servers/${id}/claim`)).body as { verificationToken: string }
  expect(again.verificationToken).not.toBe(token)
  await takeOver(id, again.verificationToken)
  expect(await listing(id)).toMatchObject({ ownerId: owner.id })
})

test('a server that shows two tokens goes to the newest claim, permanently', async () => {
  const { id, token } = await list()
  const other = await claim(id)
  for (let n = 0; n < 3; n++) {
    await look(id, [token, other.token])
    expect(await listing(id)).toEqual({ ownerId: other.person.id, isVerified: true })
  }
  expect(await mails(id)).toHaveLength(1)
})

test('concurrent checks prove a claim once', async () => {
  const { id, owner } = await list()
  const other = await claim(id)
  await Promise.all(Array.from({ length: 10 }, () => look(id, [other.token])))
  expect(await listing(id)).toEqual({ ownerId: other.person.id, isVerified: true })
  expect(await mails(id)).toEqual([{ kind: 'listing-taken-over', userId: owner.id, serverId: id }])
})

test('a server’s token proves no other server, and nothing for a banned user or a removed server', async () => {
  const [here, there] = [await list(), await list()]
  await look(there.id, [here.token])
  expect(await listing(there.id)).toMatchObject({ isVerified: false })
  await pool.query('update users set banned_at = now() where id = $1', [here.owner.id])
  expect((await readPendingTokens(pool, [here.id])).byServer.size).toBe(0)
  await inTransaction(pool, (tx) => checks.record(tx, toChecks([here.token], [here.token]), { askedAt: new Date() }))
  expect(await listing(here.id)).toMatchObject({ isVerified: false })
  await call(there.owner, 'DELETE', `/servers/${there.id}`)
  await inTransaction(pool, (tx) => checks.record(tx, toChecks([there.token], [there.token]), { askedAt: new Date() }))
  expect(await listing(there.id)).toMatchObject({ isVerified: false })
  expect((await call(there.owner, 'GET', `/servers/${there.id}/claim`)).status).toBe(404)
})

test('claims need a session or an API key', async () => {
  const { id, owner } = await list()
  for (const [method, path] of [
    ['POST', ''],
    ['GET', ''],
    ['POST', '/verify'],
  ] as const)
    expect((await call(undefined, method, `/servers/${id}/claim${path}`)).status).toBe(401)
  const key = bearer(await createKey(api, owner))
  expect((await call(key, 'GET', `/servers/${id}/claim`)).body).toMatchObject({ status: 'pending' })
})

/** Gives a user pending claims of servers at query ports from 1 on. */
const addPendingClaims = (person: { id: string }, host: string, count: number) =>
  pool.query(
    `with more as (
       insert into servers (id, game, name, ip_address, game_port, query_port)
       select gen_random_uuid(), 'ase', 'Another', $2, n, n from generate_series(1, $3) as n returning id)
     insert into server_claims (id, server_id, user_id, token, expires_at)
     select gen_random_uuid(), id, $1, id::text, now() + interval '1 day' from more`,
    [person.id, host, count],
  )

test('a user can have a hundred pending claims, and a pending one can be checked again', async () => {
  const person = await addPerson(pool)
  const { id } = await list()
  const others = await Promise.all(Array.from({ length: 3 }, async () => (await list()).id))
  for (const other of others) await call(person, 'POST', `/servers/${other}/claim`)
  await addPendingClaims(person, 'many.example', 97)
  expect(await call(person, 'POST', `/servers/${id}/claim`)).toMatchObject({
    status: 400,
    body: { error: 'too_many_claims' },
  })
  expect((await call(person, 'POST', `/servers/${others[0]}/claim`)).status).toBe(200)
  await pool.query(`update servers set deleted_at = now() where ip_address = 'many.example' and query_port = 1`)
  expect((await call(person, 'POST', `/servers/${id}/claim`)).status).toBe(200)
})

test('of claims at the same time none exceeds the hundred', async () => {
  const person = await addPerson(pool)
  await addPendingClaims(person, 'parallel.example', 99)
  const servers = [await list(), await list()]
  const blocker = await pool.connect()
  await blocker.query('begin')
  await blocker.query('lock table server_claims in share row exclusive mode')
  const answers = servers.map(({ id }) => call(person, 'POST', `/servers/${id}/claim`))
  await expect.poll(() => countLockWaits(pool)).toBe(2)
  await blocker.query('commit')
  blocker.release()
  expect((await Promise.all(answers)).map(({ status }) => status).sort()).toEqual([200, 400])
})
