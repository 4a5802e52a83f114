// What a team learns of itself: the audit log that its owner and managers see, and who is notified of
// changes of the team.
import { expect, it } from 'vitest'
import { startTestApi } from '../../support/api.ts'
import { addPerson, type Person } from '../../support/people.ts'
import { handleWaitingNotices } from '../notifications/support.ts'
import { callerOf, serverFields } from '../servers/support.ts'

const api = await startTestApi()
const { pool } = api.database
const call = callerOf(api)

async function addNamed(username: string): Promise<Person & { username: string }> {
  const person = await addPerson(pool)
  const unique = `${username} ${person.id.slice(-12)}`
  await pool.query('update users set username = $2 where id = $1', [person.id, unique])
  return { ...person, username: unique }
}
type Named = Awaited<ReturnType<typeof addNamed>>

async function list() {
  const owner = await addNamed('Owner')
  const { body } = await call(owner, 'POST', '/servers', serverFields({ name: 'Nordland' }))
  return { owner, id: (body.server as { id: string }).id }
}
type Owned = Awaited<ReturnType<typeof list>>

const invite = async ({ owner, id }: Owned, body: object) =>
  String((await call(owner, 'POST', `/servers/${id}/members`, body)).body.id)

async function join(owned: Owned, role: string, name = 'Member') {
  const member = await addNamed(name)
  const invitationId = await invite(owned, { username: member.username, role })
  await call(member, 'POST', `/user/invitations/${invitationId}/accept`, {})
  return member
}

interface Entry {
  action: string
  actorUsername: string | null
  memberUsername: string | null
  role: string | null
  fields: string[]
}
const logFor = async (person: Person, id: string) =>
  (await call(person, 'GET', `/servers/${id}/audit`)).body.entries as Entry[]

/** Runs the notices that wait, as a worker does. @returns the user's notifications, oldest first */
async function notifiedOf(person: Person): Promise<string[]> {
  await handleWaitingNotices(api.deps)
  const { body } = await call(person, 'GET', '/user/notifications')
  return (body.notifications as { event: string; message: string }[])
    .filter(({ event }) => event !== 'serverInvitation')
    .map(({ message }) => message)
    .reverse()
}

it('owner and managers see who did what and when, without values; viewers and strangers do not', async () => {
  const owned = await list()
  const [manager, viewer] = [await join(owned, 'manager'), await join(owned, 'viewer')]
  await call(manager, 'PATCH', `/servers/${owned.id}`, { description: 'a secret plan' })
  await call(owned.owner, 'PUT', `/servers/${owned.id}/rcon`, { port: 27_020, password: 'the password' })
  const [rcon, change] = await logFor(owned.owner, owned.id)
  expect(rcon).toMatchObject({ action: 'rcon.configure', actorUsername: owned.owner.username, fields: [] })
  expect(change).toMatchObject({
    action: 'server.update',
    actorUsername: manager.username,
    fields: expect.arrayContaining(['description']),
  })
  const reply = JSON.stringify((await call(owned.owner, 'GET', `/servers/${owned.id}/audit`)).body)
  for (const secret of ['a secret plan', 'the password', '@example.com']) expect(reply).not.toContain(secret)
  expect((await logFor(manager, owned.id)).map(({ action }) => action)).toEqual([
    'rcon.configure',
    'server.update',
    'server.member.join',
    'server.member.join',
  ])
  for (const other of [viewer, await addNamed('Stranger')])
    expect((await call(other, 'GET', `/servers/${owned.id}/audit`)).status).toBe(403)
})

it('memberships are listed with the member’s name, invitations by address without the address', async () => {
  const owned = await list()
  const member = await join(owned, 'manager')
  await call(owned.owner, 'PATCH', `/servers/${owned.id}/members/${member.id}`, { role: 'viewer' })
  await call(owned.owner, 'DELETE', `/servers/${owned.id}/members/${member.id}`)
  await invite(owned, { email: 'person@example.com', role: 'viewer' })
  const { username } = member
  const by = { actorUsername: owned.owner.username }
  expect(await logFor(owned.owner, owned.id)).toMatchObject([
    { ...by, action: 'server.member.invite', memberUsername: null, role: 'viewer' },
    { ...by, action: 'server.member.remove', memberUsername: username },
    { ...by, action: 'server.member.change', memberUsername: username, role: 'viewer' },
    { action: 'server.member.join', actorUsername: username, role: 'manager' },
    { ...by, action: 'server.member.invite', memberUsername: username, role: 'manager' },
  ])
})

