// Another user claims a proven listing: sightings over time, the owner's warning, and the stop.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  createClaimChecks,
  type Proof,
  readPendingTokens,
  recordPolledTokens,
  toChecks,
  writeTakeoverWarning,
} from '../../../src/features/claims/index.ts'
import { handleNotice } from '../../../src/features/notifications/index.ts'
import { inTransaction } from '../../../src/platform/db/pool.ts'
import { startTestApi, TEST_SECRET } from '../../support/api.ts'
import { addPerson, type Person } from '../../support/people.ts'
import { createClaimWorld } from './support.ts'

const api = await startTestApi()
const { pool } = api.database
const { call, list, claim, statusOf, listing, mails, passTime } = createClaimWorld(api)
const checks = createClaimChecks({ pool, jobs: api.deps.jobs })
const settings = { PUBLIC_BASE_URL: 'https://directory.example', APP_SECRET: TEST_SECRET }

async function look(id: string, seen: Proof['shown']): Promise<void> {
  const { byServer, askedAt } = await readPendingTokens(pool, [id])
  await inTransaction(pool, (tx) => checks.record(tx, toChecks(byServer.get(id) ?? [], seen), { askedAt }))
}

async function poll(id: string, seen: Proof['shown']): Promise<void> {
  const { byServer, askedAt } = await readPendingTokens(pool, [id])
  await inTransaction(pool, (tx) =>
    recordPolledTokens(tx, api.deps.jobs, toChecks(byServer.get(id) ?? [], seen), askedAt),
  )
}

/** A proven listing and a user who claims it. */
async function claimed() {
  const { id, owner, token } = await list()
  await look(id, [token])
  const claimant = await claim(id)
  return { id, owner, claimant: claimant.person, token: claimant.token }
}

const ownerOf = async (id: string) => (await listing(id)).ownerId
const jobsFor = async (queue: string, id: string) =>
  (
    await pool.query<{ data: Record<string, string> }>(
      `select data from pgboss.job where name = $1 and data->>'serverId' = $2 and state = 'created' order by created_on`,
      [queue, id],
    )
  ).rows.map(({ data }) => data)

/** The newest mail, as a worker writes it. */
async function writeWarning(id: string, owner: Person, jobId = randomUUID()) {
  const { rows } = await pool.query<{ id: string }>(
    'select id from server_claims where server_id = $1 and takeover_since is not null',
    [id],
  )
  const warning = { userId: owner.id, serverId: id, claimId: rows[0]?.id ?? '' }
  return writeTakeoverWarning({ pool, settings }, warning, jobId)
}
const tokenOf = (text: string | undefined) => /stop-claim#([\w-]{43})/.exec(text ?? '')?.[1] ?? ''

