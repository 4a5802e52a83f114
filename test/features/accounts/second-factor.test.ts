// The second factor: setting it up, logging in with it, confirming with it, and getting rid of it.
import { beforeEach, describe, expect, test } from 'vitest'
import { startTestApi } from '../../support/api.ts'
import { createAuthenticator } from '../../support/authenticator.ts'
import {
  actionsAudited,
  addOwner,
  addPasskey,
  codeAt,
  enterPassword,
  eventsMailed,
  ORIGIN,
  passkeyOptions,
  SECOND_FACTOR_SETTINGS,
  secondStep,
  setUpCodes,
  type WithCodes,
} from './second-factor-support.ts'
import { createVisitor, PASSWORD } from './support.ts'

let now = Date.now()
const api = await startTestApi({ settings: SECOND_FACTOR_SETTINGS, clock: () => now })
const { pool } = api.database
const FACTOR = '/user/second-factor'

/** Each code counts once, so each test begins with a new one. */
beforeEach(() => {
  now += 120_000
})

const withCodes = async () => setUpCodes(await addOwner(api), now)
const nextCode = ({ secret }: WithCodes) => {
  now += 30_000
  return codeAt(secret, now)
}
/** The session's last confirmation was eleven minutes ago. */
const letConfirmationExpire = ({ id }: { id: string }) =>
  pool.query(`update sessions set second_factor_at = now() - interval '11 minutes' where user_id = $1`, [id])
const codeOf = ({ status, body }: { status: number; body: { error?: string } }) => [status, body.error]

describe('logging in', () => {
  test('an account without a second factor logs in as before', async () => {
    const { visitor } = await addOwner(api)
    expect((await visitor.get('/auth/session')).status).toBe(200)
    expect(visitor.cookies.has('__Host-second_step')).toBe(false)
  })

  test('the right password opens no session, and says what the account accepts', async () => {
    const owner = await withCodes()
    const visitor = createVisitor(api)
    const { status, body } = await visitor.login(owner.email)
    expect(status).toBe(401)
    expect(body).toMatchObject({ error: 'second_factor_needed', methods: ['code', 'recoveryCode'] })
    expect([...visitor.cookies.keys()]).toEqual(['__Host-second_step'])
    expect((await visitor.get('/auth/session')).status).toBe(401)
    expect((await visitor.get('/auth/second-step')).body).toMatchObject({ methods: ['code', 'recoveryCode'] })
  })

  test('a wrong password is answered as for any account', async () => {
    const owner = await withCodes()
    expect(codeOf(await createVisitor(api).login(owner.email, 'wrong horse'))).toEqual([401, 'invalid_credentials'])
  })

  test('a code completes the login', async () => {
    const owner = await withCodes()
    const visitor = await enterPassword(api, owner)
    const { status, body } = await secondStep(visitor, { code: nextCode(owner) })
    expect(status).toBe(200)
    expect(body.user.email).toBe(owner.email)
    expect(visitor.cookies.has('__Host-second_step')).toBe(false)
    expect((await visitor.get('/auth/session')).status).toBe(200)
  })

  test('a code of the period before or after is accepted, those beyond are not', async () => {
    const owner = await withCodes()
    now += 300_000
    for (const seconds of [-60, 60]) {
      const visitor = await enterPassword(api, owner)
      const code = codeAt(owner.secret, now + seconds * 1000)
      expect(codeOf(await secondStep(visitor, { code }))).toEqual([401, 'invalid_credentials'])
    }
    for (const seconds of [-30, 30]) {
      const visitor = await enterPassword(api, owner)
      expect((await secondStep(visitor, { code: codeAt(owner.secret, now + seconds * 1000) })).status).toBe(200)
    }
  })

  test('a passkey completes the login, and its use is noted', async () => {
    const owner = await addPasskey(await addOwner(api))
    const visitor = await enterPassword(api, owner)
    const options = await passkeyOptions(visitor)
    expect(options).toMatchObject({ rpId: 'directory.example', userVerification: 'preferred' })
    const { status } = await secondStep(visitor, { passkey: owner.authenticator.get(options) })
    expect(status).toBe(200)
    const { passkeys } = (await visitor.get(FACTOR)).body
    expect(passkeys).toMatchObject([{ name: 'Laptop', isDisabled: false, lastUsedAt: expect.any(String) }])
  })

  test('a recovery code completes the login however it is typed; its owner gets a mail with how many are left', async () => {
    const owner = await withCodes()
    const visitor = await enterPassword(api, owner)
    const typed = owner.recoveryCodes[0]?.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o')
    expect((await secondStep(visitor, { recoveryCode: typed })).status).toBe(200)
    expect((await visitor.get(FACTOR)).body.recoveryCodesLeft).toBe(9)
    expect(await eventsMailed(api, owner)).toEqual(['codes-added', 'recovery-code-used'])
    expect(await actionsAudited(api, owner)).toEqual(['user.codes.add', 'user.recovery-code.use'])
  })

  test('a login that waited ten minutes has to begin again', async () => {
    const owner = await withCodes()
    const visitor = await enterPassword(api, owner)
    await pool.query(`update login_steps set expires_at = now() where user_id = $1`, [owner.id])
    expect(codeOf(await secondStep(visitor, { code: nextCode(owner) }))).toEqual([401, 'unauthenticated'])
  })

  test('an answer of two kinds, or of none, is not valid', async () => {
    const owner = await withCodes()
    const visitor = await enterPassword(api, owner)
    for (const answer of [{}, { code: '123456', recoveryCode: owner.recoveryCodes[0] }])
      expect(codeOf(await secondStep(visitor, answer))).toEqual([400, 'validation_failed'])
  })
})

