// A user's favorite servers.
import { expect, test } from 'vitest'
import { removeServerAndNotify } from '../../../src/features/server-removal/index.ts'
import { createServers } from '../../../src/features/servers/index.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { countLockWaits } from '../../support/database.ts'
import { addPerson, fieldsOf, type Person } from '../../support/people.ts'
import { bearer, createKey } from '../api-keys/support.ts'

const api = await startTestApi()
const { pool } = api.database
const servers = createServers({ pool })

let port = 20_000
const addServer = (name = 'A server') =>
  servers.add({ name, ipAddress: '192.0.2.7', gamePort: port, queryPort: port++ })

const call = (method: string, person: Person, path: string, to: TestApi = api) =>
  to.request(`/api${path}`, { method, headers: { cookie: person.cookie } })
const add = (person: Person, id: string, to?: TestApi) => call('POST', person, `/servers/${id}/favorite`, to)
const remove = (person: Person, id: string, to?: TestApi) => call('DELETE', person, `/servers/${id}/favorite`, to)
async function list(person: Person, to?: TestApi): Promise<Record<string, unknown>[]> {
  const response = await call('GET', person, '/user/favorites', to)
  expect(response.status).toBe(200)
  return ((await response.json()) as { favorites: Record<string, unknown>[] }).favorites
}
const rowsOf = async ({ id }: Person) =>
  (await pool.query('select id from favorites where user_id = $1', [id])).rowCount

test('a favorite is answered as its record: 201 when it is new, 200 with the same record when it is not', async () => {
  const [person, server] = [await addPerson(pool), await addServer()]
  const first = await add(person, server.id)
  expect(first.status).toBe(201)
  const record = await first.json()
  expect(record).toEqual({
    id: expect.any(String),
    userId: person.id,
    serverId: server.id,
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  })
  const again = await add(person, server.id)
  expect([again.status, await again.json()]).toEqual([200, record])
})

test('of twenty simultaneous requests one creates the favorite and all answer with it', async () => {
  const [person, server] = [await addPerson(pool), await addServer()]
  const other = await startTestApi({ database: api.database })
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => add(person, server.id, n % 2 ? api : other)))
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201])
  const ids = await Promise.all(answers.map(async (answer) => (await fieldsOf(answer)).id))
  expect(new Set(ids).size).toBe(1)
  expect(await rowsOf(person)).toBe(1)
  expect(await list(person, other)).toHaveLength(1)
})

test('the list has exactly the documented fields with live values, last added first', async () => {
  const person = await addPerson(pool)
  const [first, second] = [await addServer('First'), await addServer('Second')]
  await add(person, first.id)
  await add(person, second.id)
  await pool.query(
    `update server_status set is_online = true, current_players = 12, max_players = 70, map = 'Ragnarok' where server_id = $1`,
    [first.id],
  )
  expect(await list(person)).toEqual([
    {
      id: second.id,
      name: 'Second',
      ipAddress: '192.0.2.7',
      gamePort: expect.any(Number),
      currentPlayers: 0,
      maxPlayers: 0,
      isOnline: false,
      map: '',
    },
    expect.objectContaining({ id: first.id, currentPlayers: 12, maxPlayers: 70, isOnline: true, map: 'Ragnarok' }),
  ])
})

test('each user has their own list', async () => {
  const [one, other, server] = [await addPerson(pool), await addPerson(pool), await addServer()]
  await add(one, server.id)
  expect(await list(other)).toEqual([])
  expect((await remove(other, server.id)).status).toBe(200)
  expect(await list(one)).toHaveLength(1)
})

test('removing a favorite twice succeeds twice', async () => {
  const [person, server] = [await addPerson(pool), await addServer()]
  await add(person, server.id)
  for (let n = 0; n < 2; n++) {
    const response = await remove(person, server.id)
    expect([response.status, await response.json()]).toEqual([200, { success: true }])
  }
  expect(await list(person)).toEqual([])
  expect((await add(person, server.id)).status).toBe(201)
})

test('an unknown, malformed, removed or hidden server can’t become a favorite', async () => {
  const person = await addPerson(pool)
  const [removed, hidden] = [await addServer(), await addServer()]
  await removeServerAndNotify(pool, removed.id)
  await pool.query('update servers set hidden_at = now() where id = $1', [hidden.id])
  for (const id of ['01993b0e-0000-7000-8000-000000000000', 'nonsense', '%27', removed.id, hidden.id]) {
    const [added, deleted] = [await add(person, id), await remove(person, id)]
    expect([added.status, (await fieldsOf(added)).error], id).toEqual([404, 'not_found'])
    expect(deleted.status, id).toBe(404)
  }
  expect(await rowsOf(person)).toBe(0)
})

