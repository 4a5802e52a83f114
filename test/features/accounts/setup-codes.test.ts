// Rights that need a second factor: they do not count without one, and a setup code is the way to the first.
import { expect, test } from 'vitest'
import { createSetupCode, removeSecondFactor } from '../../../src/features/accounts/index.ts'
import { startTestApi } from '../../support/api.ts'
import { addOwner, codeAt, type Owner, SECOND_FACTOR_SETTINGS, setUpCodes } from './second-factor-support.ts'
import { PASSWORD } from './support.ts'

const api = await startTestApi({ settings: { ...SECOND_FACTOR_SETTINGS, REQUIRE_SECOND_FACTOR: 'true' } })
const { pool } = api.database
const { REQUIRE_SECOND_FACTOR } = api.deps.settings

const CODES = '/user/second-factor/codes'

async function addStaff(role: 'is_admin' | 'is_moderator'): Promise<Owner> {
  const owner = await addOwner(api)
  await pool.query(`update users set ${role} = true where id = $1`, [owner.id])
  return owner
}

const codeOf = async ({ email }: Owner) => (await createSetupCode(pool, email)) ?? ''
const begin = (owner: Owner, setupCode?: string) => owner.visitor.post(CODES, { password: PASSWORD, setupCode })

async function setUp(owner: Owner): Promise<void> {
  const { body } = await begin(owner, await codeOf(owner))
  const confirmed = await owner.visitor.post(`${CODES}/confirm`, { code: codeAt(body.secret, Date.now()) })
  expect(confirmed.status).toBe(200)
}

test.each([
  ['is_admin', '/admin/users'],
  ['is_moderator', '/admin/reports'],
] as const)('an account with %s has its rights only with a second factor', async (role, path) => {
  expect(REQUIRE_SECOND_FACTOR).toBe(true)
  const staff = await addStaff(role)
  const { visitor } = staff
  const refused = { status: 403, body: { error: 'second_factor_required' } }
  expect(await visitor.get(path)).toMatchObject(refused)
  expect((await visitor.get('/user/profile')).status).toBe(200)
  await setUp(staff)
  expect((await visitor.get(path)).status).toBe(200)
  expect(await removeSecondFactor(api.deps, staff.email)).toBe(true)
  expect((await visitor.get(path)).status).toBe(401)
  expect((await visitor.login(staff.email)).status).toBe(200)
  expect(await visitor.get(path)).toMatchObject(refused)
})

test('the first one takes the code of the account, and not only its password', async () => {
  const [staff, other] = [await addStaff('is_admin'), await addStaff('is_admin')]
  const refused = { status: 400, body: { error: 'setup_code_needed' } }
  expect(await begin(staff)).toMatchObject(refused)
  expect(await begin(staff, 'AAAAA-AAAAA-AAAAA-AAAAA')).toMatchObject(refused)
  expect(await begin(staff, await codeOf(other))).toMatchObject(refused)
  const earlier = await codeOf(staff)
  const code = await codeOf(staff)
  expect(await begin(staff, earlier)).toMatchObject(refused)
  const wrongPassword = await staff.visitor.post(CODES, { password: 'not the password', setupCode: code })
  expect(wrongPassword.status).toBe(401)
  expect(await staff.visitor.post('/user/second-factor/passkeys/options', { password: PASSWORD })).toMatchObject(
    refused,
  )
  expect((await begin(staff, ` ${code.toLowerCase().replaceAll('-', ' ')} `)).status).toBe(200)
  await pool.query(`update email_tokens set expires_at = now() where user_id = $1 and purpose = 'setup'`, [staff.id])
  expect(await begin(staff, code)).toMatchObject(refused)
})

test('a factor that is set up before the address of a named administrator is confirmed takes the code, too', async () => {
  const production = await startTestApi({
    database: api.database,
    settings: {
      ...SECOND_FACTOR_SETTINGS,
      REQUIRE_SECOND_FACTOR: 'true',
      NODE_ENV: 'production',
      ADMIN_EMAILS: 'boss@example.com',
    },
    server: { port: 0 },
  })
  const owner = await addOwner(production)
  await pool.query(`update users set email = 'boss@example.com', email_verified_at = null where id = $1`, [owner.id])
  expect(await begin(owner)).toMatchObject({ status: 400, body: { error: 'setup_code_needed' } })
  expect((await owner.visitor.get('/user/second-factor')).body).toMatchObject({ isOn: false, isRequired: true })
  const page = await fetch(`${production.url}/account/second-factor`, {
    headers: { cookie: owner.visitor.cookieHeader() ?? '' },
  })
  expect(await page.text()).toContain('name="setupCode"')
})

test('a code is of no use once a second factor is set up', async () => {
  const staff = await addStaff('is_admin')
  await setUp(staff)
  const { rows } = await pool.query(`select from email_tokens where user_id = $1 and purpose = 'setup'`, [staff.id])
  expect(rows).toEqual([])
})

test('an account without rights needs no code, and an unknown address gets none', async () => {
  await setUpCodes(await addOwner(api), Date.now())
  expect(await createSetupCode(pool, 'unknown@example.com')).toBeUndefined()
  expect(await removeSecondFactor(api.deps, 'unknown@example.com')).toBe(false)
})

test('an account without an address is named by its id', async () => {
  const staff = await addStaff('is_moderator')
  const loginAddress = staff.email
  await pool.query('update users set email = null where id = $1', [staff.id])
  const code = await createSetupCode(pool, staff.id)
  const begun = await begin(staff, code)
  expect(begun.status).toBe(200)
  const confirmed = await staff.visitor.post(`${CODES}/confirm`, { code: codeAt(begun.body.secret, Date.now()) })
  expect(confirmed.status).toBe(200)
  expect(await createSetupCode(pool, loginAddress)).toBeUndefined()
  expect(await removeSecondFactor(api.deps, staff.id)).toBe(true)
  expect(await removeSecondFactor(api.deps, staff.id)).toBe(false)
})

test('no account is promoted without a second factor', async () => {
  const admin = await addStaff('is_admin')
  await setUp(admin)
  const user = await addOwner(api)
  const promote = (change: object) => admin.visitor.send('PATCH', `/admin/users/${user.id}`, change)
  for (const change of [{ isAdmin: true }, { isModerator: true }])
    expect(await promote(change)).toMatchObject({ status: 400, body: { error: 'second_factor_missing' } })
  expect((await promote({ isAdmin: false, tier: 'standard' })).status).toBe(200)
  await setUpCodes(user, Date.now())
  expect((await promote({ isModerator: true })).status).toBe(200)
})
