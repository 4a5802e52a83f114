// Verifying an address, and resetting and changing a password.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { writeMail } from '../../../src/features/accounts/index.ts'
import { hashToken } from '../../../src/platform/hash-token.ts'
import { startTestApi } from '../../support/api.ts'
import { addAccount, createVisitor, mailedToken, mailOrders, PASSWORD } from './support.ts'

const api = await startTestApi()
const { pool } = api.database
const NEW_PASSWORD = 'a different 7 seas'

const isVerified = async (id: string) => {
  const { rows } = await pool.query<{ verified: boolean }>(
    'select email_verified_at is not null as verified from users where id = $1',
    [id],
  )
  return rows[0]?.verified
}
const verify = (token: string) => createVisitor(api).post('/auth/verify-email', { token, password: PASSWORD })
const confirm = (token: string, password = NEW_PASSWORD) =>
  createVisitor(api).post('/auth/password-reset/confirm', { token, password })
const invalid = (answer: { status: number; body: { error: string } }) => [answer.status, answer.body.error]
const INVALID = [400, 'invalid_token']

test('the token from the mail verifies the address, once', async () => {
  const { id } = await addAccount(api)
  const token = await mailedToken(api, { kind: 'verify-email', userId: id })
  expect((await verify(token)).body).toEqual({ success: true })
  expect(await isVerified(id)).toBe(true)
  expect(invalid(await verify(token))).toEqual(INVALID)
  expect(await writeMail(api.deps, { kind: 'verify-email', userId: id }, randomUUID())).toBeUndefined()
})

test('the mail goes to the account’s address and contains no text that its user chose', async () => {
  const { id, email } = await addAccount(api)
  await pool.query(`update users set username = 'Win now at evil.example' where id = $1`, [id])
  for (const kind of ['verify-email', 'reset-password', 'password-changed'] as const) {
    const mail = await writeMail(api.deps, { kind, userId: id }, randomUUID())
    expect(mail?.to).toBe(email)
    expect(mail?.subject).toMatch(/^[\w ,-]{10,60}$/)
    expect(mail?.text).not.toContain('evil.example')
  }
})

test('a newer mail invalidates the older token', async () => {
  const { id } = await addAccount(api)
  const older = await mailedToken(api, { kind: 'verify-email', userId: id })
  const newer = await mailedToken(api, { kind: 'verify-email', userId: id })
  expect(invalid(await verify(older))).toEqual(INVALID)
  expect((await verify(newer)).status).toBe(200)
})

test('a mail that is sent again has the same link, valid again for the whole time', async () => {
  const { id } = await addAccount(api)
  for (const kind of ['verify-email', 'reset-password'] as const) {
    const order = { kind, userId: id }
    const jobId = randomUUID()
    const first = await mailedToken(api, order, jobId)
    await pool.query(`update email_tokens set expires_at = now() + interval '1 second' where user_id = $1`, [id])
    expect(await mailedToken(api, order, jobId)).toBe(first)
    const { rows } = await pool.query(
      `select purpose from email_tokens where user_id = $1 and token_hash = $2 and expires_at > now() + interval '59 minutes'`,
      [id, hashToken(first)],
    )
    expect(rows).toHaveLength(1)
    expect(await mailedToken(api, order)).not.toBe(first)
  }
  const jobId = randomUUID()
  const verification = await mailedToken(api, { kind: 'verify-email', userId: id }, jobId)
  const reset = await mailedToken(api, { kind: 'reset-password', userId: id }, jobId)
  expect(reset).not.toBe(verification)
})

test('a repeated mail does not make a used link valid again, nor mail one token to two addresses', async () => {
  const { id } = await addAccount(api)
  const jobId = randomUUID()
  const order = { kind: 'reset-password' as const, userId: id }
  const used = await mailedToken(api, order, jobId)
  expect((await confirm(used)).status).toBe(200)
  const repeat = await mailedToken(api, order, jobId)
  expect(invalid(await confirm(used))).toEqual(INVALID)
  await pool.query(`update users set email = 'other-box@example.com' where id = $1`, [id])
  expect(await mailedToken(api, order, jobId)).not.toBe(repeat)
})