test('a favorite that leaves the directory is not listed, can be removed, and returns with the server', async () => {
  const person = await addPerson(pool)
  const [kept, hidden, removed] = [await addServer('Kept'), await addServer('Hidden'), await addServer('Removed')]
  for (const { id } of [kept, hidden, removed]) await add(person, id)
  await pool.query('update servers set hidden_at = now() where id = $1', [hidden.id])
  await removeServerAndNotify(pool, removed.id)
  expect((await list(person)).map(({ name }) => name)).toEqual(['Kept'])
  expect((await remove(person, removed.id)).status).toBe(200)
  await pool.query('update servers set hidden_at = null where id = $1', [hidden.id])
  expect((await list(person)).map(({ name }) => name)).toEqual(['Hidden', 'Kept'])
})

test('where listing requires a proof, only proven servers can be favorites', async () => {
  const strict = await startTestApi({ database: api.database, settings: { LISTING_REQUIRES_VERIFICATION: 'true' } })
  const [person, server] = [await addPerson(pool), await addServer()]
  expect((await add(person, server.id, strict)).status).toBe(404)
  await add(person, server.id)
  expect(await list(person, strict)).toEqual([])
  await pool.query('update servers set is_verified = true where id = $1', [server.id])
  expect((await add(person, server.id, strict)).status).toBe(200)
  expect(await list(person, strict)).toHaveLength(1)
})

test('an owner’s API key can manage favorites; a request without credentials can’t', async () => {
  const [person, server] = [await addPerson(pool), await addServer()]
  const headers = bearer(await createKey(api, person))
  expect((await api.request(`/api/v1/servers/${server.id}/favorite`, { method: 'POST', headers })).status).toBe(201)
  expect(await list(person)).toHaveLength(1)
  for (const [method, path] of [
    ['POST', `/api/servers/${server.id}/favorite`],
    ['DELETE', `/api/servers/${server.id}/favorite`],
    ['GET', '/api/user/favorites'],
  ] as const) {
    const response = await api.request(path, { method })
    expect([response.status, (await fieldsOf(response)).error]).toEqual([401, 'unauthenticated'])
  }
})

test('a page of another origin can’t add favorites with a visitor’s cookie', async () => {
  const [person, server] = [await addPerson(pool), await addServer()]
  const headers = { cookie: person.cookie, origin: 'https://elsewhere.example' }
  const response = await api.request(`/api/servers/${server.id}/favorite`, { method: 'POST', headers })
  expect([response.status, await rowsOf(person)]).toEqual([403, 0])
})

test('there is a limit; a favorite beyond it is refused, an existing one is not', async () => {
  const [person, server, extra] = [await addPerson(pool), await addServer(), await addServer()]
  await add(person, server.id)
  const many = await servers.addMany(
    Array.from({ length: 999 }, (_, n) => ({
      name: `Many ${n}`,
      ipAddress: '192.0.2.8',
      gamePort: n + 1,
      queryPort: n + 1,
    })),
  )
  await pool.query('insert into favorites (id, user_id, server_id) select gen_random_uuid(), $1, unnest($2::uuid[])', [
    person.id,
    many.flatMap((added) => ('id' in added ? [added.id] : [])),
  ])
  const refused = await add(person, extra.id)
  expect([refused.status, (await fieldsOf(refused)).error]).toEqual([400, 'too_many_favorites'])
  expect((await add(person, server.id)).status).toBe(200)
  expect(await list(person)).toHaveLength(1000)
  await remove(person, server.id)
  expect((await add(person, extra.id)).status).toBe(201)
})

test('removed servers do not count towards the limit, hidden ones do', async () => {
  const [person, extra, last] = [await addPerson(pool), await addServer(), await addServer()]
  const many = await servers.addMany(
    Array.from({ length: 1_000 }, (_, n) => ({
      name: `More ${n}`,
      ipAddress: '192.0.2.9',
      gamePort: n + 1,
      queryPort: n + 1,
    })),
  )
  const ids = many.flatMap((added) => ('id' in added ? [added.id] : []))
  await pool.query('insert into favorites (id, user_id, server_id) select gen_random_uuid(), $1, unnest($2::uuid[])', [
    person.id,
    ids,
  ])
  await pool.query('update servers set hidden_at = now() where id = any($1)', [ids])
  expect((await add(person, extra.id)).status).toBe(400)
  await removeServerAndNotify(pool, ids[0] ?? '')
  expect((await add(person, extra.id)).status).toBe(201)
  expect((await add(person, last.id)).status).toBe(400)
})

test('who is deleted while a favorite is added gets 401', async () => {
  const [person, server] = [await addPerson(pool), await addServer()]
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('select from servers where id = $1 for update', [server.id])
    const adding = add(person, server.id)
    await expect.poll(() => countLockWaits(pool)).toBe(1)
    await pool.query('delete from users where id = $1', [person.id])
    await client.query('commit')
    const reply = await adding
    expect([reply.status, await reply.json()]).toMatchObject([
      401,
      { error: 'unauthenticated', message: 'This account was deleted.' },
    ])
  } finally {
    client.release()
  }
})
