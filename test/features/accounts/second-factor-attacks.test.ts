// Attacks on the second factor, by a person who knows the password or has a look at what another one sent.
import { describe, expect, test } from 'vitest'
import { createSetupCode } from '../../../src/features/accounts/index.ts'
import { startTestApi } from '../../support/api.ts'
import { type Authenticator, createAuthenticator } from '../../support/authenticator.ts'
import {
  actionsAudited,
  addOwner,
  addPasskey,
  codeAt,
  enterPassword,
  eventsMailed,
  ORIGIN,
  type Owner,
  passkeyOptions,
  SECOND_FACTOR_SETTINGS,
  secondStep,
  setUpCodes,
} from './second-factor-support.ts'
import { type Account, type Answer, createVisitor, mailedToken, PASSWORD, type Visitor } from './support.ts'

let now = Date.now()
const settings = { ...SECOND_FACTOR_SETTINGS, TRUST_PROXY: '1' }
const api = await startTestApi({ settings, clock: () => now })
const { pool } = api.database
const FACTOR = '/user/second-factor'
const SESSION = '__Host-session'
const SECOND_STEP = '__Host-second_step'

let addresses = 0
const newAddress = () => `198.51.${100 + Math.floor(++addresses / 250)}.${addresses % 250}`
/** A browser that has entered the password, at an address of its own. */
async function entered({ email }: Account, address = newAddress()): Promise<Visitor> {
  const visitor = createVisitor(api, { 'x-forwarded-for': address })
  expect((await visitor.login(email)).body.error).toBe('second_factor_needed')
  return visitor
}

const withCodes = async () => {
  now += 120_000
  return setUpCodes(await addOwner(api), now)
}
const withPasskey = async () => addPasskey(await addOwner(api))
const REFUSED = [401, 'invalid_credentials']
const codeOf = ({ status, body }: Answer) => [status, body.error]
const isLoggedIn = async (visitor: Visitor) => (await visitor.get('/auth/session')).status === 200
const successes = (answers: Answer[]) => answers.filter(({ status }) => status === 200).length

