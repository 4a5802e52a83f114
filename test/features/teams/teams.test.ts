// Members of servers: who may do what, invitations, hand-overs, and several of these at once.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createClaimChecks, readPendingTokens, toChecks } from '../../../src/features/claims/index.ts'
import { runTeamsUpkeep, writeHandedOver, writeInvitation } from '../../../src/features/teams/index.ts'
import { inTransaction } from '../../../src/platform/db/pool.ts'
import { startTestApi } from '../../support/api.ts'
import { countLockWaits } from '../../support/database.ts'
import { addPerson, type Person } from '../../support/people.ts'
import { bearer, createKey } from '../api-keys/support.ts'
import { type Caller, callerOf, serverFields } from '../servers/support.ts'
import { voteOnce } from '../votes/support.ts'

const api = await startTestApi({ settings: { LISTINGS_PER_ACCOUNT: '4' } })
const { pool } = api.database
const call = callerOf(api)

interface Invitation {
  id: string
  role: string
}

async function addNamed(): Promise<Person & { username: string }> {
  const person = await addPerson(pool)
  const username = `Person ${person.id}`.slice(0, 50)
  await pool.query('update users set username = $2 where id = $1', [person.id, username])
  return { ...person, username }
}

/** A proven server and its owner. */
async function list(owner?: Person): Promise<{ owner: Person; id: string }> {
  const by = owner ?? (await addNamed())
  const { body } = await call(by, 'POST', '/servers', serverFields())
  const { id } = body.server as { id: string }
  await pool.query('update servers set is_verified = true where id = $1', [id])
  return { owner: by, id }
}

const invite = (by: Person, id: string, body: object) => call(by, 'POST', `/servers/${id}/members`, body)
const accept = (by: Person, id: unknown, body: object = {}) => call(by, 'POST', `/user/invitations/${id}/accept`, body)
const remove = (by: Person, id: string, { id: userId }: Person) =>
  call(by, 'DELETE', `/servers/${id}/members/${userId}`)
const offer = (by: Person, id: string, { id: userId }: Person) =>
  call(by, 'POST', `/servers/${id}/handover`, { userId })
const edit = (by: Caller, id: string, fields: object = { description: randomUUID() }) =>
  call(by, 'PATCH', `/servers/${id}`, fields)
const received = async (by: Person) =>
  (await call(by, 'GET', '/user/invitations')).body.invitations as (Invitation & Record<string, unknown>)[]
const team = async (by: Person, id: string) =>
  (await call(by, 'GET', `/servers/${id}/members`)).body as {
    members: { userId: string; role: string; mayUseRcon: boolean }[]
    invitations: Invitation[]
  }
const ownerOf = async (id: string) =>
  (await pool.query<{ ownerId: string }>('select owner_id as "ownerId" from servers where id = $1', [id])).rows[0]
    ?.ownerId
const audited = async (id: string) =>
  (
    await pool.query<{ action: string; actorId: string }>(
      `select action, actor_id as "actorId" from audit_log where target_id = $1 order by id`,
      [id],
    )
  ).rows
const mailsOf = async (kind: string, field: string, value: string) =>
  (
    await pool.query(`select from pgboss.job where name = 'mail' and data ->> 'kind' = $1 and data ->> $2 = $3`, [
      kind,
      field,
      value,
    ])
  ).rowCount

/** Makes a person a member. */
async function join(owned: { owner: Person; id: string }, role: string, mayUseRcon = false) {
  const member = await addNamed()
  const { body } = await invite(owned.owner, owned.id, { username: member.username, role, mayUseRcon })
  expect((await accept(member, body.id)).status).toBe(200)
  return member
}

