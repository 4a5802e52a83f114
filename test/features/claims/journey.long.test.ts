// A newcomer registers, lists a server, sees it polled, proves it, and manages it with a key, through real processes.
import { expect, onTestFinished, test } from 'vitest'
import { startSimulatedServer } from '../../../dev/simulator/server.ts'
import { createTestDatabase } from '../../support/database.ts'
import { startProcess } from '../../support/processes.ts'

const { pool, url } = await createTestDatabase()

test('a newcomer lists a server, sees it polled, proves it and changes it with a key', async () => {
  const [api, game] = [await startProcess('src/main.ts', url), await startSimulatedServer({ info: { players: 7 } })]
  onTestFinished(() => game.close())
  await startProcess('workers/main.ts', url, { POLL_INTERVAL_SECONDS: '1' })

  async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const response = await fetch(`${api.url}/api${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const [cookie = ''] = response.headers.getSetCookie()
    return { status: response.status, body: (await response.json()) as Record<string, unknown>, cookie }
  }

  async function register(username: string) {
    const account = { email: `${username}@example.com`, password: 'a long enough passphrase', username }
    const registered = await call('POST', '/auth/register', account)
    expect(registered.status).toBe(201)
    return { cookie: registered.cookie.split(';', 1)[0] ?? '' }
  }

  const session = await register('newcomer')

  const place = { ipAddress: game.address, gamePort: 7777, queryPort: game.port, game: 'protocol-valve' }
  const created = await call('POST', '/servers', { name: 'My server', ...place }, session)
  expect(created.status).toBe(201)
  const { server, verificationToken } = created.body as { server: { id: string }; verificationToken: string }
  const path = `/servers/${server.id}`
  await expect
    .poll(async () => (await call('GET', path)).body)
    .toMatchObject({ isOnline: true, currentPlayers: 7, isVerified: false })

  game.info.name = `My server ${verificationToken}`
  const verified = await call('POST', `${path}/claim/verify`, undefined, session)
  expect(verified).toMatchObject({ status: 200, body: { status: 'verified' } })
  expect((await call('GET', `${path}/claim`, undefined, session)).body).toMatchObject({ status: 'verified' })

  const key = await call('POST', '/user/api-keys', { name: 'My tools' }, session)
  const bearer = { authorization: `Bearer ${key.body.key}.${key.body.secret}` }
  const patched = await call('PATCH', path, { rates: 'xp:2' }, bearer)
  expect(patched).toMatchObject({ status: 200, body: { rates: 'xp:2', isVerified: true } })
  expect((await call('GET', path)).body).toMatchObject({ rates: 'xp:2', isVerified: true })
  expect((await call('GET', '/user/servers', undefined, bearer)).body).toMatchObject({
    servers: [{ id: server.id, isOnline: true }],
    pagination: { total: 1 },
  })

  // The server is sold: a poll proves it for its next owner, without a requested check.
  const buyer = await register('buyer')
  const claim = await call('POST', `${path}/claim`, undefined, buyer)
  game.info.name = 'Sold'
  game.info.keywords = String(claim.body.verificationToken)
  // The listing is proven, so the owner is warned and the buyer waits; the test moves the time.
  const claimOfBuyer = async () => (await call('GET', `${path}/claim`, undefined, buyer)).body
  await expect.poll(claimOfBuyer).toMatchObject({ takeoverAt: expect.any(String) })
  await expect
    .poll(
      async () => {
        await pool.query(
          `update server_claims
           set takeover_since = takeover_since - interval '1 hour', takeover_seen_at = takeover_seen_at - interval '1 hour',
             warning_ordered_at = warning_ordered_at - interval '25 hours'
           where takeover_since is not null`,
        )
        return claimOfBuyer()
      },
      { timeout: 30_000, interval: 500 },
    )
    .toMatchObject({ status: 'verified', takeoverAt: null })
  expect((await call('PATCH', path, { name: 'Still mine' }, bearer)).status).toBe(403)
  expect((await call('PATCH', path, { name: 'Mine now' }, buyer)).status).toBe(200)
})