describe('passkeys', () => {
  const LIES = {
    'of another origin': { origin: 'https://directory.example.evil.example' },
    'of http': { origin: 'http://directory.example' },
    'of another port': { origin: `${ORIGIN}:8443` },
    'for another site': { rpId: 'example' },
    'that makes a passkey': { type: 'webauthn.create' },
    'with another challenge': { challenge: 'A'.repeat(43) },
  }

  for (const [name, lies] of Object.entries(LIES))
    test(`an answer ${name} is refused, and uses the challenge up unless it has another`, async () => {
      const owner = await withPasskey()
      const visitor = await entered(owner)
      const options = await passkeyOptions(visitor)
      expect(codeOf(await secondStep(visitor, { passkey: owner.authenticator.get(options, lies) }))).toEqual(REFUSED)
      const honest = await secondStep(visitor, { passkey: owner.authenticator.get(options) })
      expect(honest.status).toBe('challenge' in lies ? 200 : 401)
    })

  test('an answer counts once, also of parallel requests', async () => {
    const owner = await withPasskey()
    const visitor = await entered(owner)
    const passkey = owner.authenticator.get(await passkeyOptions(visitor))
    const answers = await Promise.all(Array.from({ length: 5 }, () => secondStep(visitor, { passkey })))
    expect(successes(answers)).toBe(1)
    const again = await entered(owner)
    await passkeyOptions(again)
    expect(codeOf(await secondStep(again, { passkey }))).toEqual(REFUSED)
  })

  test('a challenge is of one login, of one purpose and of the last request', async () => {
    const owner = await withPasskey()
    const answer = async (options: { challenge: string }, visitor: Visitor) =>
      codeOf(await secondStep(visitor, { passkey: owner.authenticator.get(options) }))
    const [first, second] = [await entered(owner), await entered(owner)]
    const [ofFirst] = [await passkeyOptions(first), await passkeyOptions(second)]
    expect(await answer(ofFirst, second)).toEqual(REFUSED)
    const newer = await passkeyOptions(first)
    expect(await answer(ofFirst, first)).toEqual(REFUSED)
    const toConfirm = await passkeyOptions(owner.visitor, `${FACTOR}/confirm/passkey`)
    expect(await answer(toConfirm, first)).toEqual(REFUSED)
    await pool.query('update passkey_challenges set expires_at = now() where user_id = $1', [owner.id])
    expect(await answer(newer, first)).toEqual(REFUSED)
  })

  test('a passkey of another account, and an unknown one, are refused', async () => {
    const [owner, attacker] = [await withPasskey(), await withPasskey()]
    const stranger = createAuthenticator(ORIGIN)
    stranger.create({ challenge: '' })
    for (const authenticator of [attacker.authenticator, stranger]) {
      const visitor = await entered(owner)
      const options = await passkeyOptions(visitor)
      expect(codeOf(await secondStep(visitor, { passkey: authenticator.get(options) }))).toEqual(REFUSED)
    }
  })

  test('the id of a passkey with the signature of another is refused', async () => {
    const [owner, attacker] = [await withPasskey(), await withPasskey()]
    const visitor = await entered(owner)
    const options = await passkeyOptions(visitor)
    const { id, rawId } = owner.authenticator.get(options)
    expect(
      codeOf(await secondStep(visitor, { passkey: { ...attacker.authenticator.get(options), id, rawId } })),
    ).toEqual(REFUSED)
  })

  test('a counter that does not rise disables the passkey, and its owner gets one mail', async () => {
    const owner = await withPasskey()
    const answer = async (counter: number) => {
      const visitor = await entered(owner)
      return codeOf(
        await secondStep(visitor, { passkey: owner.authenticator.get(await passkeyOptions(visitor), { counter }) }),
      )
    }
    expect(await answer(7)).toEqual([200, undefined])
    expect(await answer(7)).toEqual(REFUSED)
    expect(await answer(8)).toEqual(REFUSED)
    expect((await owner.visitor.get(FACTOR)).body).toMatchObject({ isOn: true, passkeys: [{ isDisabled: true }] })
    expect(await eventsMailed(api, owner)).toEqual(['passkey-added', 'passkey-copied'])
    expect(await actionsAudited(api, owner)).toEqual(['user.passkey.add', 'user.passkey.disable'])
    const visitor = await entered(owner)
    expect((await visitor.get('/auth/second-step')).body.methods).toEqual(['recoveryCode'])
    expect((await secondStep(visitor, { recoveryCode: owner.recoveryCodes[0] })).status).toBe(200)
  })

  test('of a passkey and its copy that sign the same counter at once, one gets in', async () => {
    const owner = await withPasskey()
    const visitors = [await entered(owner), await entered(owner)]
    const passkeys = await Promise.all(
      visitors.map(async (visitor) => owner.authenticator.get(await passkeyOptions(visitor), { counter: 5 })),
    )
    const answers = await Promise.all(visitors.map((visitor, n) => secondStep(visitor, { passkey: passkeys[n] })))
    expect(successes(answers)).toBe(1)
  })

  test('an authenticator that counts nothing is accepted', async () => {
    const owner = await withPasskey()
    for (let n = 0; n < 2; n++) {
      const visitor = await entered(owner)
      const passkey = owner.authenticator.get(await passkeyOptions(visitor), { counter: 0 })
      expect((await secondStep(visitor, { passkey })).status).toBe(200)
    }
  })

  describe('that are added', () => {
    const begin = async ({ visitor }: Owner) =>
      (await visitor.post(`${FACTOR}/passkeys/options`, { password: PASSWORD })).body
    const add = async ({ visitor }: Owner, credential: ReturnType<Authenticator['create']>) =>
      codeOf(await visitor.post(`${FACTOR}/passkeys`, { name: 'Phone', credential }))
    const NOT_VALID = [400, 'passkey_refused']

    for (const lies of [{ origin: 'https://evil.example' }, { rpId: 'evil.example' }, { type: 'webauthn.get' }])
      test(`must not be made ${Object.entries(lies).flat().join(' ')}`, async () => {
        const owner = await addOwner(api)
        const options = await begin(owner)
        expect(await add(owner, createAuthenticator(ORIGIN).create(options, lies))).toEqual(NOT_VALID)
        expect(await add(owner, createAuthenticator(ORIGIN).create(options))).toEqual(NOT_VALID)
        expect((await owner.visitor.get(FACTOR)).body.isOn).toBe(false)
      })

    test('belong to the session that began', async () => {
      const [owner, attacker] = [await addOwner(api), await addOwner(api)]
      const options = await begin(owner)
      expect(await add(attacker, createAuthenticator(ORIGIN).create(options))).toEqual(NOT_VALID)
      expect(await add(owner, createAuthenticator(ORIGIN).create(options))).toEqual([201, undefined])
    })

    test('are of one account', async () => {
      const [owner, attacker] = [await withPasskey(), await addOwner(api)]
      const { keys } = owner.authenticator
      const thief = createAuthenticator(ORIGIN)
      const options = await begin(attacker)
      const made = thief.create(options)
      // The same credential id: as long as the attested one, in the attestation and beside it.
      const [own, theirs] = [thief.keys[0]?.id, keys[0]?.id]
      const swap = (text: string) =>
        Buffer.from(text, 'base64url')
          .toString('latin1')
          .replace(own?.toString('latin1') ?? '', theirs?.toString('latin1') ?? '')
      const id = theirs?.toString('base64url') ?? ''
      const attestationObject = Buffer.from(swap(made.response.attestationObject), 'latin1').toString('base64url')
      const stolen = { ...made, id, rawId: id, response: { ...made.response, attestationObject } }
      expect(await add(attacker, stolen)).toEqual([400, 'passkey_known'])
    })
  })
})

