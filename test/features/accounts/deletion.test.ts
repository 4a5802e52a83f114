// Users delete their own account: what goes with it, what stays, who is refused, and what happens at the same moment.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { writeMail } from '../../../src/features/accounts/index.ts'
import type { MailRequest } from '../../../src/features/mail/index.ts'
import { startTestApi } from '../../support/api.ts'
import { addAuction } from '../../support/auctions.ts'
import { countLockWaits } from '../../support/database.ts'
import { rounds } from '../../support/rounds.ts'
import { serverFields } from '../servers/support.ts'
import {
  type Account,
  type Answer,
  addAccount,
  createVisitor,
  LOCK_USER,
  PASSWORD,
  type Visitor,
  whileLocked,
} from './support.ts'

const ADMIN_EMAIL = 'named@example.com'
const api = await startTestApi({ settings: { ADMIN_EMAILS: ADMIN_EMAIL } })
const { pool } = api.database

interface LoggedIn extends Account {
  visitor: Visitor
}

/** An account with PASSWORD and a verified address. */
async function loggedIn(email?: string): Promise<LoggedIn> {
  const account = await addAccount(api, email)
  await pool.query('update users set email_verified_at = now() where id = $1', [account.id])
  const visitor = createVisitor(api)
  expect((await visitor.login(account.email)).status).toBe(200)
  return { ...account, visitor }
}

const deleteAccount = ({ visitor }: Pick<LoggedIn, 'visitor'>, body: object = { password: PASSWORD }) =>
  visitor.send('DELETE', '/user', body)
const bid = ({ visitor }: LoggedIn, auctionId: string, bidAmount: number) =>
  visitor.post(`/auctions/${auctionId}/bid`, { bidAmount })
const codeOf = ({ status, body }: Answer) => [status, body.error]

async function listServer({ visitor }: LoggedIn): Promise<string> {
  const { status, body } = await visitor.post('/servers', serverFields())
  expect(status).toBe(201)
  return body.server.id
}

const exists = async ({ id }: Account) => (await pool.query('select from users where id = $1', [id])).rowCount === 1

async function auctionOf(id: string) {
  const { rows } = await pool.query(
    `select bid_count as bids, current_bid as highest, leading_bid_id is null as "hasNoLeader" from auctions where id = $1`,
    [id],
  )
  return rows[0]
}

/** Mails about deletions that wait for a worker. */
async function deletionMails(): Promise<MailRequest[]> {
  const { rows } = await pool.query<{ data: MailRequest }>(
    `select data - '_cause' as data from pgboss.job where name = 'mail' and data ->> 'kind' = 'account-deleted' order by created_on`,
  )
  return rows.map(({ data }) => data)
}

/** The last of them, as the worker would write it. */
async function lastDeletionMail() {
  const order = (await deletionMails()).at(-1)
  if (order?.kind !== 'account-deleted') throw new Error('no such mail')
  return { order, mail: await writeMail(api.deps, order, randomUUID()) }
}