it('administrators act without a name, and a new owner does not see what the former team did', async () => {
  const owned = await list()
  await join(owned, 'manager')
  const [admin, next] = [await addPerson(pool, { isAdmin: true }), await addNamed('Next')]
  await call(admin, 'PATCH', `/servers/${owned.id}`, { description: 'cleaned' })
  expect((await logFor(owned.owner, owned.id))[0]).toMatchObject({ action: 'server.update', actorUsername: null })
  await call(admin, 'PATCH', `/admin/servers/${owned.id}`, { ownerId: next.id })
  expect(await logFor(next, owned.id)).toMatchObject([
    { action: 'server.update', actorUsername: null, fields: ['ownerId'] },
  ])
})

it('a new owner by hand-over keeps the log', async () => {
  const owned = await list()
  const next = await join(owned, 'manager')
  const { body } = await call(owned.owner, 'POST', `/servers/${owned.id}/handover`, { userId: next.id })
  await call(next, 'POST', `/user/invitations/${body.id}/accept`, {})
  expect(await logFor(next, owned.id)).toMatchObject([
    { action: 'server.handover', actorUsername: next.username, role: 'owner' },
    { action: 'server.handover.offer', actorUsername: owned.owner.username, memberUsername: next.username },
    { action: 'server.member.join' },
    { action: 'server.member.invite', actorUsername: owned.owner.username },
  ])
})

it('members who join, leave and are removed: each of them, or the owner, is notified once', async () => {
  const owned = await list()
  const [leaves, removed] = [await join(owned, 'manager', 'Ann'), await join(owned, 'viewer', 'Ben')]
  await call(leaves, 'DELETE', `/servers/${owned.id}/members/${leaves.id}`)
  await call(owned.owner, 'DELETE', `/servers/${owned.id}/members/${removed.id}`)
  expect(await notifiedOf(removed)).toEqual([
    'You are no longer a member of the team of Nordland. Your API keys can’t use it any more either.',
  ])
  expect(await notifiedOf(leaves)).toEqual([])
  const notified = await notifiedOf(owned.owner)
  expect(notified).toContain(`${leaves.username} no longer works on Nordland.`)
  expect(notified.join()).toContain('works on Nordland now, as its viewer.')
})

it('an invitation that is withdrawn is reported to the account that could see it, also by its confirmed address', async () => {
  const owned = await list()
  const [named, mailed, unproven] = [await addNamed('Named'), await addNamed('Mailed'), await addNamed('Unproven')]
  await pool.query('update users set email_verified_at = null where id = $1', [unproven.id])
  const withdraw = async (body: object) =>
    call(owned.owner, 'DELETE', `/servers/${owned.id}/invitations/${await invite(owned, body)}`)
  await withdraw({ username: named.username })
  await withdraw({ email: `${mailed.id}@example.com` })
  await withdraw({ email: `${unproven.id}@example.com` })
  for (const person of [named, mailed])
    expect(await notifiedOf(person)).toEqual(['You are no longer invited to work on Nordland.'])
  expect(await notifiedOf(unproven)).toEqual([])
})

it('an offer that another one replaces is reported to who had it', async () => {
  const owned = await list()
  const [first, second] = [await join(owned, 'manager'), await join(owned, 'viewer')]
  for (const { id } of [first, second, second])
    expect((await call(owned.owner, 'POST', `/servers/${owned.id}/handover`, { userId: id })).status).toBe(201)
  expect(await notifiedOf(first)).toEqual(['Nordland is no longer offered to you.'])
  expect(await notifiedOf(second)).toEqual([])
})

it('who declines is reported to the owner: an invitation and a hand-over', async () => {
  const owned = await list()
  const invited = await addNamed('Ann')
  const invitationId = await invite(owned, { username: invited.username })
  await call(invited, 'POST', `/user/invitations/${invitationId}/decline`)
  expect(await notifiedOf(owned.owner)).toEqual([`${invited.username} does not want to work on Nordland.`])
  const next = await join(owned, 'manager')
  const { body } = await call(owned.owner, 'POST', `/servers/${owned.id}/handover`, { userId: next.id })
  await call(next, 'POST', `/user/invitations/${body.id}/decline`)
  expect((await notifiedOf(owned.owner)).join()).toContain(
    `${next.username} does not want to take over Nordland: it stays yours.`,
  )
})