describe('codes', () => {
  test('a code counts once: not for another login, not to confirm, and once of parallel requests', async () => {
    const owner = await withCodes()
    now += 30_000
    const code = codeAt(owner.secret, now)
    const visitors = await Promise.all(Array.from({ length: 5 }, () => entered(owner)))
    const answers = await Promise.all(visitors.map((visitor) => secondStep(visitor, { code })))
    expect(successes(answers)).toBe(1)
    expect(codeOf(await owner.visitor.post(`${FACTOR}/confirm`, { code }))).toEqual(REFUSED)
    now += 30_000
    expect(codeOf(await secondStep(await entered(owner), { code }))).toEqual(REFUSED)
  })

  test('the code that confirmed the secret does not log in', async () => {
    const owner = await withCodes()
    expect(codeOf(await secondStep(await entered(owner), { code: codeAt(owner.secret, now) }))).toEqual(REFUSED)
  })

  test('a recovery code works once, also in parallel', async () => {
    const owner = await withCodes()
    const visitors = await Promise.all(Array.from({ length: 5 }, () => entered(owner)))
    const [recoveryCode] = owner.recoveryCodes
    const answers = await Promise.all(visitors.map((visitor) => secondStep(visitor, { recoveryCode })))
    expect(successes(answers)).toBe(1)
    expect(codeOf(await secondStep(await entered(owner), { recoveryCode }))).toEqual(REFUSED)
    expect((await owner.visitor.get(FACTOR)).body.recoveryCodesLeft).toBe(9)
  })

  test('a recovery code of another account is refused', async () => {
    const [owner, attacker] = [await withCodes(), await withCodes()]
    const answer = { recoveryCode: attacker.recoveryCodes[0] }
    expect(codeOf(await secondStep(await entered(owner), answer))).toEqual(REFUSED)
  })

  test('five wrong answers in a minute make a caller wait, also in new logins', async () => {
    const owner = await withCodes()
    const address = newAddress()
    for (let n = 0; n < 5; n++)
      expect((await secondStep(await entered(owner, address), { code: '000000' })).status).toBe(401)
    expect((await secondStep(await entered(owner, address), { recoveryCode: owner.recoveryCodes[0] })).status).toBe(429)
    expect((await secondStep(await entered(owner), { recoveryCode: owner.recoveryCodes[0] })).status).toBe(200)
  })

  test('guessing from many addresses ends codes for a while, but not passkeys and recovery codes; the owner gets one mail', async () => {
    const owner = await addPasskey(await withCodes())
    const answers = []
    for (let n = 0; n < 13; n++) answers.push((await secondStep(await entered(owner), { code: '000000' })).status)
    expect(answers).toEqual([...Array(10).fill(401), 429, 429, 429])
    now += 30_000
    const right = { code: codeAt((owner as unknown as { secret: string }).secret, now) }
    expect((await secondStep(await entered(owner), right)).body.message).toMatch(/use a passkey or a recovery code/)
    const visitor = await entered(owner)
    const passkey = owner.authenticator.get(await passkeyOptions(visitor))
    expect((await secondStep(visitor, { passkey })).status).toBe(200)
    expect((await eventsMailed(api, owner)).filter((event) => event === 'codes-guessed')).toHaveLength(1)
  })
})

