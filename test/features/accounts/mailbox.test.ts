// How many mails one mailbox gets, and how many one client address orders.
import { describe, expect, test } from 'vitest'
import { mailboxOf } from '../../../src/features/accounts/account-fields.ts'
import { startTestApi } from '../../support/api.ts'
import { addAccount, createVisitor, PASSWORD } from './support.ts'

const api = await startTestApi({ settings: { TRUST_PROXY: '1' } })
const { pool } = api.database

let addresses = 0
/** A visitor whose address has sent no request. */
const newVisitor = () => createVisitor(api, { 'x-forwarded-for': `198.18.0.${++addresses}` })
const register = (email: string, visitor = newVisitor()) =>
  visitor.post('/auth/register', { email, password: PASSWORD, username: 'Someone' })

/** Kinds of the mails that were ordered for accounts with such an address. */
async function mailsTo(pattern: string): Promise<string[]> {
  const { rows } = await pool.query<{ kind: string }>(
    `select data ->> 'kind' as kind from pgboss.job join users on users.id::text = data ->> 'userId'
     where name = 'mail' and email like $1 order by created_on`,
    [pattern],
  )
  return rows.map(({ kind }) => kind)
}

describe('a mailbox', () => {
  test.each([
    ['someone+shop@example.com', 'someone@example.com'],
    ['someone+a+b@example.com', 'someone@example.com'],
    ['some.one@example.com', 'some.one@example.com'],
    ['some.o.ne+x@gmail.com', 'someone@gmail.com'],
    ['some.one@googlemail.com', 'someone@gmail.com'],
    ['+tag@example.com', '+tag@example.com'],
  ])('of %s is %s', (address, mailbox) => {
    expect(mailboxOf(address)).toBe(mailbox)
  })

  test('gets three mails an hour, from however many clients and under however many tags', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => register(`victim+${n}@Example.com`)))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201))
    expect(await mailsTo('victim+%')).toHaveLength(3)
    for (let n = 0; n < 5; n++)
      expect((await newVisitor().post('/auth/password-reset', { email: `victim+${n}@example.com` })).status).toBe(200)
    expect(await mailsTo('victim+%')).toHaveLength(3)
  })

  test('is not filled by changes of a password whose account has an address that is not verified', async () => {
    const visitor = newVisitor()
    await register('changes@example.com', visitor)
    const passwords = [PASSWORD, ...Array.from({ length: 6 }, (_, n) => `${PASSWORD} ${n}`)]
    for (const [n, newPassword] of passwords.slice(1).entries())
      expect((await visitor.post('/user/password', { currentPassword: passwords[n], newPassword })).status).toBe(200)
    expect(await mailsTo('changes@%')).toEqual(['verify-email', 'password-changed', 'password-changed'])
  })

  test('gets the reset of its verified address, whatever other callers have had sent to it', async () => {
    const { id } = await addAccount(api, 'owner@example.com')
    await pool.query('update users set email_verified_at = now() where id = $1', [id])
    for (let n = 0; n < 5; n++) await register(`owner+${n}@example.com`)
    expect(await mailsTo('owner+%')).toHaveLength(3)
    await newVisitor().post('/auth/password-reset', { email: 'owner@example.com' })
    expect(await mailsTo('owner@%')).toEqual(['reset-password'])
  })

  test('of no account is not used up by requests for resets, which mail nothing', async () => {
    for (let n = 0; n < 5; n++) await newVisitor().post('/auth/password-reset', { email: 'later@example.com' })
    await register('later@example.com')
    expect(await mailsTo('later@%')).toEqual(['verify-email'])
  })
})

test('a client address registers and requests mails thirty times an hour, known addresses included', async () => {
  const { email } = await addAccount(api)
  const visitor = newVisitor()
  for (let n = 0; n < 10; n++) expect((await register(`many${n}@example.com`, visitor)).status).toBe(201)
  for (let n = 0; n < 10; n++) expect((await visitor.post('/auth/verify-email/send')).status).toBe(n < 2 ? 200 : 429)
  for (let n = 0; n < 10; n++) expect((await register(email, visitor)).body.error).toBe('email_taken')
  for (const answer of [
    await register('one-more@example.com', visitor),
    await register(email, visitor),
    await visitor.post('/auth/password-reset', { email }),
  ])
    expect([answer.status, answer.body.error]).toEqual([429, 'rate_limited'])
  expect((await register('one-more@example.com')).status).toBe(201)
})
