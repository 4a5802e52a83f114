// Notification mails as people get them, over STARTTLS, and what their recipients change by them without logging in.
import tls from 'node:tls'
import type { SMTPServerSession } from 'smtp-server'
import { expect, test } from 'vitest'
import { enqueueDigests, writeDigest } from '../../../src/features/notifications/index.ts'
import { startTestApi, TEST_SECRET } from '../../support/api.ts'
import { createCertificate } from '../../support/certificate.ts'
import { isMissing } from '../../support/installed.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { addPerson, type Person } from '../../support/people.ts'
import { startMailWorker } from '../../workers/mail/support.ts'
import { callerOf } from '../servers/support.ts'
import { addServer, pass, setOnline, takeMails, tell } from './support.ts'

const api = await startTestApi()
const { pool } = api.database
const call = callerOf(api)
const SOON = { timeout: 20_000, interval: 50 }

/** A mail of the API's secret, or of another one. */
async function mailTo(person: Person, settings: object = {}) {
  const server = await addServer(pool, 'The Island', person.id)
  await setOnline(pool, server, false)
  await tell(api.deps, 'serverOffline', { serverId: server })
  await pass(pool, 120)
  await enqueueDigests(api.deps)
  await takeMails(pool)
  const mail = await writeDigest({ pool, settings: { ...api.deps.settings, ...settings } }, { userId: person.id })
  return { server, token: /\/notifications#([\w-]+)$/m.exec(mail?.text ?? '')?.[1] ?? '', mail }
}
const unsubscribe = (token: string) => call(undefined, 'POST', `/notifications/unsubscribe?token=${token}`)
const change = (token: string, fields: object = {}) =>
  call(undefined, 'POST', '/notifications/mail-settings', { token, ...fields })
const preferences = async (person: Person) => (await call(person, 'GET', '/user/notification-preferences')).body

test.skipIf(isMissing('openssl'))(
  'a mail comes over STARTTLS, as HTML and text, and its one click ends such mails',
  { timeout: 60_000 },
  async () => {
    const { key, cert } = createCertificate()
    tls.setDefaultCACertificates([...tls.getCACertificates('default'), cert.toString()])
    const sessions: Pick<SMTPServerSession, 'secure' | 'user'>[] = []
    const mailServer = await startMailServer({
      key,
      cert,
      disabledCommands: [],
      authOptional: false,
      onAuth: (auth, _session, done) => done(null, { user: `${auth.username}:${auth.password}` }),
      onMailFrom(_address, { secure, user }, done) {
        sessions.push({ secure, user })
        done()
      },
    })
    const owner = await addPerson(pool)
    const server = await addServer(pool, 'The <b>Island</b> https://evil.example', owner.id)
    await setOnline(pool, server, false)
    const url = `${mailServer.url.replace('smtp://127.0.0.1', 'smtp://me:secret@localhost')}?requireTLS=true`
    await startMailWorker(api.database, { SMTP_URL: url, PUBLIC_BASE_URL: api.url })
    await tell(api.deps, 'serverOffline', { serverId: server })
    await pass(pool, 120)
    await enqueueDigests(api.deps)
    await expect.poll(() => mailServer.received.length, SOON).toBe(1)
    expect(sessions).toEqual([{ secure: true, user: 'me:secret' }])

    const [received] = mailServer.received
    if (!received) throw new Error('no mail')
    const { headers, text, html } = received
    expect(headers.get('content-type')).toMatch(/^multipart\/alternative/)
    for (const content of [text, html]) {
      expect(content).toContain('Server Directory')
      expect(content).toContain(`${api.url}/servers/${server}`)
      expect(content).toMatch(new RegExp(`${api.url}/notifications#[\\w-]{44}`))
      expect(content).not.toMatch(/curl|\{id\}|PATCH|\/api\//)
    }
    expect(html).toContain('The &#60;b&#62;Island&#60;/b&#62; https://evil.example went offline.')
    expect(html.match(/href="[^"]*"/g)?.every((link) => link.startsWith(`href="${api.url}`))).toBe(true)

    expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    const oneClick = /^<(http.*)>$/.exec(headers.get('list-unsubscribe') ?? '')?.[1] ?? ''
    const opened = await api.request(oneClick.replace(api.url, ''), { redirect: 'manual' })
    const page = new URL(opened.headers.get('location') ?? '')
    expect([opened.status, page.pathname]).toEqual([302, '/notifications'])
    expect(text).toContain(`/notifications${page.hash}\n`)
    expect(await preferences(owner)).toMatchObject({ email: true })
    for (let time = 0; time < 2; time++) {
      const response = await api.request(oneClick.replace(api.url, ''), {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'List-Unsubscribe=One-Click',
      })
      expect([response.status, await response.json()]).toEqual([200, { success: true }])
    }
    expect(await preferences(owner)).toMatchObject({ email: false, events: { serverOffline: true } })
  },
)

test('a mail that waits is not sent after the click', async () => {
  const person = await addPerson(pool)
  const { server, token } = await mailTo(person)
  await tell(api.deps, 'serverOnline', { serverId: server })
  expect((await unsubscribe(token)).status).toBe(200)
  const { rows } = await pool.query(`select from pending_notices where user_id = $1 and channel = 'email'`, [person.id])
  expect(rows).toEqual([])
})

test('the settings of mails are shown and changed by the mail’s token, and only those', async () => {
  const person = await addPerson(pool)
  const { token } = await mailTo(person)
  const { chat, ...shown } = await preferences(person)
  expect(await change(token)).toEqual({ status: 200, body: shown })
  const changed = await change(token, { events: { serverOffline: false } })
  expect(changed.body).toMatchObject({ email: true, events: { serverOffline: false, serverOnline: true } })
  expect(await preferences(person)).toEqual({ ...changed.body, chat })
  expect((await change(token, { email: false })).body).toMatchObject({ email: false, events: { serverOffline: false } })
  expect((await change(token, { chat: true })).status).toBe(400)
  expect((await change(token, { events: { auctionLost: true } })).status).toBe(400)
})

test('a token is valid for one purpose and one user, and only while the account keeps its address', async () => {
  const [person, other] = [await addPerson(pool), await addPerson(pool)]
  const { token } = await mailTo(person)
  const { token: others } = await mailTo(other)
  const invalid = { status: 400, body: { error: 'invalid_token' } }
  for (const wrong of [token.slice(0, 22) + others.slice(22), others.slice(0, 22) + token.slice(22)])
    for (const use of [unsubscribe, change]) expect(await use(wrong)).toMatchObject(invalid)
  for (const wrong of ['', 'x', `${token}A`, 'A'.repeat(44), '-'.repeat(44)])
    for (const use of [unsubscribe, change]) expect((await use(wrong)).status).toBe(400)
  for (const [path, body] of [
    ['/auth/verify-email', { token }],
    ['/auth/password-reset/confirm', { token, password: 'till the 8 fields' }],
    ['/claims/stop', { token }],
  ] as const)
    expect(await call(undefined, 'POST', path, body)).toMatchObject(invalid)
  expect((await call({ authorization: `Bearer ${token}` }, 'GET', '/user/servers')).status).toBe(401)

  await pool.query(`update users set email = 'new-' || email where id = $1`, [person.id])
  expect(await unsubscribe(token)).toMatchObject(invalid)
  await pool.query('delete from users where id = $1', [other.id])
  expect(await unsubscribe(others)).toMatchObject(invalid)
  expect(await preferences(person)).toMatchObject({ email: true })
})

test('a token of the APP_SECRET before this one is still good', async () => {
  const person = await addPerson(pool)
  const { token } = await mailTo(person)
  const rotated = await startTestApi({
    database: api.database,
    settings: { APP_SECRET: 'another secret of the tests, 32 characters', APP_SECRET_PREVIOUS: TEST_SECRET },
  })
  expect((await callerOf(rotated)(undefined, 'POST', `/notifications/unsubscribe?token=${token}`)).status).toBe(200)
})