describe('skipping the second step', () => {
  test('the cookie of a login is no session', async () => {
    const visitor = await entered(await withCodes())
    visitor.cookies.set(SESSION, visitor.cookies.get(SECOND_STEP) ?? '')
    expect(await isLoggedIn(visitor)).toBe(false)
  })

  test('a session that never confirmed the second factor counts for nothing: an earlier release opens such', async () => {
    const owner = await withCodes()
    await pool.query('update sessions set second_factor_at = null where user_id = $1', [owner.id])
    expect(await isLoggedIn(owner.visitor)).toBe(false)
  })

  test('a login ends with the password that it entered, with a ban, and with the account', async () => {
    const changes = [
      `update users set password_hash = 'another' where id = $1`,
      'update users set banned_at = now() where id = $1',
      'delete from users where id = $1',
    ]
    for (const change of changes) {
      const owner = await withCodes()
      const visitor = await entered(owner)
      await pool.query(change, [owner.id])
      const { status } = await secondStep(visitor, { recoveryCode: owner.recoveryCodes[0] })
      expect(status).toBe(401)
      expect(await isLoggedIn(visitor)).toBe(false)
    }
  })

  test('a login is completed once', async () => {
    const owner = await withCodes()
    const visitor = await entered(owner)
    const step = visitor.cookies.get(SECOND_STEP) ?? ''
    const [first, second] = owner.recoveryCodes
    expect((await secondStep(visitor, { recoveryCode: first })).status).toBe(200)
    visitor.cookies.set(SECOND_STEP, step)
    expect(codeOf(await secondStep(visitor, { recoveryCode: second }))).toEqual([401, 'unauthenticated'])
  })

  test('one account’s second factor completes no login of another', async () => {
    const [owner, attacker] = [await withCodes(), await withCodes()]
    now += 30_000
    expect(codeOf(await secondStep(await entered(owner), { code: codeAt(attacker.secret, now) }))).toEqual(REFUSED)
  })

  test('to read the account’s mails is not enough: a reset of the password keeps the second factor', async () => {
    const owner = await withCodes()
    const token = await mailedToken(api, { kind: 'reset-password', userId: owner.id })
    const reset = await createVisitor(api).post('/auth/password-reset/confirm', {
      token,
      password: PASSWORD,
      revokeAccess: true,
    })
    expect(reset.status).toBe(200)
    expect(await isLoggedIn(owner.visitor)).toBe(false)
    expect((await secondStep(await entered(owner), { recoveryCode: owner.recoveryCodes[0] })).status).toBe(200)
  })

  test('a second factor set up with another person’s address is gone once that person resets the password', async () => {
    const attacker = await addOwner(api)
    await pool.query('update users set email_verified_at = null where id = $1', [attacker.id])
    await addPasskey(attacker)
    const token = await mailedToken(api, { kind: 'reset-password', userId: attacker.id })
    const victim = createVisitor(api)
    const password = 'a password of the victim'
    expect((await victim.post('/auth/password-reset/confirm', { token, password })).status).toBe(200)
    expect((await victim.login(attacker.email, password)).status).toBe(200)
  })

  test('a session left open sets no second factor up without the password, and removes none without a confirmation', async () => {
    const { visitor } = await addOwner(api)
    expect((await visitor.post(`${FACTOR}/codes`, {})).status).toBe(401)
    const owner = await withCodes()
    await pool.query(`update sessions set second_factor_at = now() - interval '11 minutes' where user_id = $1`, [
      owner.id,
    ])
    expect(codeOf(await owner.visitor.send('DELETE', `${FACTOR}/codes`))).toEqual([403, 'confirmation_needed'])
  })
})

