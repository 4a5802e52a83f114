// What a new password of a server's owner does to its team: another person may have had the account.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { writeMail } from '../../../src/features/accounts/index.ts'
import type { MailRequest } from '../../../src/features/mail/index.ts'
import { startTestApi } from '../../support/api.ts'
import { countLockWaits } from '../../support/database.ts'
import { addPerson, type Person } from '../../support/people.ts'
import { createVisitor, LOCK_USER, mailedToken, PASSWORD, type Visitor, whileLocked } from '../accounts/support.ts'
import { bearer, createKey } from '../api-keys/support.ts'
import { callerOf, serverFields } from '../servers/support.ts'

const api = await startTestApi()
const { pool } = api.database
const call = callerOf(api)
const NEW_PASSWORD = 'a different 7 seas'

interface Owned {
  owner: Person
  visitor: Visitor
  id: string
  member: Person
  /** Of the server, to the member. */
  offerId: string
}

const accept = (by: Person, id: unknown) => call(by, 'POST', `/user/invitations/${id}/accept`, {})
const edit = (by: Person, id: string) => call(by, 'PATCH', `/servers/${id}`, { description: randomUUID() })
const offerTo = (owner: Person, id: string, member: Person) =>
  call(owner, 'POST', `/servers/${id}/handover`, { userId: member.id })

async function addServer(owner: Person): Promise<string> {
  const { body } = await call(owner, 'POST', '/servers', serverFields())
  return (body.server as { id: string }).id
}

/** A server of an account with a password, and its manager, to whom it is offered. */
async function addOwned(): Promise<Owned> {
  const [registered, member] = [await addPerson(pool), await addPerson(pool)]
  const visitor = createVisitor(api)
  visitor.cookies.set('session', registered.cookie.replace('session=', ''))
  expect((await visitor.post('/user/password', { newPassword: PASSWORD })).status).toBe(200)
  const owner = { id: registered.id, cookie: visitor.cookieHeader() ?? '' }
  const id = await addServer(owner)
  const invitation = { email: `${member.id}@example.com`, role: 'manager' }
  const { body } = await call(owner, 'POST', `/servers/${id}/members`, invitation)
  expect((await accept(member, body.id)).status).toBe(200)
  const offer = await offerTo(owner, id, member)
  return { owner, visitor, id, member, offerId: String(offer.body.id) }
}

async function reset({ owner }: Owned, more: object = {}) {
  const token = await mailedToken(api, { kind: 'reset-password', userId: owner.id })
  return createVisitor(api).post('/auth/password-reset/confirm', { token, password: NEW_PASSWORD, ...more })
}

async function lastMailOf(userId: string): Promise<string> {
  const { rows } = await pool.query<{ data: MailRequest }>(
    `select data - '_cause' as data from pgboss.job where name = 'mail' and data ->> 'userId' = $1 order by created_on desc limit 1`,
    [userId],
  )
  const order = rows[0]?.data
  if (order?.kind !== 'password-changed') throw new Error('another mail')
  return (await writeMail(api.deps, order, randomUUID()))?.text.replaceAll(/\s+/g, ' ') ?? '' // the line breaks follow the wording
}

async function noticesFor(userId: string): Promise<string[]> {
  const { rows } = await pool.query<{ event: string }>(
    `select data ->> 'event' as event from pgboss.job where name = 'notify' and data -> 'userIds' ? $1 order by created_on, id`,
    [userId],
  )
  return rows.map(({ event }) => event).sort()
}

test('a change and a reset of the password withdraw offers and say so; members stay', async () => {
  const change = ({ visitor }: Owned) =>
    visitor.post('/user/password', { currentPassword: PASSWORD, newPassword: NEW_PASSWORD })
  for (const renew of [change, reset]) {
    const owned = await addOwned()
    expect((await renew(owned)).status).toBe(200)
    expect((await accept(owned.member, owned.offerId)).status).toBe(404)
    expect((await edit(owned.member, owned.id)).status).toBe(200)
    const mail = await lastMailOf(owned.owner.id)
    expect(mail).toContain('1 open invitation to your servers, or offer to hand one over, was withdrawn')
    expect(mail).toContain('Members of your teams, API keys, vote keys and linked platforms stay')
    expect(await noticesFor(owned.member.id)).toEqual(['serverInvitationWithdrawn'])
  }
})