describe('a claim of a proven listing', () => {
  test('waits until a stated time, and the owner is warned once by mail and in the product', async () => {
    const { id, owner, claimant, token } = await claimed()
    for (let n = 0; n < 3; n++) await look(id, [token])
    expect(await ownerOf(id)).toBe(owner.id)
    expect(await statusOf(claimant, id)).toMatchObject({
      status: 'pending',
      takeoverAt: expect.any(String),
      message: expect.stringContaining('at the earliest'),
    })
    expect(await mails(id)).toEqual([
      { kind: 'takeover-warning', userId: owner.id, serverId: id, claimId: expect.any(String) },
    ])
    const [notice] = await jobsFor('notify', id)
    expect(notice).toMatchObject({ event: 'serverTakeover', userId: owner.id })
    await handleNotice(api.deps, notice as never, randomUUID())
    const { notifications } = (await call(owner, 'GET', '/user/notifications')).body as { notifications: unknown[] }
    expect(notifications).toEqual([
      expect.objectContaining({
        event: 'serverTakeover',
        message: expect.stringContaining('Stop other users’ claims'),
      }),
    ])
  })

  test('succeeds after four sightings over ten minutes, counted from the mail', async () => {
    const { id, owner, claimant, token } = await claimed()
    await look(id, [token])
    await pool.query(
      `update server_claims set takeover_since = now() - interval '1 hour', takeover_sightings = 9 where server_id = $1`,
      [id],
    )
    await look(id, [token])
    expect(await ownerOf(id)).toBe(owner.id) // the mail is not sent yet
    await (await writeWarning(id, owner))?.sent?.()
    await pool.query(`update server_claims set warned_at = now() - interval '9 minutes' where server_id = $1`, [id])
    await look(id, [token])
    expect(await ownerOf(id)).toBe(owner.id)
    await passTime(id, 1)
    await look(id, [token])
    expect(await listing(id)).toEqual({ ownerId: claimant.id, isVerified: true })
    expect(await statusOf(claimant, id)).toMatchObject({ status: 'verified', takeoverAt: null })
  })

  test('needs four sightings, two minutes apart, however long it waits', async () => {
    const { id, owner, claimant, token } = await claimed()
    await look(id, [token])
    await passTime(id, 60)
    await look(id, [token])
    for (let n = 0; n < 5; n++) await look(id, [token])
    expect(await ownerOf(id)).toBe(owner.id)
    await passTime(id, 2)
    await look(id, [token])
    await passTime(id, 2)
    await look(id, [token])
    expect(await ownerOf(id)).toBe(claimant.id)
  })

  test('starts again at a new address, and shows nothing that the former one answered', async () => {
    const { id, owner, claimant, token } = await claimed()
    for (let n = 0; n < 3; n++) {
      await look(id, [token])
      await passTime(id, 5)
    }
    expect((await call(owner, 'PATCH', `/servers/${id}`, { ipAddress: '203.0.113.80' })).status).toBe(200)
    expect(await statusOf(claimant, id)).toMatchObject({
      status: 'pending',
      checkedAt: null,
      lastCheck: null,
      takeoverAt: null,
      message: expect.stringContaining(`Put ${token} into`),
    })
    const { body } = await call(owner, 'POST', `/servers/${id}/claim`)
    await look(id, [String(body.verificationToken)])
    expect(await listing(id)).toEqual({ ownerId: owner.id, isVerified: true })
    await look(id, [token])
    expect(await ownerOf(id)).toBe(owner.id)
  })

  test('has no time while the listing is unproven, because the next proof decides', async () => {
    const { id, claimant, token } = await claimed()
    await look(id, [token])
    const admin = await addPerson(pool, { isAdmin: true })
    expect((await call(admin, 'PATCH', `/admin/servers/${id}`, { isVerified: false })).status).toBe(200)
    expect(await statusOf(claimant, id)).toMatchObject({ status: 'pending', takeoverAt: null })
  })

  test('starts again when the server answers without the token, and sends no second mail for that', async () => {
    const { id, owner, claimant, token } = await claimed()
    for (let n = 0; n < 3; n++) {
      await look(id, [token])
      await passTime(id, 5)
    }
    await look(id, [])
    expect(await statusOf(claimant, id)).toMatchObject({ status: 'pending', takeoverAt: null })
    await look(id, [token])
    await look(id, [token])
    expect(await ownerOf(id)).toBe(owner.id)
    expect(await mails(id)).toHaveLength(1)
  })

  test('neither gains nor loses by contradictory answers, and does not lose by silence', async () => {
    const { id, owner, claimant, token } = await claimed()
    for (let n = 0; n < 9; n++) {
      await look(id, 'contradictory')
      await passTime(id, 5)
    }
    expect(await ownerOf(id)).toBe(owner.id)
    expect(await statusOf(claimant, id)).toMatchObject({
      status: 'pending',
      takeoverAt: null,
      message: expect.stringContaining('several answers'),
    })
    expect(await mails(id)).toEqual([])
    for (let n = 0; n < 4; n++) {
      await look(id, [token])
      await look(id, n % 2 ? 'silent' : 'contradictory')
      await passTime(id, 5)
    }
    await look(id, [token])
    expect(await ownerOf(id)).toBe(claimant.id)
  })

  test('waits for a day when the owner has no verified address', async () => {
    const { id, owner, claimant, token } = await claimed()
    await pool.query('update users set email_verified_at = null where id = $1', [owner.id])
    await look(id, [token])
    expect(await writeWarning(id, owner)).toBeUndefined()
    const pass = (interval: string) =>
      pool.query(
        `update server_claims set takeover_since = now() - interval '2 days', takeover_sightings = 9,
           warning_ordered_at = now() - $2::interval where server_id = $1`,
        [id, interval],
      )
    await pass('23 hours')
    await look(id, [token])
    expect(await ownerOf(id)).toBe(owner.id)
    await pass('24 hours 1 second') // the check's own time has whole milliseconds
    await look(id, [token])
    expect(await ownerOf(id)).toBe(claimant.id)
  })

  test('waits again, with another warning, when the listing has another proven owner since', async () => {
    const { id, claimant, token } = await claimed()
    for (let n = 0; n < 3; n++) {
      await look(id, [token])
      await passTime(id, 5)
    }
    const next = await addPerson(pool)
    await pool.query('update servers set owner_id = $2 where id = $1', [id, next.id])
    await look(id, [token])
    expect(await ownerOf(id)).toBe(next.id)
    expect(await mails(id)).toMatchObject([{ kind: 'takeover-warning' }, { kind: 'takeover-warning', userId: next.id }])
    expect(await statusOf(claimant, id)).toMatchObject({ status: 'pending' })
  })
})