describe('fixation and forgery', () => {
  test('the second step gives a new session, and ends the one that the browser had', async () => {
    const [owner, attacker] = [await withCodes(), await addOwner(api)]
    const visitor = await entered(owner)
    const planted = attacker.visitor.cookies.get(SESSION) ?? ''
    visitor.cookies.set(SESSION, planted)
    expect((await secondStep(visitor, { recoveryCode: owner.recoveryCodes[0] })).status).toBe(200)
    expect(visitor.cookies.get(SESSION)).not.toBe(planted)
    expect(await isLoggedIn(attacker.visitor)).toBe(false)
  })

  test('with two logins in one browser, one was planted: neither is completed', async () => {
    const [owner, attacker] = [await withCodes(), await withCodes()]
    const [visitor, other] = [await entered(owner), await entered(attacker)]
    const cookie = `${visitor.cookieHeader()}; ${SECOND_STEP}=${other.cookies.get(SECOND_STEP)}`
    const answer = { recoveryCode: owner.recoveryCodes[0] }
    const { status } = await createVisitor(api, { cookie }).post('/auth/second-step', answer)
    expect(status).toBe(401)
  })

  test('pages of other origins complete no login, and confirm and change nothing', async () => {
    const owner = await withCodes()
    const visitor = await entered(owner)
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const answer = { recoveryCode: owner.recoveryCodes[0] }
    expect((await visitor.post('/auth/second-step', answer, foreign)).status).toBe(403)
    for (const path of ['/confirm', '/recovery-codes', '/codes', '/passkeys/options', '/confirm/passkey'])
      expect((await owner.visitor.post(`${FACTOR}${path}`, path === '/confirm' ? answer : {}, foreign)).status).toBe(
        403,
      )
    expect((await secondStep(visitor, answer)).status).toBe(200)
  })

  test('an API key reaches nothing of the second factor', async () => {
    const { visitor } = await withCodes()
    const { key, secret } = (await visitor.post('/user/api-keys', { name: 'Bot' })).body
    const bot = createVisitor(api, { authorization: `Bearer ${key}.${secret}` })
    for (const path of [FACTOR, '/auth/second-step']) expect((await bot.get(path)).status).toBe(403)
    expect((await bot.post(`${FACTOR}/recovery-codes`)).status).toBe(403)
    expect((await bot.get('/user/servers')).status).toBe(200)
  })
})

