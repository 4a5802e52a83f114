// Logs, queues and tables contain no secret in clear text, and expired data is deleted.
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { runAccountsUpkeep } from '../../../src/features/accounts/index.ts'
import { startTestApi } from '../../support/api.ts'
import { emptyTables } from '../../support/database.ts'
import { addAccount, createVisitor, mailedToken, PASSWORD } from './support.ts'

let logged = ''
const log = pino(
  { level: 'trace' },
  {
    write(line) {
      logged += line
    },
  },
)
const api = await startTestApi({ log })
const { pool } = api.database
afterAll(() => api.stop())

test('passwords, tokens and addresses are neither in the log nor in the queue', async () => {
  const email = 'very.private@example.com'
  const visitor = createVisitor(api)
  const { body } = await visitor.post('/auth/register', { email, password: PASSWORD, username: 'Someone' })
  const secrets = [PASSWORD, email, ...visitor.cookies.values()]
  const newPassword = 'a different 7 seas'
  await visitor.post('/auth/register', { email, password: PASSWORD, username: 'Someone' })
  await visitor.login(email, 'not the password')
  await visitor.login(email)
  secrets.push('not the password', newPassword, ...visitor.cookies.values())
  await visitor.post('/user/password', { currentPassword: PASSWORD, newPassword })
  secrets.push(...visitor.cookies.values())
  await visitor.post('/auth/password-reset', { email })
  await visitor.post('/auth/verify-email/send')
  const reset = await mailedToken(api, { kind: 'reset-password', userId: body.user.id })
  const verification = await mailedToken(api, { kind: 'verify-email', userId: body.user.id })
  secrets.push(reset, verification)
  await visitor.post('/auth/verify-email', { token: verification })
  await visitor.post('/auth/password-reset/confirm', { token: reset, password: PASSWORD })

  // A database error may contain the statement's values.
  await pool.query('alter table users rename column password_hash to gone')
  try {
    expect((await createVisitor(api).login(email)).status).toBe(500)
    const failed = await createVisitor(api).post('/auth/register', {
      email: `x${email}`,
      password: PASSWORD,
      username: 'Someone',
    })
    expect(failed.status).toBe(500)
  } finally {
    await pool.query('alter table users rename column gone to password_hash')
  }

  const { rows: users } = await pool.query<{ hash: string }>('select password_hash as hash from users')
  const { rows: jobs } = await pool.query('select * from pgboss.job')
  const { rows: kept } = await pool.query(
    `select token_hash::text, user_id::text from sessions
     union all select token_hash::text, purpose from email_tokens
     union all select password_hash, username from users`,
  )
  expect(jobs.length).toBeGreaterThan(3)
  expect(logged).toContain('request failed')
  for (const secret of [...secrets, ...users.map(({ hash }) => hash)]) {
    expect(logged.includes(secret), `${secret} is logged`).toBe(false)
    expect(JSON.stringify(jobs).includes(secret), `${secret} is queued`).toBe(false)
  }
  for (const secret of secrets) expect(JSON.stringify(kept).includes(secret), `${secret} is stored`).toBe(false)
})

test('exactly the expired data is deleted', async () => {
  await emptyTables(pool, 'sessions', 'email_tokens', 'used_nonces')
  const [{ id, email }, other] = [await addAccount(api), await addAccount(api)]
  const visitor = createVisitor(api)
  await visitor.login(email)
  await createVisitor(api).login(other.email)
  await mailedToken(api, { kind: 'reset-password', userId: id })
  await mailedToken(api, { kind: 'reset-password', userId: other.id })
  await pool.query(`insert into used_nonces values ('a', now() - interval '1 s'), ('b', now() + interval '1 min')`)
  await pool.query(`update sessions set expires_at = now() where user_id = $1`, [other.id])
  await pool.query(`update email_tokens set expires_at = now() where user_id = $1`, [other.id])
  await runAccountsUpkeep(api.deps)
  await runAccountsUpkeep(api.deps)
  const { rows } = await pool.query(`
    select (select array_agg(user_id::text) from sessions) as sessions,
      (select array_agg(user_id::text) from email_tokens) as tokens,
      (select array_agg(nonce) from used_nonces) as nonces`)
  expect(rows).toEqual([{ sessions: [id], tokens: [id], nonces: ['b'] }])
  expect((await visitor.get('/auth/session')).status).toBe(200)
})
