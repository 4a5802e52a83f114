// Owners create, read, change and remove servers, and other users can't.
import { afterAll, expect, test } from 'vitest'
import { enqueueDue, findTargets, type PollBatch, poll } from '../../../src/features/polling/index.ts'
import { setHidden } from '../../../src/features/servers/index.ts'
import { startTestApi } from '../../support/api.ts'
import { addPerson } from '../../support/people.ts'
import { bearer, createKey } from '../api-keys/support.ts'
import { callerOf, serverFields } from './support.ts'

const api = await startTestApi()
const { pool } = api.database
const call = callerOf(api)
const [owner, stranger, admin] = [
  await addPerson(pool),
  await addPerson(pool),
  await addPerson(pool, { isAdmin: true }),
]

const create = async (fields: Record<string, unknown> = {}, by: Parameters<typeof call>[0] = owner) => {
  const { status, body } = await call(by, 'POST', '/servers', serverFields(fields))
  expect(status).toBe(201)
  return (body as { server: { id: string } }).server.id
}
const audited = async (id: string) =>
  (await pool.query('select actor_id, action from audit_log where target_id = $1 order by id', [id])).rows

test('creating a server lists it as the caller’s, unproven, with a claim, and due for a poll', async () => {
  const { status, body } = await call(
    owner,
    'POST',
    '/servers',
    serverFields({ name: 'Mine', ipAddress: 'Play.Example.com' }),
  )
  expect(status).toBe(201)
  const { id } = (body as { server: { id: string } }).server
  expect(body).toEqual({
    server: { id, name: 'Mine' },
    verificationToken: expect.stringMatching(/^sd-verify-[a-z0-6]{16}$/),
    message: expect.stringContaining((body as { verificationToken: string }).verificationToken),
  })
  const { rows } = await pool.query(
    `select owner_id, is_verified, ip_address, query_port, game, next_poll_at <= now() as due
     from servers join server_polls on server_id = id where id = $1`,
    [id],
  )
  expect(rows).toEqual([
    {
      owner_id: owner.id,
      is_verified: false,
      ip_address: 'play.example.com',
      query_port: 27015,
      game: 'ase',
      due: true,
    },
  ])
  const claim = await call(owner, 'GET', `/servers/${id}/claim`)
  expect(claim.body).toMatchObject({
    status: 'pending',
    verificationToken: (body as { verificationToken: string }).verificationToken,
  })
})

test('a write is in this process’ directory before its response', async () => {
  for (let n = 0; n < 5; n++) {
    const id = await create()
    expect((await call(undefined, 'GET', `/servers/${id}`)).status).toBe(200)
    const patched = await call(owner, 'PATCH', `/servers/${id}`, { name: `Renamed ${n}` })
    const seen = await call(undefined, 'GET', `/servers/${id}`)
    expect(seen.body).toMatchObject({ name: `Renamed ${n}` })
    const { rank: _rank, score: _score, ...shown } = seen.body as Record<string, unknown>
    expect(patched.body).toEqual(shown)
    await call(owner, 'DELETE', `/servers/${id}`)
    expect((await call(undefined, 'GET', `/servers/${id}`)).status).toBe(404)
  }
})

test('all fields of a creation request are shown as given', async () => {
  const fields = {
    description: 'Two lines\nof text',
    queryPort: 27020,
    gameMode: 'PvPvE',
    website: 'https://example.com',
    chatUrl: 'https://chat.example.com/x',
    region: 'Europe',
    tags: 'modded, casual,Modded',
  }
  const id = await create({ ...fields, game: 'minecraft' })
  expect((await call(undefined, 'GET', `/servers/${id}`)).body).toMatchObject({
    ...fields,
    tags: 'modded,casual',
    isVerified: false,
    isOnline: false,
    currentPlayers: 0,
    totalVotes: 0,
  })
})