describe('setting up', () => {
  test('needs the password while there is no second factor', async () => {
    const { visitor } = await addOwner(api)
    for (const path of ['codes', 'passkeys/options'])
      for (const body of [{}, { password: 'wrong horse' }])
        expect(codeOf(await visitor.post(`${FACTOR}/${path}`, body))).toEqual([401, 'invalid_credentials'])
  })

  test('needs a login of the last ten minutes for an account without a password', async () => {
    const { visitor, id } = await addOwner(api)
    await pool.query('update users set password_hash = null where id = $1', [id])
    await pool.query(`update sessions set created_at = now() - interval '11 minutes' where user_id = $1`, [id])
    for (const path of ['codes', 'passkeys/options'])
      expect(codeOf(await visitor.post(`${FACTOR}/${path}`, {}))).toEqual([403, 'confirmation_needed'])
    await pool.query(`update sessions set created_at = now() - interval '9 minutes' where user_id = $1`, [id])
    expect((await visitor.post(`${FACTOR}/codes`, {})).status).toBe(200)
  })

  test('can’t follow a first password that an old session has set', async () => {
    const { visitor, id } = await addOwner(api)
    await pool.query('update users set password_hash = null where id = $1', [id])
    await pool.query(`update sessions set created_at = now() - interval '11 minutes' where user_id = $1`, [id])
    const newPassword = 'plough all 7 seas'
    expect(codeOf(await visitor.post('/user/password', { newPassword }))).toEqual([403, 'confirmation_needed'])
    await pool.query(`update sessions set created_at = now() - interval '9 minutes' where user_id = $1`, [id])
    expect((await visitor.post('/user/password', { newPassword })).status).toBe(200)
  })

  test('the first one comes with ten recovery codes and ends all other sessions; a further one does not', async () => {
    const owner = await addOwner(api)
    const other = createVisitor(api)
    await other.login(owner.email)
    const { recoveryCodes } = await addPasskey(owner)
    expect(new Set(recoveryCodes).size).toBe(10)
    for (const code of recoveryCodes) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{5}-){3}[0-9A-HJKMNP-TV-Z]{5}$/)
    expect((await other.get('/auth/session')).status).toBe(401)
    expect((await owner.visitor.get('/auth/session')).status).toBe(200)
    expect((await setUpCodes(owner, now)).recoveryCodes).toBeNull()
    expect((await owner.visitor.get(FACTOR)).body).toMatchObject({
      isOn: true,
      isRequired: false,
      hasCodes: true,
      recoveryCodesLeft: 10,
      confirmedUntil: expect.any(String),
    })
    expect(await eventsMailed(api, owner)).toEqual(['passkey-added', 'codes-added'])
  })

  test('codes count only once a right code has confirmed them', async () => {
    const owner = await addOwner(api)
    const { body } = await owner.visitor.post(`${FACTOR}/codes`, { password: PASSWORD })
    expect(body.uri).toMatch(/^otpauth:\/\/totp\/directory\.example:/)
    const wrong = await owner.visitor.post(`${FACTOR}/codes/confirm`, { code: '000000' })
    expect(codeOf(wrong)).toEqual([401, 'invalid_credentials'])
    expect((await createVisitor(api).login(owner.email)).status).toBe(200)
  })

  test('the secret is stored encrypted, and recovery codes as hashes', async () => {
    const owner = await withCodes()
    const { rows } = await pool.query(
      `select secret as text from one_time_code_secrets where user_id = $1
       union all select encode(code_hash, 'escape') from recovery_codes where user_id = $1`,
      [owner.id],
    )
    expect(rows).toHaveLength(11)
    for (const { text } of rows)
      for (const secret of [owner.secret, ...owner.recoveryCodes]) expect(text).not.toContain(secret)
    expect(rows[0].text).toMatch(/^v1\./)
  })

  test('the authenticator gets a handle that is not the account’s id, the same each time', async () => {
    const { visitor, id } = await addOwner(api)
    const [first, second] = await Promise.all(
      [1, 2].map(() => visitor.post(`${FACTOR}/passkeys/options`, { password: PASSWORD })),
    )
    expect(first?.body.user.id).toBe(second?.body.user.id)
    expect(Buffer.from(first?.body.user.id, 'base64url').toString('hex')).not.toContain(id.replaceAll('-', ''))
  })

  test('a passkey is renamed and removed by its owner only', async () => {
    const [owner, other] = [await addPasskey(await addOwner(api)), await addPasskey(await addOwner(api))]
    const [{ id }] = (await owner.visitor.get(FACTOR)).body.passkeys
    expect((await other.visitor.send('PATCH', `${FACTOR}/passkeys/${id}`, { name: 'Mine' })).status).toBe(404)
    expect((await other.visitor.send('DELETE', `${FACTOR}/passkeys/${id}`)).status).toBe(404)
    expect((await owner.visitor.send('PATCH', `${FACTOR}/passkeys/${id}`, { name: 'Desk' })).status).toBe(200)
    expect((await owner.visitor.get(FACTOR)).body.passkeys).toMatchObject([{ name: 'Desk' }])
    // The log outlives the account, so it has no name that the user typed.
    const { rows } = await api.database.pool.query('select details from audit_log where target_id = $1', [owner.id])
    expect(rows).toEqual([{ details: { passkeyId: id } }])
  })

  test('the last second factor takes the recovery codes with it, and the account logs in with its password alone', async () => {
    const owner = await setUpCodes(await addPasskey(await addOwner(api)), now)
    const [{ id }] = (await owner.visitor.get(FACTOR)).body.passkeys
    expect((await owner.visitor.send('DELETE', `${FACTOR}/passkeys/${id}`)).status).toBe(200)
    expect((await owner.visitor.get(FACTOR)).body).toMatchObject({ isOn: true, recoveryCodesLeft: 10 })
    expect((await owner.visitor.send('DELETE', `${FACTOR}/codes`)).status).toBe(200)
    expect((await owner.visitor.get(FACTOR)).body).toMatchObject({ isOn: false, recoveryCodesLeft: 0 })
    expect((await createVisitor(api).login(owner.email)).status).toBe(200)
    expect(await eventsMailed(api, owner)).toEqual(['passkey-added', 'codes-added', 'passkey-removed', 'codes-removed'])
  })

  test('new recovery codes replace the earlier ones', async () => {
    const owner = await withCodes()
    const { body } = await owner.visitor.post(`${FACTOR}/recovery-codes`)
    const visitor = await enterPassword(api, owner)
    const [before] = owner.recoveryCodes
    expect((await secondStep(visitor, { recoveryCode: before })).status).toBe(401)
    expect((await secondStep(visitor, { recoveryCode: body.recoveryCodes[0] })).status).toBe(200)
    const { visitor: without } = await addOwner(api)
    expect(codeOf(await without.post(`${FACTOR}/recovery-codes`))).toEqual([400, 'second_factor_off'])
  })
})