describe('roles', () => {
  it('a manager edits the listing and its endpoints, and each change is audited with who made it', async () => {
    const owned = await list()
    const manager = await join(owned, 'manager')
    expect((await edit(manager, owned.id)).status).toBe(200)
    const endpoint = { kind: 'standard', url: 'https://manager.example/secret', events: ['vote.created'] }
    expect((await call(manager, 'POST', `/servers/${owned.id}/endpoints`, endpoint)).status).toBe(201)
    const entries = await audited(owned.id)
    expect(entries.slice(-2)).toEqual([
      { action: 'server.update', actorId: manager.id },
      { action: 'endpoint.add', actorId: manager.id },
    ])
    const { body } = await call(manager, 'GET', `/servers/${owned.id}/endpoints`)
    expect(body).toMatchObject({ endpoints: [{ url: 'https://manager.example/…' }] })
  })

  it('a manager can’t lead the listing to another game server, remove it or change its team', async () => {
    const owned = await list()
    const manager = await join(owned, 'manager', true)
    const before = await audited(owned.id)
    for (const fields of [{ ipAddress: '10.200.0.1' }, { gamePort: 7001 }, { queryPort: 7001 }])
      expect(await edit(manager, owned.id, fields)).toMatchObject({ status: 403, body: { error: 'forbidden' } })
    expect((await call(manager, 'DELETE', `/servers/${owned.id}`)).status).toBe(403)
    expect((await invite(manager, owned.id, { email: 'x@example.com' })).status).toBe(403)
    expect((await offer(manager, owned.id, manager)).status).toBe(403)
    expect((await call(manager, 'POST', `/servers/${owned.id}/claim/stop`)).status).toBe(403)
    expect((await call(manager, 'POST', `/servers/${owned.id}/opt-out`)).status).toBe(403)
    expect(await audited(owned.id)).toEqual(before)
  })

  it('a manager has RCON, and the commands that reward votes, only if the owner allows it', async () => {
    const owned = await list()
    const manager = await join(owned, 'manager')
    const configure = () => call(manager, 'PUT', `/servers/${owned.id}/rcon`, { port: 27_020, password: 'a password' })
    const reward = () =>
      call(manager, 'PUT', `/servers/${owned.id}/vote-rewards`, { when: 'vote', commands: ['op {username}'] })
    expect([(await configure()).status, (await reward()).status]).toEqual([403, 403])
    expect((await call(manager, 'POST', `/servers/${owned.id}/rcon`, { command: 'status' })).status).toBe(403)
    expect((await call(manager, 'GET', `/servers/${owned.id}/vote-rewards`)).status).toBe(200)
    const path = `/servers/${owned.id}/members/${manager.id}`
    const allowed = await call(owned.owner, 'PATCH', path, { mayUseRcon: true })
    expect(allowed.body).toMatchObject({ role: 'manager', mayUseRcon: true })
    expect([(await configure()).status, (await reward()).status]).toEqual([200, 200])
    expect((await call(owned.owner, 'PATCH', path, { role: 'viewer' })).body).toMatchObject({ mayUseRcon: false })
    expect((await configure()).status).toBe(403)
    for (const change of [{ role: 'viewer', mayUseRcon: true }, { mayUseRcon: true }])
      expect(await call(owned.owner, 'PATCH', path, change)).toMatchObject({
        status: 400,
        body: { details: [{ path: 'body.mayUseRcon', message: 'can only be allowed to a manager' }] },
      })
  })

  it('a viewer reads votes and the listing, which says so, and changes nothing', async () => {
    const owned = await list()
    const viewer = await join(owned, 'viewer')
    expect((await call(viewer, 'GET', `/servers/${owned.id}/votes`)).status).toBe(200)
    const { body } = await call(viewer, 'GET', `/servers/${owned.id}/listing`)
    expect(body).toMatchObject({ role: 'viewer', rights: ['read'] })
    for (const path of ['endpoints', 'vote-key', 'vote-rewards', 'rcon'])
      expect((await call(viewer, 'GET', `/servers/${owned.id}/${path}`)).status).toBe(403)
    expect((await edit(viewer, owned.id)).status).toBe(403)
    expect((await team(viewer, owned.id)).members.map(({ role }) => role)).toEqual(['owner', 'viewer'])
  })

  it('a hidden server is none for strangers, and stays one for its members', async () => {
    const owned = await list()
    const manager = await join(owned, 'manager')
    await pool.query('update servers set hidden_at = now() where id = $1', [owned.id])
    expect((await edit(await addNamed(), owned.id)).status).toBe(404)
    expect((await edit(manager, owned.id)).status).toBe(200)
  })

  it('servers of others are listed apart, and count for their owner only', async () => {
    const owned = await list()
    const manager = await join(owned, 'manager')
    expect((await call(manager, 'GET', '/user/servers')).body).toMatchObject({ servers: [] })
    expect((await call(manager, 'GET', '/user/memberships')).body).toMatchObject({
      servers: [{ id: owned.id, role: 'manager', mayUseRcon: false }],
      pagination: { total: 1 },
    })
    for (let n = 0; n < 4; n++) await list(manager)
    expect((await call(manager, 'POST', '/servers', serverFields())).body.error).toBe('too_many_listings')
  })
})