test('a listed address is refused with the claim endpoint; of many simultaneous requests one succeeds', async () => {
  const place = { ipAddress: '10.1.2.3', gamePort: 7777 }
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => call(owner, 'POST', '/servers', serverFields(place))),
  )
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
  const { rows: listed } = await pool.query(
    `select id from servers where ip_address = '10.1.2.3' and deleted_at is null`,
  )
  const [{ id }] = listed
  for (const { status, body } of replies.filter((reply) => reply.status !== 201)) {
    expect(status).toBe(400)
    expect(body).toMatchObject({
      error: 'already_listed',
      message: expect.stringContaining(`POST /api/servers/${id}/claim`),
    })
  }
  const { rows } = await pool.query('select count(*) from server_claims where server_id = $1', [id])
  expect(rows).toEqual([{ count: 1 }])
})

test('each field of an update request is changed, alone or with others, and an empty text clears it', async () => {
  const id = await create({ gameMode: 'PvP', description: 'Old' })
  const changes = {
    name: 'New name',
    description: 'New',
    gameMode: 'PvE',
    website: 'https://example.com/',
    chatUrl: 'https://chat.example.com/',
    bannerUrl: 'https://example.com/banner.png',
    rates: 'xp:2,harvest:3.5',
    mods: 'First,Second',
  }
  for (const [field, value] of Object.entries(changes)) {
    const { status, body } = await call(owner, 'PATCH', `/servers/${id}`, { [field]: value })
    expect([field, status]).toEqual([field, 200])
    expect(body).toMatchObject({ [field]: value })
  }
  const none = { description: '', gameMode: '', website: '', chatUrl: '', bannerUrl: '', rates: '', mods: '' }
  expect((await call(owner, 'PATCH', `/servers/${id}`, none)).body).toMatchObject({ name: 'New name', ...none })
  const before = await call(owner, 'GET', `/servers/${id}`)
  const { rank: _rank, score: _score, ...shown } = before.body as Record<string, unknown>
  expect((await call(owner, 'PATCH', `/servers/${id}`, {})).body).toEqual(shown)
})

test('a read-only field is refused by name, and nothing is written', async () => {
  const id = await create({ name: 'Unchanged' })
  const rest = {
    id: 'x',
    ownerId: 'x',
    isVerified: true,
  }
  const { status, body } = await call(owner, 'PATCH', `/servers/${id}`, { name: 'Changed', ...rest })
  expect(status).toBe(400)
  expect((body as { details: { path: string }[] }).details.map(({ path }) => path)).toEqual(
    Object.keys(rest).map((key) => `body.${key}`),
  )
  expect((await call(undefined, 'GET', `/servers/${id}`)).body).toMatchObject({ name: 'Unchanged' })
})

test('only the owner and administrators change or remove a server; an administrator’s action is recorded', async () => {
  const id = await create()
  for (const [method, body] of [
    ['PATCH', { name: 'Taken' }],
    ['DELETE', undefined],
  ] as const) {
    expect((await call(undefined, method, `/servers/${id}`, body)).status).toBe(401)
    expect(await call(stranger, method, `/servers/${id}`, body)).toMatchObject({
      status: 403,
      body: { error: 'forbidden' },
    })
  }
  expect((await call(admin, 'PATCH', `/servers/${id}`, { name: 'Moderated' })).status).toBe(200)
  expect(await call(admin, 'DELETE', `/servers/${id}`)).toMatchObject({
    status: 200,
    body: { message: expect.any(String) },
  })
  expect(await audited(id)).toEqual([
    { actor_id: admin.id, action: 'server.update' },
    { actor_id: admin.id, action: 'server.delete' },
  ])
  expect((await call(admin, 'DELETE', `/servers/${id}`)).status).toBe(404)
})

test('an id in capitals is the same id, also in the audit log', async () => {
  const id = await create()
  const path = `/servers/${id.toUpperCase()}`
  expect(await call(owner, 'PATCH', path, { name: 'Shouted' })).toMatchObject({ status: 200, body: { id } })
  expect((await call(admin, 'DELETE', path)).status).toBe(200)
  expect(await audited(id)).toEqual([{ actor_id: admin.id, action: 'server.delete' }])
})

test('an owner’s changes of the description are not in the audit log; only administrators change a server without an owner', async () => {
  const id = await create()
  await call(owner, 'PATCH', `/servers/${id}`, { name: 'Own' })
  expect(await audited(id)).toEqual([])
  await pool.query('update servers set owner_id = null where id = $1', [id])
  expect((await call(owner, 'PATCH', `/servers/${id}`, { name: 'Own' })).status).toBe(403)
  expect((await call(admin, 'PATCH', `/servers/${id}`, { name: 'Own' })).status).toBe(200)
})