it('who declines an invitation to an address stays unknown, also if it is a member’s', async () => {
  const owned = await list()
  const [stranger, member] = [await addNamed('Ann'), await join(owned, 'viewer')]
  for (const person of [stranger, member]) {
    const invitationId = await invite(owned, { email: `${person.id}@example.com` })
    expect((await call(person, 'POST', `/user/invitations/${invitationId}/decline`)).status).toBe(200)
  }
  expect(await notifiedOf(owned.owner)).toContain('A user does not want to work on Nordland.')
  expect(
    (
      await pool.query('select data from notifications where event = $1 and user_id = $2', [
        'serverInvitationDeclined',
        owned.owner.id,
      ])
    ).rows,
  ).toMatchObject([{ data: { role: 'viewer' } }])
  const declined = (await logFor(owned.owner, owned.id)).filter(({ action }) => action === 'server.invitation.decline')
  expect(declined).toMatchObject([{ actorUsername: null }, { actorUsername: null }])
})

it.each([
  [false, 'are notified that they no longer are'],
  [true, 'are not notified, since they stay'],
])('a hand-over is reported to the former owner; with keepTeam %s members %s', async (keepTeam) => {
  const owned = await list()
  const [next, member, invited] = [await join(owned, 'manager'), await join(owned, 'viewer'), await addNamed('Invited')]
  await invite(owned, { username: invited.username })
  const { body } = await call(owned.owner, 'POST', `/servers/${owned.id}/handover`, { userId: next.id })
  await call(next, 'POST', `/user/invitations/${body.id}/accept`, { keepTeam })
  expect((await notifiedOf(owned.owner)).at(-1)).toBe(
    `${next.username} has accepted your offer: Nordland is theirs now.`,
  )
  expect((await notifiedOf(member)).length).toBe(keepTeam ? 0 : 1)
  expect(await notifiedOf(invited)).toEqual(['You are no longer invited to work on Nordland.'])
  expect(await notifiedOf(next)).toEqual([])
  // The former owner has a mail of its own for this.
  const { rows } = await pool.query('select channel, event from pending_notices where user_id = $1', [owned.owner.id])
  expect(rows).not.toContainEqual({ channel: 'email', event: 'serverHandedOver' })
})

it('of members who have deleted their accounts neither names nor ids are left, also in notices that wait meanwhile', async () => {
  const owned = await list()
  const [ann, ben, stays] = [
    await join(owned, 'viewer', 'Ann'),
    await join(owned, 'viewer', 'Ben'),
    await join(owned, 'viewer', 'Cem'),
  ]
  await call(ann, 'DELETE', `/servers/${owned.id}/members/${ann.id}`)
  expect(await notifiedOf(owned.owner)).toHaveLength(4)
  await call(ben, 'DELETE', `/servers/${owned.id}/members/${ben.id}`)
  for (const member of [ann, ben]) expect((await call(member, 'DELETE', '/user', {})).status).toBe(200)
  expect((await notifiedOf(owned.owner)).sort()).toEqual([
    ...['A user no longer works on Nordland.', 'A user no longer works on Nordland.'],
    ...['A user works on Nordland now, as its viewer.', 'A user works on Nordland now, as its viewer.'],
    `${stays.username} works on Nordland now, as its viewer.`,
  ])
  const left = [ann, ben].flatMap(({ id, username }) => [`%${id}%`, `%${username}%`])
  for (const table of ['notifications', 'pending_notices'])
    expect((await pool.query(`select from ${table} as one where one::text like any($1)`, [left])).rowCount).toBe(0)
})

it('the names of others can’t change the lines of messages', async () => {
  const owned = await list()
  const leaves: Named = await join(owned, 'viewer')
  await pool.query('update users set username = $2 where id = $1', [leaves.id, 'Ann\nYour password\u202e expired'])
  await call(leaves, 'DELETE', `/servers/${owned.id}/members/${leaves.id}`)
  expect((await notifiedOf(owned.owner)).join()).toContain('Ann Your password expired no longer works on Nordland.')
})