describe('invitations', () => {
  it('by mail say the same whether or not an account has the address, and wait for its confirmation', async () => {
    const owned = await list()
    const known = await addPerson(pool)
    await pool.query('update users set email_verified_at = null where id = $1', [known.id])
    const toKnown = await invite(owned.owner, owned.id, { email: `${known.id}@example.com`, role: 'manager' })
    const toUnknown = await invite(owned.owner, owned.id, { email: `${randomUUID()}@example.com`, role: 'manager' })
    const shapeOf = ({ status, body }: typeof toKnown) => ({ status, keys: Object.keys(body), username: body.username })
    expect(shapeOf(toKnown)).toEqual(shapeOf(toUnknown))
    for (const { body } of [toKnown, toUnknown])
      expect(await mailsOf('server-invitation', 'invitationId', String(body.id))).toBe(1)
    expect(await received(known)).toEqual([])
    expect((await accept(known, toKnown.body.id)).status).toBe(404)
    await pool.query('update users set email_verified_at = now() where id = $1', [known.id])
    expect(await received(known)).toMatchObject([{ id: toKnown.body.id, role: 'manager', serverId: owned.id }])
    expect((await accept(known, toKnown.body.id)).status).toBe(200)
  })

  it('are written in English and German, with nothing that users typed but the server’s name', async () => {
    const owned = await list()
    const email = `${randomUUID()}@example.com`
    const { body } = await invite(owned.owner, owned.id, { email, role: 'manager' })
    const mail = await writeInvitation(api.deps, { invitationId: String(body.id) })
    expect(mail).toMatchObject({ to: email })
    expect(mail?.text).toMatch(/you are invited to manage[\s\S]*du bist eingeladen/)
    expect(mail?.text).not.toContain('Person')
    await call(owned.owner, 'DELETE', `/servers/${owned.id}/invitations/${body.id}`)
    expect(await writeInvitation(api.deps, { invitationId: String(body.id) })).toBeUndefined()
  })

  it('by name need a name that one other account has, who is not a member', async () => {
    const owned = await list()
    const member = await join(owned, 'viewer')
    const [one, two] = [await addNamed(), await addNamed()]
    await pool.query('update users set username = $2 where id = $1', [two.id, one.username])
    const { rows } = await pool.query('select username from users where id = $1', [owned.owner.id])
    for (const username of [one.username, 'Without an account', rows[0]?.username])
      expect((await invite(owned.owner, owned.id, { username })).body.error).toBe('validation_failed')
    expect((await invite(owned.owner, owned.id, { username: member.username })).body.error).toBe('already_member')
    expect((await invite(owned.owner, owned.id, {})).status).toBe(400)
    expect((await invite(owned.owner, owned.id, { username: 'A name', email: 'a@example.com' })).status).toBe(400)
    expect((await invite(owned.owner, owned.id, { email: `${owned.owner.id}@example.com` })).status).toBe(400)
  })

  it('expire, are replaced by the next, are withdrawn and declined', async () => {
    const owned = await list()
    const [person, another] = [await addNamed(), await addNamed()]
    const first = await invite(owned.owner, owned.id, { username: person.username })
    const second = await invite(owned.owner, owned.id, { username: person.username, role: 'manager' })
    expect((await accept(person, first.body.id)).status).toBe(404)
    expect((await accept(another, second.body.id)).status).toBe(404)
    await pool.query('update server_invitations set expires_at = now() where id = $1', [second.body.id])
    expect((await accept(person, second.body.id)).status).toBe(404)
    expect((await team(owned.owner, owned.id)).invitations).toEqual([])
    await runTeamsUpkeep(api.deps)
    expect((await pool.query('select from server_invitations where server_id = $1', [owned.id])).rowCount).toBe(0)

    const third = await invite(owned.owner, owned.id, { username: person.username })
    expect((await call(person, 'POST', `/user/invitations/${third.body.id}/decline`)).status).toBe(200)
    expect((await accept(person, third.body.id)).status).toBe(404)
    const fourth = await invite(owned.owner, owned.id, { username: person.username })
    expect((await call(owned.owner, 'DELETE', `/servers/${owned.id}/invitations/${fourth.body.id}`)).status).toBe(200)
    expect((await accept(person, fourth.body.id)).status).toBe(404)
  })

  it('to one person by name and by address do not outlive the first that is accepted', async () => {
    const owned = await list()
    const member = await addNamed()
    const email = `${member.id}@example.com`
    await pool.query('update users set email = $2, email_verified_at = now() where id = $1', [member.id, email])
    const byAddress = await invite(owned.owner, owned.id, { email, role: 'manager', mayUseRcon: true })
    const byName = await invite(owned.owner, owned.id, { username: member.username, role: 'viewer' })
    expect((await accept(member, byName.body.id)).status).toBe(200)
    expect((await accept(member, byAddress.body.id)).status).toBe(404)
    expect((await remove(owned.owner, owned.id, member)).status).toBe(200)
    expect(await received(member)).toEqual([])
  })

  it('to an address stay when a member is changed to what they are: their end would tell whose address it is', async () => {
    const owned = await list()
    const member = await join(owned, 'viewer')
    const email = `${member.id}@example.com`
    await pool.query('update users set email = $2, email_verified_at = now() where id = $1', [member.id, email])
    await invite(owned.owner, owned.id, { email })
    for (const change of [{}, { role: 'viewer' }, { mayUseRcon: false }])
      expect((await call(owned.owner, 'PATCH', `/servers/${owned.id}/members/${member.id}`, change)).status).toBe(200)
    expect((await team(owned.owner, owned.id)).invitations).toMatchObject([{ email }])
    await call(owned.owner, 'PATCH', `/servers/${owned.id}/members/${member.id}`, { role: 'manager' })
    expect((await team(owned.owner, owned.id)).invitations).toEqual([])
  })

  it('to an address that a member has not confirmed end when the owner removes the member or changes the role', async () => {
    for (const change of [
      remove,
      (by: Person, id: string, { id: userId }: Person) =>
        call(by, 'PATCH', `/servers/${id}/members/${userId}`, { mayUseRcon: false }),
    ]) {
      const owned = await list()
      const member = await addNamed()
      const email = `${member.id}@example.com`
      await pool.query('update users set email = $2, email_verified_at = null where id = $1', [member.id, email])
      const byAddress = await invite(owned.owner, owned.id, { email, role: 'manager' })
      const byName = { username: member.username, role: 'manager', mayUseRcon: true }
      expect((await accept(member, (await invite(owned.owner, owned.id, byName)).body.id)).status).toBe(200)
      expect((await team(owned.owner, owned.id)).invitations).toMatchObject([{ email }])
      expect((await change(owned.owner, owned.id, member)).status).toBe(200)
      await pool.query('update users set email_verified_at = now() where id = $1', [member.id])
      expect((await accept(member, byAddress.body.id)).status).toBe(404)
      expect(await received(member)).toEqual([])
    }
  })

  it('of a banned owner wait for the end of the ban', async () => {
    const owned = await list()
    const member = await join(owned, 'manager')
    const { body } = await offer(owned.owner, owned.id, member)
    await pool.query('update users set banned_at = now() where id = $1', [owned.owner.id])
    expect(await received(member)).toEqual([])
    expect((await accept(member, body.id, { keepSecrets: true, keepTeam: true })).status).toBe(404)
    await pool.query('update users set banned_at = null where id = $1', [owned.owner.id])
    expect((await accept(member, body.id, { keepSecrets: true, keepTeam: true })).status).toBe(200)
  })

  it('are bounded, also with simultaneous requests', async () => {
    const owned = await list()
    await pool.query(
      `insert into server_invitations (id, server_id, owner_id, email, role, expires_at)
       select gen_random_uuid(), $1, $2, n || '@example.com', 'viewer', now() + interval '1 day' from generate_series(1, 28) as n`,
      [owned.id, owned.owner.id],
    )
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) => invite(owned.owner, owned.id, { email: `n${n}@example.com` })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 400, 400, 400, 400])
  })

  it('by name to an account without a confirmed address leave its mailbox’s mails to those by address', async () => {
    const person = await addNamed()
    await pool.query('update users set email_verified_at = null where id = $1', [person.id])
    for (let n = 0; n < 3; n++) {
      const owned = await list()
      const { body } = await invite(owned.owner, owned.id, { username: person.username })
      expect(await mailsOf('server-invitation', 'invitationId', String(body.id))).toBe(0)
    }
    const owned = await list()
    const { body } = await invite(owned.owner, owned.id, { email: `${person.id}@example.com` })
    expect(await mailsOf('server-invitation', 'invitationId', String(body.id))).toBe(1)
  })

  it('and offers that wait for the deletion of the account are refused', async () => {
    const [owned, another] = [await list(), await list()]
    const [invited, manager] = [await addNamed(), await join(another, 'manager')]
    const deletion = await pool.connect()
    try {
      await deletion.query('begin')
      await deletion.query('delete from users where id = any($1::uuid[])', [[invited.id, manager.id]])
      const inviting = invite(owned.owner, owned.id, { username: invited.username })
      const offering = offer(another.owner, another.id, manager)
      await expect.poll(() => countLockWaits(pool)).toBe(2)
      await deletion.query('commit')
      expect(await inviting).toMatchObject({ status: 400, body: { details: [{ path: 'body.username' }] } })
      expect(await offering).toMatchObject({ status: 404 })
    } finally {
      deletion.release()
    }
  })

  it('may be replaced in a full team', async () => {
    const owned = await list()
    const person = await addNamed()
    await invite(owned.owner, owned.id, { username: person.username })
    await invite(owned.owner, owned.id, { email: 'replaced@example.com' })
    await pool.query(
      `insert into server_invitations (id, server_id, owner_id, email, role, expires_at)
       select gen_random_uuid(), $1, $2, n || '@example.com', 'viewer', now() + interval '1 day' from generate_series(1, 28) as n`,
      [owned.id, owned.owner.id],
    )
    expect((await invite(owned.owner, owned.id, { email: 'another@example.com' })).body.error).toBe('team_full')
    for (const recipient of [{ username: person.username }, { email: 'replaced@example.com' }])
      expect((await invite(owned.owner, owned.id, { ...recipient, role: 'manager' })).status).toBe(201)
    expect((await team(owned.owner, owned.id)).invitations).toHaveLength(30)
  })

  it('are in the notifications of an invited account', async () => {
    const owned = await list()
    const person = await addNamed()
    await invite(owned.owner, owned.id, { username: person.username })
    const { rowCount } = await pool.query(
      `select from pgboss.job where name = 'notify' and data ->> 'userId' = $1 and data ->> 'event' = 'serverInvitation'`,
      [person.id],
    )
    expect(rowCount).toBe(1)
  })
})