test('lost or transferred ownership takes effect with the next request', async () => {
  const id = await create()
  await pool.query('update servers set owner_id = $2 where id = $1', [id, stranger.id])
  expect((await call(owner, 'PATCH', `/servers/${id}`, { name: 'Mine?' })).status).toBe(403)
  expect((await call(stranger, 'PATCH', `/servers/${id}`, { name: 'Mine!' })).status).toBe(200)
})

test('an API key can do what its owner can, an administrator’s key only what it can for owned servers', async () => {
  const key = bearer(await createKey(api, owner))
  const id = await create({}, key)
  expect((await call(key, 'PATCH', `/servers/${id}`, { name: 'By key' })).status).toBe(200)
  expect((await call(bearer(await createKey(api, stranger)), 'DELETE', `/servers/${id}`)).status).toBe(403)
  expect((await call(bearer(await createKey(api, admin)), 'PATCH', `/servers/${id}`, { name: 'x y z' })).status).toBe(
    403,
  )
  const owned = await call(key, 'GET', '/user/servers?limit=100')
  expect((owned.body as { servers: { id: string }[] }).servers.map((server) => server.id)).toContain(id)
  expect((await call(key, 'DELETE', `/servers/${id}`)).status).toBe(200)
})

test('an unknown or malformed id is 404 for every operation', async () => {
  for (const id of ['019a0000-0000-7000-8000-000000000000', 'nonsense', '%F0%9F%8E%AE', "'"])
    for (const [method, path, body] of [
      ['PATCH', '', { name: 'Unowned' }],
      ['DELETE', '', undefined],
      ['POST', '/claim', undefined],
      ['GET', '/claim', undefined],
      ['POST', '/claim/verify', undefined],
    ] as const)
      expect([path, id, (await call(owner, method, `/servers/${id}${path}`, body)).status]).toEqual([path, id, 404])
})

test('a removed server is not polled, and its address can be listed again', async () => {
  const place = { ipAddress: '10.1.2.4', gamePort: 7777 }
  const id = await create(place)
  await call(owner, 'DELETE', `/servers/${id}`)
  expect((await pool.query('select from server_polls where server_id = $1', [id])).rowCount).toBe(0)
  expect(await create(place)).not.toBe(id)
})

test('the owner’s list has ten servers a page, in the order added, with this month’s votes', async () => {
  const person = await addPerson(pool)
  const ids: string[] = []
  for (let n = 0; n < 12; n++) ids.push(await create({ name: `Owned ${n}` }, person))
  await pool.query('update server_counters set total_votes = 9, monthly_votes = 4 where server_id = any($1)', [ids])
  await pool.query(`update server_counters set votes_month = votes_month - interval '1 month' where server_id = $1`, [
    ids[1],
  ])
  const first = await call(person, 'GET', '/user/servers')
  const servers = first.body.servers as Record<string, unknown>[]
  expect(servers.map(({ id }) => id)).toEqual(ids.slice(0, 10))
  expect(first.body.pagination).toEqual({ page: 1, limit: 10, total: 12, totalPages: 2 })
  expect(servers.slice(0, 2)).toEqual([
    {
      id: ids[0],
      name: 'Owned 0',
      ipAddress: expect.any(String),
      gamePort: 7777,
      isOnline: false,
      totalVotes: 9,
      monthlyVotes: 4,
      recentVotes: 0,
    },
    expect.objectContaining({ totalVotes: 9, monthlyVotes: 0 }),
  ])
  const past = await call(person, 'GET', '/user/servers?page=3&limit=6')
  expect(past.body).toEqual({ servers: [], pagination: { page: 3, limit: 6, total: 12, totalPages: 2 } })
  for (const query of ['limit=101', 'limit=0', 'page=0', 'page=abc', 'page=1&page=2', 'limit=1.5', 'page=-1', 'page='])
    expect([query, (await call(person, 'GET', `/user/servers?${query}`)).status]).toEqual([query, 400])
  expect((await call(undefined, 'GET', '/user/servers')).status).toBe(401)
})