describe('a claim that starts again', () => {
  /** Until the server shows the token long enough. */
  async function takeOver(id: string, token: string): Promise<void> {
    for (let n = 0; n < 4; n++) {
      await look(id, [token])
      await passTime(id, 5)
    }
  }
  const restart = async (person: Person, id: string) =>
    (await call(person, 'POST', `/servers/${id}/claim`)).body.verificationToken as string

  test('after its takeover was undone warns the owner again, and waits for that', async () => {
    const { id, owner, claimant, token } = await claimed()
    await takeOver(id, token)
    expect(await ownerOf(id)).toBe(claimant.id)
    await takeOver(id, await restart(owner, id))
    expect(await ownerOf(id)).toBe(owner.id)
    await look(id, [await restart(claimant, id)])
    const warned = (await mails(id)).filter((mail) => (mail as { kind: string }).kind === 'takeover-warning')
    expect(warned).toMatchObject([{ userId: owner.id }, { userId: claimant.id }, { userId: owner.id }])
  })

  test('after it expired warns the owner again, with a link that stops it', async () => {
    const { id, owner, claimant, token } = await claimed()
    await look(id, [token])
    await writeWarning(id, owner)
    await pool.query('update server_claims set expires_at = now() where server_id = $1 and user_id = $2', [
      id,
      claimant.id,
    ])
    await look(id, [await restart(claimant, id)])
    expect(await mails(id)).toHaveLength(2)
    const body = { token: tokenOf((await writeWarning(id, owner))?.text) }
    expect(await call(undefined, 'POST', '/claims/stop', body)).toMatchObject({ status: 200, body: { stopped: 1 } })
  })
})

describe('a poll', () => {
  test('proves nothing: a token causes a proof query', async () => {
    const { id, token } = await list()
    await poll(id, [token])
    expect(await listing(id)).toMatchObject({ isVerified: false })
    expect(await jobsFor('claim-check', id)).toEqual([{ serverId: id }])
  })

  test('causes a proof query each time while a takeover waits, and none otherwise', async () => {
    const { id, token } = await claimed()
    await poll(id, [])
    expect(await jobsFor('claim-check', id)).toEqual([])
    await look(id, [token])
    await poll(id, [])
    expect(await jobsFor('claim-check', id)).toEqual([{ serverId: id }])
  })
})

describe('the owner', () => {
  test('stops the claim with the mailed link, once; the claimant can’t claim for a while and sees why', async () => {
    const { id, owner, claimant, token } = await claimed()
    await look(id, [token])
    const warning = await writeWarning(id, owner)
    expect(warning).toMatchObject({
      to: `${owner.id}@example.com`,
      subject: expect.stringContaining('claims your listing'),
    })
    const body = { token: tokenOf(warning?.text) }
    expect(await call(undefined, 'POST', '/claims/stop', body)).toMatchObject({ status: 200, body: { stopped: 1 } })
    expect(await call(undefined, 'POST', '/claims/stop', body)).toMatchObject({
      status: 400,
      body: { error: 'invalid_token' },
    })
    await passTime(id, 60)
    await look(id, [token])
    await inTransaction(pool, (tx) => checks.record(tx, toChecks([token], [token]), { askedAt: new Date() }))
    expect(await ownerOf(id)).toBe(owner.id)
    expect(await statusOf(claimant, id)).toMatchObject({
      status: 'expired',
      message: expect.stringContaining('stopped'),
    })
    expect(await call(claimant, 'POST', `/servers/${id}/claim`)).toMatchObject({
      status: 400,
      body: { error: 'claim_stopped' },
    })
    const { rows } = await pool.query(
      `select actor_id from audit_log where target_id = $1 and action = 'server.claim-stop'`,
      [id],
    )
    expect(rows).toEqual([{ actor_id: owner.id }])
    await pool.query(`update server_claims set stopped_until = now() where server_id = $1`, [id])
    expect((await call(claimant, 'POST', `/servers/${id}/claim`)).status).toBe(200)
  })

  test('gets the same link when the mail is sent again, and another with another warning', async () => {
    const { id, owner, token } = await claimed()
    await look(id, [token])
    const jobId = randomUUID()
    const [first, repeat] = [await writeWarning(id, owner, jobId), await writeWarning(id, owner, jobId)]
    expect(tokenOf(repeat?.text)).toBe(tokenOf(first?.text))
    const other = tokenOf((await writeWarning(id, owner))?.text)
    expect(other).toHaveLength(43)
    expect(other).not.toBe(tokenOf(first?.text))
  })

  test('stops all waiting claims from the product; other users and claimants can’t', async () => {
    const { id, owner, claimant, token } = await claimed()
    const other = await claim(id)
    await look(id, [token, other.token])
    expect((await call(claimant, 'POST', `/servers/${id}/claim/stop`)).status).toBe(403)
    expect((await call(owner, 'POST', `/servers/${id}/claim/stop`)).body).toMatchObject({ stopped: 2 })
    expect((await call(owner, 'POST', `/servers/${id}/claim/stop`)).body).toMatchObject({ stopped: 0 })
    expect((await call(other.person, 'POST', `/servers/${id}/claim`)).status).toBe(400)
  })

  test('from before can’t stop a claim with an old mail', async () => {
    const { id, owner, token } = await claimed()
    await look(id, [token])
    const body = { token: tokenOf((await writeWarning(id, owner))?.text) }
    await pool.query('update servers set owner_id = $2 where id = $1', [id, (await addPerson(pool)).id])
    expect((await call(undefined, 'POST', '/claims/stop', body)).status).toBe(400)
  })

  test('has a page for the link', async () => {
    const page = await fetch(`${api.url}/stop-claim`)
    expect([page.status, await page.text()]).toEqual([
      200,
      expect.stringContaining('<form hidden data-with-token data-endpoint="/api/claims/stop"'),
    ])
  })
})