describe('administrators', async () => {
  const strict = await startTestApi({
    database: api.database,
    settings: { ...settings, REQUIRE_SECOND_FACTOR: 'true' },
    clock: () => now,
  })

  test('with a required second factor can use nothing of the administration before they have one', async () => {
    now += 120_000
    const admin = await addOwner(strict)
    await pool.query('update users set is_admin = true where id = $1', [admin.id])
    const { visitor } = admin
    expect((await visitor.get('/auth/session')).body.user.isAdmin).toBe(true)
    for (const path of ['users', 'servers', 'audit'])
      expect(codeOf(await visitor.get(`/admin/${path}`))).toEqual([403, 'second_factor_required'])
    expect((await visitor.get(FACTOR)).body).toMatchObject({ isRequired: true, isOn: false })
    await setUpCodes(admin, now, await createSetupCode(pool, admin.email))
    expect((await visitor.get('/admin/users')).status).toBe(200)
  })

  test('without one have no rights on other accounts’ servers either', async () => {
    const [admin, owner] = [await addOwner(strict), await addOwner(strict)]
    await pool.query('update users set is_admin = true where id = $1', [admin.id])
    const { body } = await owner.visitor.post('/servers', {
      name: 'Nordland',
      ipAddress: '203.0.113.77',
      gamePort: 27015,
    })
    expect((await admin.visitor.send('PATCH', `/servers/${body.server.id}`, { name: 'Taken' })).status).toBe(403)
  })

  test('confirm it again before they change or remove accounts', async () => {
    now += 120_000
    const admin = await addOwner(strict)
    await pool.query('update users set is_admin = true where id = $1', [admin.id])
    await setUpCodes(admin, now, await createSetupCode(pool, admin.email))
    await pool.query(`update sessions set second_factor_at = now() - interval '11 minutes' where user_id = $1`, [
      admin.id,
    ])
    const other = await addOwner(strict)
    const path = `/admin/users/${other.id}`
    expect(codeOf(await admin.visitor.send('PATCH', path, { isAdmin: true }))).toEqual([403, 'confirmation_needed'])
    expect(codeOf(await admin.visitor.send('DELETE', path))).toEqual([403, 'confirmation_needed'])
    expect((await admin.visitor.get('/admin/users')).status).toBe(200)
  })

  test('confirm it again before they give a server to another account, but not to hide it', async () => {
    now += 120_000
    const [admin, owner] = [await addOwner(strict), await addOwner(strict)]
    await pool.query('update users set is_admin = true where id = $1', [admin.id])
    await setUpCodes(admin, now, await createSetupCode(pool, admin.email))
    const { body } = await owner.visitor.post('/servers', {
      name: 'Südland',
      ipAddress: '203.0.113.78',
      gamePort: 27015,
    })
    await pool.query(`update sessions set second_factor_at = now() - interval '11 minutes' where user_id = $1`, [
      admin.id,
    ])
    const path = `/admin/servers/${body.server.id}`
    const given = await admin.visitor.send('PATCH', path, { ownerId: admin.id })
    expect(codeOf(given)).toEqual([403, 'confirmation_needed'])
    expect((await admin.visitor.send('PATCH', path, { hidden: true })).status).toBe(200)
    const { rows } = await pool.query('select owner_id from servers where id = $1', [body.server.id])
    expect(rows).toEqual([{ owner_id: owner.id }])
  })
})

test('a key’s scopes are changed only by a session that was confirmed lately', async () => {
  const { visitor, id } = await withCodes()
  const { body: key } = await visitor.post('/user/api-keys', { name: 'Bot', scopes: ['read'] })
  const widen = () => visitor.send('PATCH', `/user/api-keys/${key.id}`, { scopes: ['read', 'servers:write'] })
  expect((await widen()).status).toBe(200)
  await pool.query(`update sessions set second_factor_at = now() - interval '11 minutes' where user_id = $1`, [id])
  expect(codeOf(await widen())).toEqual([403, 'confirmation_needed'])
})

test('a login whose second step is not needed any more can still be completed', async () => {
  const owner = await withCodes()
  const visitor = await enterPassword(api, owner)
  const code = codeAt(owner.secret, now + 30_000)
  expect((await secondStep(visitor, { code })).status).toBe(200)
})