test('the owner of a hidden server can’t list it again: not once it is removed, nor after a move', async () => {
  const address = serverFields()
  const { body } = await call(owner, 'POST', '/servers', address)
  const { id } = (body as { server: { id: string } }).server
  await setHidden(pool, id, true)
  expect(await call(owner, 'PATCH', `/servers/${id}`, { gamePort: 7_999 })).toMatchObject({
    status: 403,
    body: { message: 'An administrator has hidden this server, so its address and ports can’t be changed.' },
  })
  expect((await call(owner, 'DELETE', `/servers/${id}`)).status).toBe(200)
  const isRefused = { status: 400, body: { error: 'already_listed', message: expect.stringContaining('has hidden') } }
  expect(await call(owner, 'POST', '/servers', address)).toMatchObject(isRefused)
  const elsewhere = await create({ name: 'Elsewhere' })
  expect(await call(owner, 'PATCH', `/servers/${elsewhere}`, address)).toMatchObject(isRefused)
  await pool.query(`update servers set deleted_at = now() - interval '91 days' where id = $1`, [id])
  expect(await call(owner, 'POST', '/servers', address)).toMatchObject({ status: 201 })
})

test('administrators list the address of a hidden server that was removed, and move a hidden one', async () => {
  const address = serverFields()
  const { body } = await call(owner, 'POST', '/servers', address)
  const { id } = (body as { server: { id: string } }).server
  await setHidden(pool, id, true)
  expect((await call(admin, 'PATCH', `/servers/${id}`, { description: 'Seen', gamePort: 7_998 })).status).toBe(200)
  expect((await call(admin, 'DELETE', `/servers/${id}`)).status).toBe(200)
  expect(await call(admin, 'POST', '/servers', { ...address, gamePort: 7_998 })).toMatchObject({ status: 201 })
})

test('a hidden server leaves the directory and the schedule, its owner keeps it, and it returns offline until a poll', async () => {
  const id = await create({ name: 'Hidden one' })
  await pool.query(`update server_polls set cycle = 7 where server_id = $1`, [id])
  await pool.query(`update server_status set applied_cycle = 7 where server_id = $1`, [id])
  const dueNow = async () => {
    await pool.query(`update server_polls set next_poll_at = now() - interval '1 second'`)
    await enqueueDue(api.deps, { limit: 10_000, intervalSeconds: 60 })
    const jobs = await api.deps.jobs.boss.fetch<PollBatch>(poll.queue, { batchSize: 100 })
    const targets = await Promise.all(jobs.map(({ data }) => findTargets(pool, data)))
    return targets.flat().some(({ serverId }) => serverId === id)
  }
  const claimed = { servers: [{ serverId: id, cycle: 8 }] }
  await pool.query('update server_polls set cycle = 8 where server_id = $1', [id])
  expect(await findTargets(pool, claimed)).toHaveLength(1)

  expect(await setHidden(pool, id, true)).toBe(true)
  expect(await setHidden(pool, id, true)).toBe(false)
  expect(await findTargets(pool, claimed)).toEqual([]) // also a server that was claimed before
  await api.directory.refresh()
  expect((await call(undefined, 'GET', `/servers/${id}`)).status).toBe(404)
  expect(await dueNow()).toBe(false)
  expect((await call(stranger, 'PATCH', `/servers/${id}`, { name: 'Who?' })).status).toBe(404)
  expect((await call(stranger, 'POST', `/servers/${id}/claim`)).status).toBe(404)
  expect(await call(owner, 'PATCH', `/servers/${id}`, { name: 'Tidied up' })).toMatchObject({
    status: 200,
    body: { id, name: 'Tidied up' },
  })
  expect((await call(undefined, 'GET', `/servers/${id}`)).status).toBe(404)

  await pool.query('update server_status set is_online = true, current_players = 40 where server_id = $1', [id])
  expect(await setHidden(pool, id, false)).toBe(true)
  await api.directory.refresh()
  // What the last poll said, however long ago, is not shown as the present.
  expect((await call(undefined, 'GET', `/servers/${id}`)).body).toMatchObject({
    name: 'Tidied up',
    isOnline: false,
    currentPlayers: 0,
    isStale: true,
  })
  expect(await dueNow()).toBe(true)
})