describe('the end of a membership', () => {
  it('takes the right from sessions and keys with the next request', async () => {
    const owned = await list()
    const manager = await join(owned, 'manager')
    const key = bearer(await createKey(api, manager))
    expect((await edit(key, owned.id)).status).toBe(200)
    expect((await remove(owned.owner, owned.id, manager)).status).toBe(200)
    expect((await edit(key, owned.id)).status).toBe(403)
    expect((await edit(manager, owned.id)).status).toBe(403)
    expect((await remove(owned.owner, owned.id, manager)).status).toBe(404)
  })

  it('is a member’s own choice, but not about other members', async () => {
    const owned = await list()
    const [manager, viewer] = [await join(owned, 'manager'), await join(owned, 'viewer')]
    expect((await remove(manager, owned.id, viewer)).status).toBe(403)
    expect((await remove(viewer, owned.id, viewer)).status).toBe(200)
    expect((await remove(owned.owner, owned.id, owned.owner)).status).toBe(404)
    expect((await audited(owned.id)).at(-1)).toEqual({ action: 'server.member.remove', actorId: viewer.id })
  })

  it('comes with another owner: by a claim, an administrator, or the deletion of the owner’s account', async () => {
    const admin = await addPerson(pool, { isAdmin: true })
    const next = await addNamed()
    const checks = createClaimChecks({ pool, jobs: api.deps.jobs })
    const prove = async (id: string) => {
      const { body } = await call(next, 'POST', `/servers/${id}/claim`)
      await pool.query('update servers set is_verified = false where id = $1', [id])
      const { askedAt } = await readPendingTokens(pool, [id])
      const token = String(body.verificationToken)
      await inTransaction(pool, (tx) => checks.record(tx, toChecks([token], [token]), { askedAt }))
    }
    const ways: { change: (owned: { owner: Person; id: string }) => Promise<unknown>; isNotified: boolean }[] = [
      { change: ({ id }) => prove(id), isNotified: true },
      { change: ({ id }) => call(admin, 'PATCH', `/admin/servers/${id}`, { ownerId: next.id }), isNotified: true },
      { change: ({ owner }) => call(admin, 'DELETE', `/admin/users/${owner.id}`), isNotified: true },
      // As a process of an earlier release does it.
      {
        change: ({ id }) => pool.query('update servers set owner_id = $2 where id = $1', [id, next.id]),
        isNotified: false,
      },
    ]
    for (const { change, isNotified } of ways) {
      const owned = await list()
      const manager = await join(owned, 'manager')
      const invited = await addNamed()
      const { body } = await invite(owned.owner, owned.id, { username: invited.username })
      await pool.query(`delete from pgboss.job where name = 'notify'`)
      await change(owned)
      expect(await ownerOf(owned.id)).not.toBe(owned.owner.id)
      expect((await edit(manager, owned.id)).status).toBe(403)
      expect((await accept(invited, body.id)).status).toBe(404)
      expect((await call(manager, 'GET', '/user/memberships')).body).toMatchObject({ servers: [] })
      const { rows } = await pool.query(
        `select data->>'event' as event, data->'userIds'->>0 as "userId" from pgboss.job
         where name = 'notify' and data->>'serverId' = $1 order by 1 desc`,
        [owned.id],
      )
      const notices = [
        { event: 'serverMemberRemoved', userId: manager.id },
        { event: 'serverInvitationWithdrawn', userId: invited.id },
      ]
      expect(rows).toEqual(isNotified ? notices : [])
    }
  })

  it('is no news for a member who becomes the owner', async () => {
    const admin = await addPerson(pool, { isAdmin: true })
    const owned = await list()
    const manager = await join(owned, 'manager')
    await pool.query(`delete from pgboss.job where name = 'notify'`)
    const change = await call(admin, 'PATCH', `/admin/servers/${owned.id}`, { ownerId: manager.id })
    expect(change.status).toBe(200)
    expect((await pool.query(`select from pgboss.job where name = 'notify'`)).rowCount).toBe(0)
  })

  it('comes with the deletion of the member’s account', async () => {
    const owned = await list()
    const manager = await join(owned, 'manager')
    expect((await call(manager, 'DELETE', '/user', {})).status).toBe(200)
    expect((await team(owned.owner, owned.id)).members).toHaveLength(1)
  })
})