describe('a deleted account', () => {
  test('loses all of its data; its servers stay listed, unverified and without an owner', async () => {
    const [person, rival] = [await loggedIn(), await loggedIn()]
    const { visitor } = person
    const [own, other] = [await listServer(person), await listServer(rival)]
    await pool.query('update servers set is_verified = true where id = $1', [own])
    await api.directory.refresh()
    expect((await visitor.get(`/servers/${own}`)).body.isVerified).toBe(true)
    const key = (await visitor.post('/user/api-keys', { name: 'Mine' })).body
    await visitor.post(`/servers/${other}/favorite`)
    await visitor.post(`/servers/${other}/claim`)
    const endpoint = { kind: 'standard', url: 'https://owner.example/hook', events: ['vote.created'] }
    expect((await visitor.post(`/servers/${own}/endpoints`, endpoint)).status).toBe(201)
    const elsewhere = createVisitor(api)
    await elsewhere.login(person.email)

    expect((await deleteAccount(person)).body).toEqual({ success: true })
    expect(await exists(person)).toBe(false)
    expect((await visitor.get(`/servers/${own}`)).body).toMatchObject({ id: own, isVerified: false })
    const { rows } = await pool.query('select owner_id as owner from servers where id = $1', [own])
    expect(rows).toEqual([{ owner: null }])
    for (const table of ['sessions', 'api_keys', 'favorites', 'server_claims'])
      expect((await pool.query(`select from ${table} where user_id = $1`, [person.id])).rowCount).toBe(0)
    expect((await pool.query('select from endpoints where server_id = $1', [own])).rowCount).toBe(0)
    expect((await elsewhere.get('/auth/session')).status).toBe(401)
    const byKey = { authorization: `Bearer ${key.key}.${key.secret}` }
    expect((await api.request('/api/user/servers', { headers: byKey })).status).toBe(401)
    expect((await createVisitor(api).login(person.email)).status).toBe(401)
    expect((await rival.visitor.get('/auth/session')).status).toBe(200)
  })

  test('leaves its auctions to the other bidders', async () => {
    const [person, rival] = [await loggedIn(), await loggedIn()]
    const auction = await addAuction(pool)
    expect((await bid(rival, auction, 500)).status).toBe(201)
    expect((await bid(person, auction, 700)).status).toBe(201)
    expect((await deleteAccount(person)).status).toBe(200)
    expect(await auctionOf(auction)).toEqual({ bids: 1, highest: 500, hasNoLeader: false })
  })

  test('loses its session cookie, and its address can register again', async () => {
    const person = await loggedIn()
    const { headers } = await deleteAccount(person)
    expect(headers.getSetCookie()).toEqual(['session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax'])
    const registration = { email: person.email, password: PASSWORD, username: 'Someone' }
    expect((await createVisitor(api).post('/auth/register', registration)).status).toBe(201)
  })

  test('is mailed about at its verified address, which the job stores encrypted only', async () => {
    const person = await loggedIn()
    await deleteAccount(person)
    const { order, mail } = await lastDeletionMail()
    expect(mail).toMatchObject({ to: person.email, subject: 'Your account was deleted' })
    expect(JSON.stringify(order)).not.toContain(person.email)
  })

  test('is not mailed about at an address that was never verified', async () => {
    const person = await loggedIn()
    await pool.query('update users set email_verified_at = null where id = $1', [person.id])
    const before = (await deletionMails()).length
    expect((await deleteAccount(person)).status).toBe(200)
    expect(await deletionMails()).toHaveLength(before)
  })

  test('is in the audit log as deleted by its user', async () => {
    const person = await loggedIn()
    await listServer(person)
    await deleteAccount(person)
    const { rows } = await pool.query('select actor_id, action, details from audit_log where target_id = $1', [
      person.id,
    ])
    expect(rows).toEqual([{ actor_id: person.id, action: 'user.delete', details: { releasedServers: 1 } }])
  })
})

describe('the password', () => {
  test('is needed, and a wrong or missing one deletes nothing', async () => {
    const person = await loggedIn()
    for (const body of [{}, { password: '' }, { password: 'not the password' }])
      expect(codeOf(await deleteAccount(person, body))).toEqual([401, 'invalid_credentials'])
    expect((await person.visitor.get('/auth/session')).status).toBe(200)
  })

  test('can be guessed five times in 15 minutes, together with the change of the password', async () => {
    const person = await loggedIn()
    const wrong = { currentPassword: 'not the password', newPassword: 'another 7 seas' }
    expect((await person.visitor.post('/user/password', wrong)).status).toBe(401)
    const answers = []
    for (let n = 0; n < 5; n++) answers.push((await deleteAccount(person, { password: 'not it' })).status)
    expect(answers).toEqual([401, 401, 401, 401, 429])
    expect(codeOf(await deleteAccount(person))).toEqual([429, 'rate_limited'])
    expect(await exists(person)).toBe(true)
  })

  test('is not needed where the account has none: a login of the last ten minutes is', async () => {
    const person = await loggedIn()
    await pool.query(`update users set password_hash = null, email = null, chat_id = id::text where id = $1`, [
      person.id,
    ])
    await pool.query(`update sessions set created_at = now() - interval '11 minutes' where user_id = $1`, [person.id])
    expect(codeOf(await deleteAccount(person, {}))).toEqual([403, 'confirmation_needed'])
    expect(await exists(person)).toBe(true)
    await pool.query(`update sessions set created_at = now() - interval '9 minutes' where user_id = $1`, [person.id])
    expect((await deleteAccount(person, {})).body).toEqual({ success: true })
    expect(await exists(person)).toBe(false)
  })
})

describe('refused are', () => {
  test('administrators, by another administrator or by the setting, until that is undone', async () => {
    const [promoted, named] = [await loggedIn(), await loggedIn(ADMIN_EMAIL)]
    await pool.query('update users set is_admin = true where id = $1', [promoted.id])
    for (const person of [promoted, named])
      expect(codeOf(await deleteAccount(person))).toEqual([400, 'administrator_account'])
    expect([await exists(promoted), await exists(named)]).toEqual([true, true])
    await pool.query('update users set is_admin = false where id = $1', [promoted.id])
    expect((await deleteAccount(promoted)).status).toBe(200)
  })

  test('an account that becomes an administrator while it is being deleted', async () => {
    const person = await loggedIn()
    const deleted = await whileLocked(pool, 'update users set is_admin = true where id = $1', person.id, async () => {
      const answer = deleteAccount(person)
      await expect.poll(() => countLockWaits(pool)).toBe(1)
      return { answer }
    })
    expect(codeOf(await deleted.answer)).toEqual([400, 'administrator_account'])
  })

  test('API keys, and requests without a session', async () => {
    const person = await loggedIn()
    const { body } = await person.visitor.post('/user/api-keys', { name: 'Mine' })
    const program = createVisitor(api, { authorization: `Bearer ${body.key}.${body.secret}` })
    expect(codeOf(await deleteAccount({ visitor: program }))).toEqual([403, 'forbidden'])
    expect(codeOf(await deleteAccount({ visitor: createVisitor(api) }))).toEqual([401, 'unauthenticated'])
    expect(await exists(person)).toBe(true)
  })
})