test('private addresses are refused where they are not polled, multicast addresses everywhere', async () => {
  const strict = await startTestApi({ database: api.database, settings: { ALLOW_PRIVATE_TARGETS: 'false' } })
  afterAll(strict.stop)
  const inProduction = callerOf(strict)
  for (const ipAddress of [
    '127.0.0.1',
    '10.0.0.1',
    '192.168.1.1',
    '172.16.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '::1',
    'fd00::1',
    'fe80::1',
    'ff02::1',
    '::ffff:10.0.0.1',
    '2002:a00:1::1',
    '64:ff9b::a00:1',
  ]) {
    const { status, body } = await inProduction(owner, 'POST', '/servers', serverFields({ ipAddress }))
    expect([ipAddress, status]).toEqual([ipAddress, 400])
    expect(body).toMatchObject({ details: [{ path: 'body.ipAddress', message: 'must be a public address' }] })
  }
  expect((await inProduction(owner, 'POST', '/servers', serverFields({ ipAddress: '9.9.9.9' }))).status).toBe(201)
  for (const ipAddress of ['255.255.255.255', '239.1.1.1', '0.0.0.0'])
    expect((await call(owner, 'POST', '/servers', serverFields({ ipAddress }))).status).toBe(400)
  expect((await call(owner, 'POST', '/servers', serverFields({ ipAddress: '127.0.0.1' }))).status).toBe(201)
})

test('where listing requires a proof, an unproven server is not shown, and its owner can still change it', async () => {
  const strict = await startTestApi({ database: api.database, settings: { LISTING_REQUIRES_VERIFICATION: 'true' } })
  afterAll(strict.stop)
  const there = callerOf(strict)
  const created = await there(owner, 'POST', '/servers', serverFields())
  const { id } = (created.body as { server: { id: string } }).server
  expect((await there(undefined, 'GET', `/servers/${id}`)).status).toBe(404)
  expect(await there(owner, 'PATCH', `/servers/${id}`, { name: 'Unproven' })).toMatchObject({
    status: 200,
    body: { name: 'Unproven' },
  })
  await pool.query('update servers set is_verified = true where id = $1', [id])
  await strict.directory.refresh()
  expect((await there(undefined, 'GET', `/servers/${id}`)).body).toMatchObject({ name: 'Unproven', isVerified: true })
})

test('the listing of a server says to those who manage it why it is not listed, and is kept from others', async () => {
  const strict = await startTestApi({ database: api.database, settings: { LISTING_REQUIRES_VERIFICATION: 'true' } })
  afterAll(strict.stop)
  const there = callerOf(strict)
  const created = await there(owner, 'POST', '/servers', serverFields())
  const { id } = (created.body as { server: { id: string } }).server
  const path = `/servers/${id}/listing`
  const visibility = async (as = owner) => (await there(as, 'GET', path)).body as { visibility: string }
  expect(await visibility()).toMatchObject({ id, isVerified: false, visibility: 'unverified' })
  expect((await there(stranger, 'GET', path)).status).toBe(403)
  await pool.query('update servers set is_verified = true where id = $1', [id])
  await strict.directory.refresh()
  const {
    rank,
    score: _score,
    ...shown
  } = (await there(undefined, 'GET', `/servers/${id}`)).body as {
    rank: number
    score: number
  }
  const listed = {
    gamePortGiven: true,
    bedrockAddress: '',
    bedrockPort: null,
    nameFromServer: false,
    wipeSchedule: null,
  }
  const ofOwner = { ...listed, role: 'owner', rights: ['read', 'edit', 'rcon', 'own'] }
  expect(await visibility()).toEqual({ ...shown, ...ofOwner, visibility: 'listed' })
  await pool.query('update servers set hidden_at = now() where id = $1', [id])
  expect((await there(stranger, 'GET', path)).status).toBe(404)
  for (const as of [owner, admin]) expect(await visibility(as)).toMatchObject({ visibility: 'hidden' })
})