describe('a hand-over', () => {
  async function offered(owner?: Person) {
    const owned = await list(owner)
    const next = await join(owned, 'manager')
    const viewer = await join(owned, 'viewer')
    const hook = { kind: 'standard', url: 'https://owner.example/', events: ['vote.created'] }
    await call(owned.owner, 'POST', `/servers/${owned.id}/endpoints`, hook)
    await call(owned.owner, 'PUT', `/servers/${owned.id}/rcon`, { port: 27_020, password: 'a password' })
    await call(owned.owner, 'POST', `/servers/${owned.id}/vote-key`)
    await call(owned.owner, 'PUT', `/servers/${owned.id}/vote-rewards`, { when: 'vote', commands: ['give {username}'] })
    const { status, body } = await offer(owned.owner, owned.id, next)
    expect(status).toBe(201)
    await voteOnce(api, owned.id, { username: 'Ann' })
    await pool.query(
      `update vote_rewards set started_at = now(), settled_at = now(), outcome = 'answered', commands = '{give Ann}', commands_run = 1
       where server_id = $1`,
      [owned.id],
    )
    return { ...owned, next, viewer, invitationId: String(body.id) }
  }

  const secretsOf = async (by: Person, id: string) => {
    const get = async (path: string) => (await call(by, 'GET', `/servers/${id}/${path}`)).body
    const [endpoints, keys] = [await get('endpoints'), await get('vote-key')]
    return {
      endpoints: (endpoints.endpoints as object[]).length,
      keys: (keys.keys as object[]).length,
      rcon: (await get('rcon')).isConfigured,
      rewards: (await get('vote-rewards')).isEnabled,
      log: ((await get('vote-rewards/log')).rewards as { commands: string[] }[]).map(({ commands }) => commands),
    }
  }

  it('needs both: an offer changes nothing, and the new owner says what stays', async () => {
    const { owner, id, next, viewer, invitationId } = await offered()
    expect(await ownerOf(id)).toBe(owner.id)
    expect((await accept(viewer, invitationId)).status).toBe(404)
    expect(await received(next)).toMatchObject([{ id: invitationId, role: 'owner' }])
    expect((await accept(next, invitationId)).body).toEqual({ serverId: id, role: 'owner' })
    expect(await ownerOf(id)).toBe(next.id)
    expect(await secretsOf(next, id)).toEqual({ endpoints: 0, keys: 0, rcon: false, rewards: false, log: [[]] })
    expect((await team(next, id)).members.map(({ userId }) => userId)).toEqual([next.id])
    expect((await edit(owner, id)).status).toBe(403)
    expect((await edit(viewer, id)).status).toBe(403)
    expect((await audited(id)).slice(-2)).toEqual([
      { action: 'server.handover.offer', actorId: owner.id },
      { action: 'server.handover', actorId: next.id },
    ])
    const { isVerified } = (await call(next, 'GET', `/servers/${id}/listing`)).body
    expect(isVerified).toBe(true)
    expect(await mailsOf('server-handed-over', 'userId', owner.id)).toBe(1)
    const mail = await writeHandedOver(api.deps, { userId: owner.id, serverId: id })
    expect(mail?.text).toContain('hat dein Angebot angenommen')
  })

  it('keeps secrets and the team if the new owner says so; the former owner then is a manager', async () => {
    const { owner, id, next, viewer, invitationId } = await offered()
    expect((await accept(next, invitationId, { keepSecrets: true, keepTeam: true })).status).toBe(200)
    expect(await secretsOf(next, id)).toEqual({ endpoints: 1, keys: 1, rcon: true, rewards: true, log: [['give Ann']] })
    const roles = (await team(next, id)).members.map(({ userId, role, mayUseRcon }) => [userId, role, mayUseRcon])
    expect(roles).toEqual([
      [next.id, 'owner', true],
      [viewer.id, 'viewer', false],
      [owner.id, 'manager', false],
    ])
    expect((await edit(owner, id)).status).toBe(200)
    expect((await call(owner, 'POST', `/servers/${id}/rcon`, { command: 'status' })).status).toBe(403)
  })

  it('ends with the membership, and is for members only', async () => {
    const { owner, id, next, invitationId } = await offered()
    await remove(owner, id, next)
    expect((await accept(next, invitationId)).status).toBe(404)
    expect((await offer(owner, id, next)).status).toBe(404)
    expect((await offer(owner, id, owner)).status).toBe(404)
    const admin = await addPerson(pool, { isAdmin: true })
    expect((await offer(admin, id, next)).status).toBe(403)
  })

  it('needs a place among the servers of the new owner', async () => {
    const { owner, id, next, invitationId } = await offered()
    for (let n = 0; n < 4; n++) await list(next)
    expect((await accept(next, invitationId)).body.error).toBe('too_many_listings')
    expect(await ownerOf(id)).toBe(owner.id)
    expect(await received(next)).toHaveLength(1)
  })
})