describe('at the same moment', () => {
  test('of two deletions one succeeds, and the other finds no session', async () => {
    const person = await loggedIn()
    const answers = await whileLocked(pool, LOCK_USER, person.id, async () => {
      const both = [deleteAccount(person), person.visitor.send('DELETE', '/user', { password: PASSWORD })]
      await expect.poll(() => countLockWaits(pool)).toBe(2)
      return { both }
    })
    const codes = (await Promise.all(answers.both)).map(codeOf)
    expect(codes.sort()).toEqual([
      [200, undefined],
      [401, 'unauthenticated'],
    ])
    expect(await exists(person)).toBe(false)
  })

  test('a password that changes first makes the deletion find no session', async () => {
    const person = await loggedIn()
    const other = createVisitor(api)
    await other.login(person.email)
    const change = { currentPassword: PASSWORD, newPassword: 'a different 7 seas' }
    const answers = await whileLocked(pool, LOCK_USER, person.id, async () => {
      const changed = other.post('/user/password', change)
      await expect.poll(() => countLockWaits(pool)).toBe(1)
      const deleted = deleteAccount(person)
      await expect.poll(() => countLockWaits(pool)).toBe(2)
      return { changed, deleted }
    })
    expect((await answers.changed).status).toBe(200)
    expect(codeOf(await answers.deleted)).toEqual([401, 'unauthenticated'])
    expect(await exists(person)).toBe(true)
  })

  test('a bid that is being placed is accepted first, and goes with the account', async () => {
    const person = await loggedIn()
    const auction = await addAuction(pool)
    const answers = await whileLocked(pool, 'select from auctions where id = $1 for update', auction, async () => {
      const placed = bid(person, auction, 500)
      await expect.poll(() => countLockWaits(pool)).toBe(1)
      const deleted = deleteAccount(person)
      await expect.poll(() => countLockWaits(pool)).toBe(2)
      return { placed, deleted }
    })
    expect([(await answers.placed).status, (await answers.deleted).status]).toEqual([201, 200])
    expect(await auctionOf(auction)).toEqual({ bids: 0, highest: null, hasNoLeader: true })
  })

  test('a bid that comes during the deletion is refused', async () => {
    const person = await loggedIn()
    const auction = await addAuction(pool)
    const server = await listServer(await loggedIn())
    await person.visitor.post(`/servers/${server}/claim`)
    const lockClaim = 'select from server_claims where user_id = $1 for update'
    const answers = await whileLocked(pool, lockClaim, person.id, async () => {
      const deleted = deleteAccount(person)
      await expect.poll(() => countLockWaits(pool)).toBe(1)
      const placed = bid(person, auction, 500)
      await expect.poll(() => countLockWaits(pool)).toBe(2)
      return { placed, deleted }
    })
    expect([(await answers.placed).status, (await answers.deleted).status]).toEqual([403, 200])
    expect(await auctionOf(auction)).toEqual({ bids: 0, highest: null, hasNoLeader: true })
  })

  test('all other writes of the account come first and go with it, or are refused; deadlocks are run again', async () => {
    for (let round = 0; round < rounds(8); round++) {
      const [person, other] = [await loggedIn(), await loggedIn()]
      const [own, others, auction] = [await listServer(person), await listServer(other), await addAuction(pool)]
      const { visitor } = person
      // A comparison of the password would let all others come first.
      await pool.query('update users set password_hash = null where id = $1', [person.id])
      const [deleted, ...written] = await Promise.all([
        deleteAccount(person, {}),
        bid(person, auction, 500),
        visitor.post('/servers', serverFields()),
        visitor.post(`/servers/${others}/favorite`),
        visitor.post(`/servers/${others}/reports`, { reason: 'spam' }),
        visitor.post('/user/api-keys', { name: 'Late' }),
        visitor.send('PATCH', `/servers/${own}`, { name: 'Changed' }),
        visitor.post(`/servers/${own}/wipe-history`, { kind: 'full' }),
        createVisitor(api).post(`/servers/${own}/vote`, { visitorId: `the visitor of round ${round}` }),
      ])
      expect(deleted.status).toBe(200)
      for (const { status, body } of written) expect([200, 201, 401, 403], body.message).toContain(status)
      expect(await exists(person)).toBe(false)
      expect(await auctionOf(auction)).toEqual({ bids: 0, highest: null, hasNoLeader: true })
    }
  })
})