test('a reset that revokes access also removes members, with a notice and an entry of the audit log', async () => {
  const owned = await addOwned()
  expect((await reset(owned, { revokeAccess: true })).status).toBe(200)
  expect((await accept(owned.member, owned.offerId)).status).toBe(404)
  expect((await edit(owned.member, owned.id)).status).toBe(403)
  const { rows } = await pool.query(
    'select actor_id as by, action, details from audit_log where target_id = $1 order by id desc limit 2',
    [owned.id],
  )
  const by = owned.owner.id
  expect(rows).toEqual([
    { by, action: 'server.member.remove', details: { userId: owned.member.id, role: 'manager' } },
    { by, action: 'server.invitation.withdraw', details: { invitationId: owned.offerId, role: 'owner' } },
  ])
  expect(await noticesFor(owned.member.id)).toEqual(['serverInvitationWithdrawn', 'serverMemberRemoved'])
  const mail = await lastMailOf(owned.owner.id)
  expect(mail).toContain('1 member of your servers’ teams')
  expect(mail).toContain('1 invitation to your servers’ teams, or to own one')
})

test('a reset that revokes access ends the vote keys of its servers, whose use the mail suggests to check', async () => {
  const owned = await addOwned()
  const [byOwner, byMember] = [owned.owner, owned.member]
  for (const by of [byOwner, byMember, byMember])
    expect((await call(by, 'POST', `/servers/${owned.id}/vote-key`)).status).toBe(200)
  const keys = async () => (await call(owned.member, 'GET', `/servers/${owned.id}/vote-key`)).body.keys
  expect((await reset(owned)).status).toBe(200)
  expect(await keys()).toHaveLength(2)
  expect(await lastMailOf(owned.owner.id)).toContain('reward commands and RCON passwords. Please check them.')
  expect((await reset(owned, { revokeAccess: true })).status).toBe(200)
  expect((await pool.query('select from vote_keys where server_id = $1', [owned.id])).rowCount).toBe(0)
  const mail = await lastMailOf(owned.owner.id)
  expect(mail).toContain('2 vote keys')
  expect(mail).toContain('reward commands, RCON passwords and votes stay. Please check them.')
})

test('invitations, offers, vote keys and changes of a role that wait while a reset ends their session are refused', async () => {
  const { owner, id, member } = await addOwned()
  const third = await addServer(owner)
  const other = await addServer(owner)
  const token = await mailedToken(api, { kind: 'reset-password', userId: owner.id })
  const { resetting, late } = await whileLocked(pool, LOCK_USER, owner.id, async () => {
    const resetting = createVisitor(api).post('/auth/password-reset/confirm', { token, password: NEW_PASSWORD })
    await expect.poll(() => countLockWaits(pool)).toBe(1)
    const late = [
      offerTo(owner, id, member),
      call(owner, 'POST', `/servers/${other}/members`, { email: 'late@example.com' }),
      call(owner, 'PATCH', `/servers/${id}/members/${member.id}`, { role: 'viewer' }),
      call(owner, 'POST', `/servers/${third}/vote-key`),
    ]
    await expect.poll(() => countLockWaits(pool)).toBe(5)
    return { resetting, late }
  })
  expect((await resetting).status).toBe(200)
  for (const answer of late) expect((await answer).status).toBe(401)
  for (const table of ['server_invitations', 'vote_keys'])
    expect((await pool.query(`select from ${table} where owner_id = $1`, [owner.id])).rowCount).toBe(0)
})

test('a vote key that an API key requests is refused if a reset revokes the API key meanwhile', async () => {
  const owned = await addOwned()
  const { id, owner } = owned
  const apiKey = await createKey(api, owner, 'for plugins', { scopes: ['votes'] })
  const { late } = await whileLocked(pool, 'select from servers where id = $1 for no key update', id, async () => {
    const late = call(bearer(apiKey), 'POST', `/servers/${id}/vote-key`)
    await expect.poll(() => countLockWaits(pool)).toBe(1)
    expect((await reset(owned, { revokeAccess: true })).status).toBe(200)
    return { late }
  })
  expect(await late).toMatchObject({ status: 401, body: { error: 'invalid_api_key' } })
  expect((await pool.query('select from vote_keys where owner_id = $1', [owner.id])).rowCount).toBe(0)
})
