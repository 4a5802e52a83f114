// The login throttle: docs/decisions/0005-login-throttle.md. A trusted proxy's header sets the client addresses.
import { expect, test } from 'vitest'
import type { Log } from '../../../src/platform/observability/log.ts'
import { startTestApi } from '../../support/api.ts'
import { testLog } from '../../support/database.ts'
import { addAccount, createVisitor, PASSWORD } from './support.ts'

const api = await startTestApi({ settings: { TRUST_PROXY: '1', RATE_LIMIT_STORE: 'postgres' } })
const another = await startTestApi({
  database: api.database,
  settings: { TRUST_PROXY: '1', RATE_LIMIT_STORE: 'postgres' },
})

let addresses = 0
const from = (address: string, process = api) => createVisitor(process, { 'x-forwarded-for': address })
const newAddress = () => `198.51.${100 + Math.floor(++addresses / 250)}.${addresses % 250}`
const WRONG = 'not the password'

/** Counts earlier failed attempts, from callers without a device cookie. */
async function countAs(name: string, points: number): Promise<void> {
  await api.database.pool.query('update rate_limits set points = $2 where key like $1', [`limit:${name}:%`, points])
}

test('after five wrong attempts on an account a caller has to wait, in every process, even with the right password', async () => {
  const { email } = await addAccount(api)
  const address = newAddress()
  for (let n = 0; n < 5; n++) expect((await from(address, n % 2 ? another : api).login(email, WRONG)).status).toBe(401)
  for (const process of [api, another]) {
    const { status, body, headers } = await from(address, process).login(email)
    expect([status, body.error]).toEqual([429, 'rate_limited'])
    expect(body.message).toMatch(/^Too many login attempts\. Try again in \d+ seconds\.$/)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60)
  }
})

test('an unknown account is throttled in the same way', async () => {
  const address = newAddress()
  const answers = []
  for (let n = 0; n < 6; n++) answers.push((await from(address).login('unknown@example.com', WRONG)).status)
  expect(answers).toEqual([401, 401, 401, 401, 401, 429])
})

test('of a hundred simultaneous attempts at most five are checked', async () => {
  const { email } = await addAccount(api)
  const address = newAddress()
  const answers = await Promise.all(Array.from({ length: 100 }, () => from(address).login(email, WRONG)))
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(5)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(95)
})

test('successful logins do not count', async () => {
  const { email } = await addAccount(api)
  const address = newAddress()
  for (let n = 0; n < 12; n++) expect((await from(address).login(email)).status).toBe(200)
})

test('a caller who keeps trying waits longer: the windows are nested', async () => {
  const { email } = await addAccount(api)
  const address = newAddress()
  await from(address).login(email, WRONG)
  await countAs('login-caller-900', 15)
  const quarter = await from(address).login(email)
  expect(quarter.status).toBe(429)
  expect(Number(quarter.headers.get('retry-after'))).toBeGreaterThan(60)
  await countAs('login-caller-900', 1)
  await countAs('login-caller-86400', 50)
  const day = await from(newAddress()).login(email)
  expect(day.status).toBe(200) // another caller
  const refused = await from(address, another).login(email)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(900)
})

test('an address that tries many accounts is refused after a hundred attempts', async () => {
  const address = newAddress()
  await from(address).login('first@example.com', WRONG)
  await countAs('login-address-3600', 100)
  expect((await from(address).login('second@example.com', WRONG)).status).toBe(429)
  await countAs('login-address-3600', 0)
})

test('a flood from a thousand addresses does not lock the owner out on a known device', async () => {
  const { email } = await addAccount(api)
  const owner = from(newAddress())
  await owner.login(email)
  await owner.post('/auth/logout')

  await from(newAddress()).login(email, WRONG)
  await countAs('login-account-3600', 100)
  expect((await from(newAddress()).login(email)).status).toBe(429) // an unknown device
  expect((await owner.login(email)).status).toBe(200)
  // From another network, too: the device cookie counts, not the address.
  const travelling = from(newAddress())
  travelling.cookies.set('device', owner.cookies.get('device') ?? '')
  expect((await travelling.login(email)).status).toBe(200)
})

test('another user of the same address does not lock the owner out either', async () => {
  const { email } = await addAccount(api)
  const address = newAddress()
  const owner = from(address)
  await owner.login(email)
  for (let n = 0; n < 6; n++) await from(address).login(email, WRONG)
  expect((await from(address).login(email)).status).toBe(429)
  expect((await owner.login(email)).status).toBe(200)
})

test('a device cookie has its own five attempts, and another account’s or a forged one is ignored', async () => {
  const { email } = await addAccount(api)
  const owner = from(newAddress())
  await owner.login(email)
  const mark = owner.cookies.get('device') ?? ''
  const answers = []
  for (let n = 0; n < 6; n++) answers.push((await owner.login(email, WRONG)).status)
  expect(answers).toEqual([401, 401, 401, 401, 401, 429])

  const stranger = from(newAddress())
  await stranger.login((await addAccount(api)).email)
  await from(newAddress()).login(email, WRONG)
  await countAs('login-account-3600', 100)
  for (const forged of [
    stranger.cookies.get('device') ?? '',
    `${mark.split('.')[0]}.${'A'.repeat(43)}`,
    '.',
    'x',
    `${mark}x`,
  ]) {
    const attacker = from(newAddress())
    attacker.cookies.set('device', forged)
    expect([forged, (await attacker.login(email, WRONG)).status]).toEqual([forged, 429])
  }
})

test('the store contains neither mailboxes nor networks', async () => {
  const { email } = await addAccount(api)
  await from('203.0.113.77').login(email, WRONG)
  const { rows } = await api.database.pool.query<{ key: string }>('select key from rate_limits')
  expect(rows.length).toBeGreaterThan(3)
  expect(rows.filter(({ key }) => key.includes('@') || key.includes('203.0.113'))).toEqual([])
})

test('guesses at a session’s current password are throttled, too', async () => {
  const { email } = await addAccount(api)
  const visitor = from(newAddress())
  await visitor.login(email)
  const answers = []
  for (let n = 0; n < 6; n++)
    answers.push(
      (await visitor.post('/user/password', { currentPassword: WRONG, newPassword: 'another 7 seas' })).status,
    )
  expect(answers).toEqual([401, 401, 401, 401, 401, 429])
})

test('no login succeeds while attempts can’t be counted', async () => {
  const down = await startTestApi({
    database: api.database,
    settings: { RATE_LIMIT_STORE: 'redis://127.0.0.1:1' },
    log: testLog.child({}, { level: 'silent' }) as Log,
  })
  const { email } = await addAccount(api)
  const { status, body, headers } = await createVisitor(down).login(email, PASSWORD)
  expect([status, body.error]).toEqual([503, 'unavailable'])
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
})
