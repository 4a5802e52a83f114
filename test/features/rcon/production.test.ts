// Only in production: ownership must be verified, and private addresses are refused.
import { expect, test } from 'vitest'
import { startTestApi } from '../../support/api.ts'
import { createRconWorld, startRconWorker } from './support.ts'

const SECRET = 'a secret of the tests, 32 characters and more'
const outside = await startTestApi()
const { database } = outside
const { open, call, configure } = createRconWorld(outside)
const api = await startTestApi({ database, settings: { NODE_ENV: 'production', APP_SECRET: SECRET } })
const { send } = createRconWorld(api)

test('no connection is opened to a server whose owner is not verified: anyone can list any address', async () => {
  await startRconWorker(api)
  const { id, owner, game } = await open()
  expect(await send(owner, id, 'status')).toMatchObject({ status: 400, body: { error: 'rcon_not_verified' } })
  expect(game.logins).toEqual([])
  await database.pool.query('update servers set is_verified = true where id = $1', [id])
  expect((await send(owner, id, 'status')).status).toBe(200)
  expect(game.logins).toHaveLength(1)

  expect((await call(owner, 'PATCH', `/servers/${id}`, { ipAddress: 'localhost' })).status).toBe(200)
  expect((await configure(owner, id, game.port)).status).toBe(200)
  expect(await send(owner, id, 'status')).toMatchObject({ status: 400, body: { error: 'rcon_not_verified' } })
  expect(game.logins).toHaveLength(1)
})

test('a command that was accepted before the server moved does not run until the new address is proven', async () => {
  const { id, owner, game } = await open()
  await database.pool.query('update servers set is_verified = true where id = $1', [id])
  const sending = send(owner, id, 'status')
  await expect
    .poll(async () => (await database.pool.query('select from rcon_commands where server_id = $1', [id])).rowCount)
    .toBe(1)
  expect((await call(owner, 'PATCH', `/servers/${id}`, { ipAddress: 'localhost' })).status).toBe(200)
  expect((await configure(owner, id, game.port)).status).toBe(200)
  await startRconWorker(api, { NODE_ENV: 'production', ALLOW_PRIVATE_TARGETS: 'false' })
  expect(await sending).toMatchObject({ status: 400, body: { error: 'rcon_not_verified' } })
  expect(game.logins).toEqual([])
})

test('a worker in production does not connect to private addresses, also not through a name', async () => {
  await startRconWorker(api, { NODE_ENV: 'production' })
  for (const [ipAddress, error] of [
    ['127.0.0.1', 'rcon_not_public'],
    // As for a name that does not exist: owners must not learn which names a private network has.
    ['localhost', 'rcon_unreachable'],
    ['does-not-exist.invalid', 'rcon_unreachable'],
  ]) {
    const { id, owner, game } = await open()
    await database.pool.query('update servers set is_verified = true, ip_address = $2 where id = $1', [id, ipAddress])
    expect(await send(owner, id, 'status')).toMatchObject({ status: 400, body: { error } })
    expect(game.logins).toEqual([])
  }
})