test('tokens are valid for one purpose, for 24 hours or one, and only for the address they were sent to', async () => {
  const { id } = await addAccount(api)
  const verification = await mailedToken(api, { kind: 'verify-email', userId: id })
  const reset = await mailedToken(api, { kind: 'reset-password', userId: id })
  const { rows } = await pool.query(
    `select purpose, round(extract(epoch from expires_at - created_at) / 3600)::int as hours
     from email_tokens where user_id = $1 order by purpose`,
    [id],
  )
  expect(rows).toEqual([
    { purpose: 'reset', hours: 1 },
    { purpose: 'verify', hours: 24 },
  ])
  expect(invalid(await verify(reset))).toEqual(INVALID)
  expect(invalid(await confirm(verification))).toEqual(INVALID)

  await pool.query(`update users set email = 'moved@example.com' where id = $1`, [id])
  expect(invalid(await verify(verification))).toEqual(INVALID)
  expect(invalid(await confirm(reset))).toEqual(INVALID)
  const late = await mailedToken(api, { kind: 'reset-password', userId: id })
  await pool.query(`update email_tokens set expires_at = now() where user_id = $1`, [id])
  expect(invalid(await confirm(late))).toEqual(INVALID)
  for (const nonsense of ['', 'x', 'é', 'A'.repeat(43)]) expect(invalid(await verify(nonsense))).toEqual(INVALID)
})

test('a reset sets the password, ends every session, opens none, and verifies the address', async () => {
  const { id, email } = await addAccount(api)
  const visitor = createVisitor(api)
  await visitor.login(email)
  const token = await mailedToken(api, { kind: 'reset-password', userId: id })
  const { status, body, headers } = await confirm(token)
  expect([status, body]).toEqual([200, { success: true }])
  expect(headers.getSetCookie().map((line) => line.split('=')[0])).toEqual(['device'])
  expect((await visitor.get('/auth/session')).status).toBe(401)
  expect((await createVisitor(api).login(email)).status).toBe(401)
  expect((await createVisitor(api).login(email, NEW_PASSWORD)).status).toBe(200)
  expect(await isVerified(id)).toBe(true)
  expect(await mailOrders(api, id)).toEqual(['password-changed'])
  expect(invalid(await confirm(token))).toEqual(INVALID)
})

test('of ten confirmations with one token at once, one succeeds', async () => {
  const { id } = await addAccount(api)
  const token = await mailedToken(api, { kind: 'reset-password', userId: id })
  const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => confirm(token, `${NEW_PASSWORD} ${n}`)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(400)])
})

test('a token stays valid after a refused password', async () => {
  const { id, email } = await addAccount(api)
  const token = await mailedToken(api, { kind: 'reset-password', userId: id })
  expect((await confirm(token, 'password1')).body).toMatchObject({
    error: 'validation_failed',
    details: [{ path: 'body.password', message: expect.stringContaining('too common') }],
  })
  expect((await confirm(token, `${email.split('@')[0]}-1`)).body.error).toBe('validation_failed')
  expect((await confirm(token)).status).toBe(200)
})

test('a device that has just reset the password can log in despite other callers’ failed attempts', async () => {
  const { id, email } = await addAccount(api)
  const owner = createVisitor(api)
  for (let n = 0; n < 6; n++) await owner.login(email, 'not the password')
  expect((await owner.login(email)).status).toBe(429)
  const token = await mailedToken(api, { kind: 'reset-password', userId: id })
  await owner.post('/auth/password-reset/confirm', { token, password: NEW_PASSWORD })
  expect((await owner.login(email, NEW_PASSWORD)).status).toBe(200)
})

