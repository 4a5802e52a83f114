// Where players connect: a listing without a port, the Bedrock edition, and the name of the game server.
import { describe, expect, test } from 'vitest'
import { changedProfile, writeReports } from '../../../src/features/profiles/index.ts'
import { startTestApi } from '../../support/api.ts'
import { addPerson } from '../../support/people.ts'
import { callerOf, serverFields } from './support.ts'

const api = await startTestApi()
const { pool } = api.database
const call = callerOf(api)
const owner = await addPerson(pool)

const minecraft = (fields: Record<string, unknown> = {}) => {
  const { gamePort: _gamePort, ...rest } = serverFields({ game: 'minecraft', ...fields })
  return rest
}

async function create(fields: Record<string, unknown>): Promise<string> {
  const { status, body } = await call(owner, 'POST', '/servers', fields)
  expect(status).toBe(201)
  return (body.server as { id: string }).id
}

const listing = async (id: string) => (await call(owner, 'GET', `/servers/${id}/listing`)).body
const edit = (id: string, body: Record<string, unknown>) => call(owner, 'PATCH', `/servers/${id}`, body)
const refusal = ({ status, body }: Awaited<ReturnType<typeof edit>>) => [
  status,
  (body.details as { path: string; message: string }[] | undefined)?.map(({ path, message }) => `${path} ${message}`),
]

describe('the game port', () => {
  test('can be left out for a game with a usual one, which then stands in for it', async () => {
    const id = await create(minecraft({ ipAddress: 'play.example.org' }))
    expect(await listing(id)).toMatchObject({
      gamePort: 25_565,
      gamePortGiven: false,
      connectAddress: 'play.example.org',
    })
  })

  test('is required for a game without a usual one', async () => {
    const { gamePort: _gamePort, ...fields } = serverFields({ game: 'protocol-valve' })
    expect(refusal(await call(owner, 'POST', '/servers', fields))).toEqual([
      400,
      [expect.stringMatching(/^body\.gamePort is required, because .+ has no usual port$/)],
    ])
  })

  test('can be given and left out again; both end the proof of ownership', async () => {
    const id = await create(minecraft())
    const verify = () => pool.query('update servers set is_verified = true where id = $1', [id])
    await verify()
    expect((await edit(id, { gamePort: 25_565 })).body).toMatchObject({ gamePort: 25_565, isVerified: false })
    expect(await listing(id)).toMatchObject({ gamePortGiven: true })
    await verify()
    await edit(id, { gamePort: null })
    expect(await listing(id)).toMatchObject({ gamePort: 25_565, gamePortGiven: false, isVerified: false })
  })

  test('that was found stays as it is when nothing about it is edited', async () => {
    const id = await create(minecraft())
    await pool.query('update servers set game_port = 25570, is_verified = true where id = $1', [id])
    await edit(id, { gamePort: null, description: 'New' })
    expect(await listing(id)).toMatchObject({ gamePort: 25_570, gamePortGiven: false, isVerified: true })
  })

  test('that was found at an address is not kept for another one', async () => {
    const id = await create(minecraft({ ipAddress: 'former.example.org' }))
    await pool.query('update servers set game_port = 25570 where id = $1', [id])
    await edit(id, { ipAddress: 'former.example.org' })
    expect(await listing(id)).toMatchObject({ gamePort: 25_570 })
    await edit(id, { ipAddress: 'present.example.org' })
    expect(await listing(id)).toMatchObject({ gamePort: 25_565, gamePortGiven: false })
  })

  test('of another game stands in after a change of game', async () => {
    const id = await create(minecraft())
    await edit(id, { game: 'teamspeak3' })
    expect(await listing(id)).toMatchObject({ gamePort: 9987, gamePortGiven: false })
    expect(refusal(await edit(id, { game: 'protocol-valve' }))).toEqual([
      400,
      [expect.stringContaining('body.gamePort is required')],
    ])
  })
})

describe('the Bedrock edition', () => {
  test('has its address beside the Java one, by default at the port that its clients assume', async () => {
    const id = await create(minecraft({ ipAddress: 'java.example.org', bedrockAddress: 'bedrock.example.org' }))
    const java = { connectAddress: 'java.example.org', isOnline: false }
    expect(await listing(id)).toMatchObject({
      bedrockAddress: 'bedrock.example.org',
      bedrockPort: 19_132,
      editions: { java, bedrock: { isOnline: false } },
    })
    await edit(id, { bedrockAddress: '' })
    expect(await listing(id)).toMatchObject({ bedrockAddress: '', bedrockPort: null, editions: null })
  })

  test('ends the proof of ownership when it moves', async () => {
    const id = await create(minecraft())
    await pool.query('update servers set is_verified = true where id = $1', [id])
    expect((await edit(id, { bedrockAddress: 'other.example.org' })).body).toMatchObject({ isVerified: false })
  })

  test.each([
    [
      { game: 'rust', bedrockAddress: 'bedrock.example.org' },
      'bedrockAddress can be given only for the game minecraft',
    ],
    [{ bedrockPort: 19_132 }, 'bedrockPort must be given together with bedrockAddress'],
  ])('is refused where it can’t be: %j', async (fields, message) => {
    expect(refusal(await call(owner, 'POST', '/servers', minecraft(fields)))).toEqual([400, [`body.${message}`]])
    if ('game' in fields) return
    const id = await create(minecraft())
    expect(refusal(await edit(id, fields))).toEqual([400, [`body.${message}`]])
  })

  test('must not lead to a private address where those are refused', async () => {
    const strict = await startTestApi({ settings: { ALLOW_PRIVATE_TARGETS: 'false' } })
    const person = await addPerson(strict.database.pool)
    const fields = minecraft({ ipAddress: 'play.example.org', bedrockAddress: '10.0.0.1' })
    expect(refusal(await callerOf(strict)(person, 'POST', '/servers', fields))).toEqual([
      400,
      ['body.bedrockAddress must be a public address'],
    ])
  })
})

describe('the name of the game server', () => {
  test('is taken again once polls may set it, although one reported it while they might not', async () => {
    const id = await create(minecraft({ nameFromServer: true }))
    const report = async () => {
      const { rows } = await pool.query('select profile from server_profiles where server_id = $1', [id])
      const changed = changedProfile(rows[0]?.profile ?? null, { name: 'As reported', motd: 'Hello' })
      await pool.query(`update server_profiles set changed_at = changed_at - interval '11 minutes'`)
      if (changed) await writeReports(pool, [{ serverId: id, cycle: 0, ...changed }])
    }
    await report()
    expect((await edit(id, { name: 'Mine', nameFromServer: false })).status).toBe(200)
    await report() // by a poll that began before the edit
    expect((await edit(id, { nameFromServer: true })).status).toBe(200)
    await report()
    expect((await listing(id)).name).toBe('As reported')
  })

  test('is not typed over while polls set it', async () => {
    const id = await create(minecraft({ nameFromServer: true }))
    const { name } = await listing(id)
    expect(refusal(await edit(id, { name: 'Another name' }))).toEqual([
      400,
      ['body.name is taken from the game server; set nameFromServer to false'],
    ])
    expect((await edit(id, { name, description: 'Same name' })).status).toBe(200)
    expect((await edit(id, { name: 'Another name', nameFromServer: false })).body).toMatchObject({
      name: 'Another name',
    })
  })
})