describe('at once', () => {
  const TIMES = 12

  it('two answers to one invitation: one counts', async () => {
    for (let n = 0; n < TIMES; n++) {
      const owned = await list()
      const person = await addNamed()
      const { body } = await invite(owned.owner, owned.id, { username: person.username, role: 'manager' })
      const [accepted, other, withdrawn] = await Promise.all([
        accept(person, body.id),
        accept(person, body.id),
        call(owned.owner, 'DELETE', `/servers/${owned.id}/invitations/${body.id}`),
      ])
      const statuses = [accepted.status, other.status, withdrawn.status]
      expect(statuses.sort()).toEqual([200, 404, 404])
      const isMember = (await team(owned.owner, owned.id)).members.length === 2
      expect((await edit(person, owned.id)).status).toBe(isMember ? 200 : 403)
    }
  })

  it('an edit and the removal of who makes it: it happened before, or it fails', async () => {
    for (let n = 0; n < TIMES; n++) {
      const owned = await list()
      const manager = await join(owned, 'manager')
      const key = bearer(await createKey(api, manager))
      const edits = Array.from({ length: 4 }, () => edit(key, owned.id))
      await Promise.all([...edits, remove(owned.owner, owned.id, manager)])
      const actions = (await audited(owned.id)).map(({ action }) => action)
      expect(actions.at(-1)).toBe('server.member.remove')
      for (const { status } of await Promise.all(edits)) expect([200, 403]).toContain(status)
    }
  })

  it('a hand-over and the removal of the next owner: one of both happens', async () => {
    for (let n = 0; n < TIMES; n++) {
      const owned = await list()
      const next = await join(owned, 'manager')
      const { body } = await offer(owned.owner, owned.id, next)
      const [accepted, removed] = await Promise.all([accept(next, body.id), remove(owned.owner, owned.id, next)])
      expect([accepted.status, removed.status].sort()).toEqual(accepted.status === 200 ? [200, 403] : [200, 404])
      expect(await ownerOf(owned.id)).toBe(accepted.status === 200 ? next.id : owned.owner.id)
    }
  })

  it('two hand-overs: the server always has exactly one owner, who accepted', async () => {
    for (let n = 0; n < TIMES; n++) {
      const owned = await list()
      const [one, two] = [await join(owned, 'manager'), await join(owned, 'manager')]
      const offers = await Promise.all([offer(owned.owner, owned.id, one), offer(owned.owner, owned.id, two)])
      const open = (await team(owned.owner, owned.id)).invitations
      expect(open).toHaveLength(1)
      const answers = await Promise.all([accept(one, offers[0].body.id), accept(two, offers[1].body.id)])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
      expect(await ownerOf(owned.id)).toBe(answers[0].status === 200 ? one.id : two.id)
    }
  })

  it('a hand-over and the deletion of either account end without an error', async () => {
    for (let n = 0; n < TIMES; n++) {
      const owned = await list()
      const next = await join(owned, 'manager')
      const { body } = await offer(owned.owner, owned.id, next)
      const leaving = n % 2 ? owned.owner : next
      const [accepted, deleted] = await Promise.all([
        accept(next, body.id, { keepTeam: true, keepSecrets: true }),
        call(leaving, 'DELETE', '/user', {}),
      ])
      expect(deleted.status).toBe(200)
      expect([200, 401, 404]).toContain(accepted.status)
      const owner = await ownerOf(owned.id)
      expect([owned.owner.id, next.id, null].filter((id) => id !== leaving.id)).toContain(owner)
    }
  })
})