test('a reset request reveals nothing: the same answer and work, with a mail only to an account', async () => {
  const { id, email } = await addAccount(api)
  const ask = (address: string) => createVisitor(api).post('/auth/password-reset', { email: address })
  const jobs = async () =>
    (await pool.query<{ n: number }>(`select count(*) as n from pgboss.job where data ->> 'kind' = 'reset-password'`))
      .rows[0]?.n ?? 0
  const before = await jobs()
  const known = await ask(email)
  const unknown = await ask('unknown@example.com')
  expect([known.status, known.body]).toEqual([unknown.status, unknown.body])
  expect(known.status).toBe(200)
  expect(await jobs()).toBe(before + 2)
  expect(await mailOrders(api, id)).toEqual(['reset-password'])
  const { rows } = await pool.query<{ id: string }>(
    `select data ->> 'userId' as id from pgboss.job where data ->> 'kind' = 'reset-password' and data ->> 'userId' <> $1`,
    [id],
  )
  for (const { id: userId } of rows)
    expect(await writeMail(api.deps, { kind: 'reset-password', userId }, randomUUID())).toBeUndefined()
})

test('an address gets three mails an hour; further requests get the same answer', async () => {
  const { id, email } = await addAccount(api)
  for (let n = 0; n < 5; n++)
    expect((await createVisitor(api).post('/auth/password-reset', { email })).status).toBe(200)
  expect(await mailOrders(api, id)).toEqual(Array(3).fill('reset-password'))
})

test('a session can request a new verification mail three times an hour', async () => {
  const { id, email } = await addAccount(api)
  const visitor = createVisitor(api)
  await visitor.login(email)
  const answers = []
  for (let n = 0; n < 4; n++) answers.push((await visitor.post('/auth/verify-email/send')).status)
  expect(answers).toEqual([200, 200, 200, 429])
  expect(await mailOrders(api, id)).toEqual(Array(3).fill('verify-email'))
})

test('banned and deleted accounts, and those without an address, get no mail, and a banned one can’t be reset', async () => {
  const { id } = await addAccount(api)
  const token = await mailedToken(api, { kind: 'reset-password', userId: id })
  await pool.query('update users set banned_at = now() where id = $1', [id])
  expect(await writeMail(api.deps, { kind: 'reset-password', userId: id }, randomUUID())).toBeUndefined()
  expect(invalid(await confirm(token))).toEqual(INVALID)
  const other = await addAccount(api)
  await pool.query('update users set email = null where id = $1', [other.id])
  expect(await writeMail(api.deps, { kind: 'verify-email', userId: other.id }, randomUUID())).toBeUndefined()
})

test('changing the password needs the current one, ends all other sessions and renews this session’s token', async () => {
  const { id, email } = await addAccount(api)
  const [visitor, other] = [createVisitor(api), createVisitor(api)]
  await visitor.login(email)
  await other.login(email)
  const before = visitor.cookies.get('session')
  const change = (body: object) => visitor.post('/user/password', body)
  expect((await change({ newPassword: NEW_PASSWORD })).body.error).toBe('invalid_credentials')
  expect((await change({ currentPassword: 'not it, no', newPassword: NEW_PASSWORD })).status).toBe(401)
  expect((await change({ currentPassword: PASSWORD, newPassword: 'password1' })).body.details).toEqual([
    { path: 'body.newPassword', message: expect.stringContaining('too common') },
  ])
  expect((await other.get('/auth/session')).status).toBe(200)
  expect((await change({ currentPassword: PASSWORD, newPassword: NEW_PASSWORD })).body).toEqual({ success: true })
  expect(visitor.cookies.get('session')).not.toBe(before)
  expect((await visitor.get('/auth/session')).status).toBe(200)
  expect((await other.get('/auth/session')).status).toBe(401)
  expect(await mailOrders(api, id)).toEqual(['password-changed'])
  const { rows } = await pool.query<{ n: number }>('select count(*) as n from sessions where user_id = $1', [id])
  expect(rows).toEqual([{ n: 1 }])
})

test('an account of a linked platform sets its first password without a current one, if it has an address', async () => {
  const { id, email } = await addAccount(api)
  const visitor = createVisitor(api)
  await visitor.login(email)
  await pool.query('update users set password_hash = null where id = $1', [id])
  expect((await visitor.post('/user/password', { newPassword: NEW_PASSWORD })).status).toBe(200)
  expect((await createVisitor(api).login(email, NEW_PASSWORD)).status).toBe(200)
  await pool.query('update users set password_hash = null, email = null where id = $1', [id])
  expect((await visitor.post('/user/password', { newPassword: PASSWORD })).body.error).toBe('email_needed')
})