describe('what can’t be undone', () => {
  const DANGEROUS = [
    ['DELETE', '/user', { password: PASSWORD }],
    ['POST', '/user/password', { currentPassword: PASSWORD, newPassword: 'another good one' }],
    ['POST', '/user/api-keys', { name: 'Bot' }],
    ['POST', '/user/unlink/gameplatform', undefined],
    ['POST', `${FACTOR}/passkeys/options`, {}],
    ['POST', `${FACTOR}/codes`, {}],
    ['DELETE', `${FACTOR}/codes`, undefined],
    ['POST', `${FACTOR}/recovery-codes`, undefined],
  ] as const

  test('needs a confirmation within ten minutes, which a code, a passkey or a recovery code is', async () => {
    const owner = await setUpCodes(await addPasskey(await addOwner(api)), now)
    const { visitor, authenticator, recoveryCodes } = {
      ...(await addPasskey(owner, createAuthenticator(ORIGIN))),
      recoveryCodes: [],
    }
    expect(recoveryCodes).toEqual([])
    await letConfirmationExpire(owner)
    for (const [method, path, body] of DANGEROUS)
      expect(codeOf(await visitor.send(method, path, body))).toEqual([403, 'confirmation_needed'])
    expect((await visitor.get(FACTOR)).body.confirmedUntil).toBeNull()
    expect((await visitor.post(`${FACTOR}/confirm`, { code: nextCode(owner) })).status).toBe(200)
    expect((await visitor.post('/user/api-keys', { name: 'Bot' })).status).toBe(201)
    await letConfirmationExpire(owner)
    const options = await passkeyOptions(visitor, `${FACTOR}/confirm/passkey`)
    expect((await visitor.post(`${FACTOR}/confirm`, { passkey: authenticator.get(options) })).status).toBe(200)
    expect((await visitor.post(`${FACTOR}/recovery-codes`)).status).toBe(200)
  })

  test('is as before for an account without a second factor, and for API keys', async () => {
    const { visitor } = await addOwner(api)
    expect((await visitor.post('/user/api-keys', { name: 'Bot' })).status).toBe(201)
    expect((await visitor.send('DELETE', '/user', { password: PASSWORD })).status).toBe(200)
  })

  test('a change of the password keeps this session, and its confirmation', async () => {
    const owner = await withCodes()
    const changed = await owner.visitor.post('/user/password', {
      currentPassword: PASSWORD,
      newPassword: 'plough 8 seas',
    })
    expect(changed.status).toBe(200)
    expect((await owner.visitor.get('/auth/session')).status).toBe(200)
    expect((await owner.visitor.post('/user/api-keys', { name: 'Bot' })).status).toBe(201)
  })

  test('the deletion of the account deletes its second factor', async () => {
    const owner = await setUpCodes(await addPasskey(await addOwner(api)), now)
    expect((await owner.visitor.send('DELETE', '/user', { password: PASSWORD })).status).toBe(200)
    for (const table of ['passkeys', 'one_time_code_secrets', 'recovery_codes'])
      expect((await pool.query(`select from ${table} where user_id = $1`, [owner.id])).rowCount).toBe(0)
  })
})
