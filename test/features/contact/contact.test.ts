// The contact form: what is stored, who gets the mail, and how often it can be used.
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { runContactRetention } from '../../../src/features/contact/index.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { testLog } from '../../support/database.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { addPerson } from '../../support/people.ts'
import { startMailWorker } from '../../workers/mail/support.ts'
import { callerOf } from '../servers/support.ts'

const OPERATORS = { ADMIN_EMAILS: 'one@example.org,two@example.org' }
const api = await startTestApi({ settings: { ...OPERATORS, TRUST_PROXY: '1' } })
const { database } = api
const { pool } = database
const admin = await addPerson(pool, { isAdmin: true })
const call = callerOf(api)

const form = (fields: Record<string, unknown> = {}) => ({
  name: 'Jörg',
  email: 'joerg@example.com',
  subject: 'A question',
  message: 'Hello,\n\nwhat is this?',
  ...fields,
})

let last = 0
/** From a new address unless given. */
async function write(
  fields: Record<string, unknown> = {},
  { from = '', through = api }: { from?: string; through?: TestApi } = {},
) {
  last++
  const response = await through.request('/api/contact', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from || `198.51.100.${last}` },
    body: JSON.stringify(form(fields)),
  })
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  }
}

const kept = async (name: string) =>
  (await pool.query('select * from contact_messages where name = $1 order by id', [name])).rows as Record<
    string,
    unknown
  >[]
const ordered = async (contactId: unknown) =>
  (
    await pool.query(
      `select data - '_cause' as data from pgboss.job where name = 'mail' and data ->> 'contactId' = $1`,
      [contactId],
    )
  ).rows

describe('a message', () => {
  test('is stored and its mail enqueued in one transaction; the client address is not stored, and the job has no text', async () => {
    const { status, body } = await write({ name: 'First' }, { from: '203.0.113.77' })
    expect({ status, body }).toEqual({ status: 200, body: { success: true, message: expect.any(String) } })
    const [message, ...others] = await kept('First')
    expect(others).toEqual([])
    expect(message).toMatchObject({ email: 'joerg@example.com', subject: 'A question', is_suspect: false })
    expect(JSON.stringify(message)).not.toContain('203.0.113')
    expect(await ordered(message?.id)).toEqual([{ data: { kind: 'contact-message', contactId: message?.id } }])
  })

  test('with the hidden field filled in is answered and stored, but not mailed', async () => {
    const plain = await write({ name: 'Person' })
    for (const website of ['https://buy.example', 1, ['x']]) {
      const { status, body } = await write({ name: 'Robot', website })
      expect({ status, body }).toEqual({ status: 200, body: plain.body })
    }
    const messages = await kept('Robot')
    expect(messages.map(({ is_suspect }) => is_suspect)).toEqual([true, true, true])
    for (const { id } of messages) expect(await ordered(id)).toEqual([])
    await write({ name: 'Shy', website: '' })
    expect(await kept('Shy')).toMatchObject([{ is_suspect: false }])
  })

  test.each([
    [{ name: '' }, 'body.name'],
    [{ name: 'x'.repeat(101) }, 'body.name'],
    [{ name: 'A\r\nBcc: b@example.com' }, 'body.name'],
    [{ email: 'no-address' }, 'body.email'],
    [{ email: 'a@example.com\r\nBcc: b@example.com' }, 'body.email'],
    [{ email: 'a@example.com, b@example.com' }, 'body.email'],
    [{ email: 'A <a@example.com>' }, 'body.email'],
    [{ subject: 'x'.repeat(151) }, 'body.subject'],
    [{ subject: 'a\nb' }, 'body.subject'],
    [{ message: ' \n ' }, 'body.message'],
    [{ message: 'x'.repeat(5_001) }, 'body.message'],
    [{ message: undefined }, 'body.message'],
  ])('with %j is refused, and not counted', async (fields, path) => {
    expect(await write(fields, { from: '192.0.2.200' })).toMatchObject({
      status: 400,
      body: { error: 'validation_failed', details: [{ path }] },
    })
  })
})

describe('limits', () => {
  test('five in an hour from one address, whatever they say, also at once; other addresses are not affected', async () => {
    const raced = await Promise.all(
      Array.from({ length: 9 }, (_, n) => write({ website: n % 2 ? 'x' : '' }, { from: '192.0.2.1' })),
    )
    expect(raced.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 429, 429, 429, 429])
    const refused = raced.find(({ status }) => status === 429)
    expect(refused?.body).toMatchObject({ error: 'rate_limited' })
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(3_000)
    expect((await write({}, { from: '192.0.2.2' })).status).toBe(200)
  })

  test('a /56 of IPv6 is one address', async () => {
    const statuses = []
    for (let n = 0; n < 6; n++) statuses.push((await write({}, { from: `2001:db8:1:${n}::1` })).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  })

  test('while messages can’t be counted none is accepted: 503', async () => {
    const counted = await startTestApi({ database, settings: { RATE_LIMIT_STORE: 'postgres', TRUST_PROXY: '1' } })
    await pool.query('alter table rate_limits rename to rate_limits_away')
    try {
      const { status, headers } = await write({ name: 'Uncounted' }, { through: counted })
      expect(status).toBe(503)
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      expect(await kept('Uncounted')).toEqual([])
    } finally {
      await pool.query('alter table rate_limits_away rename to rate_limits')
    }
  })
})

describe('mail', () => {
  test('goes to all administrators of ADMIN_EMAILS, and a reply to the sender', async () => {
    const server = await startMailServer()
    const worker = await startMailWorker(database, { SMTP_URL: server.url, ...OPERATORS })
    await write({ name: 'Jörg "x" <b@example.com>, c@example.com', subject: '' })
    const mine = () => server.received.find(({ text }) => text.includes('c@example.com'))
    await expect.poll(mine).toBeDefined()
    expect(mine()?.to).toEqual(['one@example.org', 'two@example.org'])
    expect(mine()?.from).toBe('no-reply@localhost')
    // One mailbox for any name, which is quoted or encoded as a whole.
    expect(mine()?.headers.get('reply-to')).toMatch(/^(=\?UTF-8\?[QB]\?[^ <>,]+\?=\s?)+ <joerg@example.com>$/)
    expect(mine()?.text).toContain('what is this?')
    expect(worker.logged()).not.toContain('joerg@example.com')
  })

  test('goes to CONTACT_EMAIL alone when that is set', async () => {
    const server = await startMailServer()
    const worker = await startMailWorker(database, {
      SMTP_URL: server.url,
      CONTACT_EMAIL: 'desk@example.org',
      ...OPERATORS,
    })
    const id = uuidv7()
    await pool.query(
      `insert into contact_messages (id, name, email, subject, message, visitor) values ($1, 'N', 'n@example.com', 'S', 'M', '')`,
      [id],
    )
    await worker.send({ kind: 'contact-message', contactId: id })
    await expect.poll(() => server.received.find(({ to }) => to.length === 1)?.to).toEqual(['desk@example.org'])
  })

  test('is not enqueued without a recipient, and the message is stored', async () => {
    const alone = await startTestApi({ database, settings: { TRUST_PROXY: '1' } })
    expect((await write({ name: 'Alone' }, { through: alone })).status).toBe(200)
    const [message] = await kept('Alone')
    expect(await ordered(message?.id)).toEqual([])
  })
})

describe('administrators', () => {
  test('see messages, newest first, and can delete them', async () => {
    await write({ name: 'Older' })
    await write({ name: 'Newer', website: 'x' })
    const { body } = await call(admin, 'GET', '/admin/contact?limit=2')
    expect(body).toMatchObject({
      messages: [
        { name: 'Newer', isSuspect: true },
        { name: 'Older', isSuspect: false, email: 'joerg@example.com', message: 'Hello,\n\nwhat is this?' },
      ],
      pagination: { page: 1, limit: 2 },
    })
    const real = (await call(admin, 'GET', '/admin/contact?suspect=false&limit=100')).body as {
      messages: { id: string; isSuspect: boolean }[]
    }
    expect(real.messages.every(({ isSuspect }) => !isSuspect)).toBe(true)
    const id = real.messages[0]?.id
    expect(await call(admin, 'DELETE', `/admin/contact/${id}`)).toEqual({ status: 200, body: { success: true } })
    expect(await kept('Older')).toEqual([])
    for (const gone of [id, 'nonsense'])
      expect((await call(admin, 'DELETE', `/admin/contact/${gone}`)).status).toBe(404)
    const { rows } = await pool.query(`select action, actor_id from audit_log where target_id = $1`, [id])
    expect(rows).toEqual([{ action: 'contact.delete', actor_id: admin.id }])
  })

  test('have messages kept for a year, suspected spam for thirty days', async () => {
    const ages: [string, boolean, number][] = [
      ['gone', false, 366],
      ['stays', false, 364],
      ['suspect gone', true, 31],
      ['suspect stays', true, 29],
    ]
    for (const [name, isSuspect, days] of ages)
      await pool.query(
        `insert into contact_messages (id, name, email, message, visitor, is_suspect, created_at)
         values ($1, $2, 'a@example.com', 'M', 'retention', $3, now() - make_interval(days => $4))`,
        [uuidv7(), name, isSuspect, days],
      )
    await runContactRetention({ pool, log: testLog })
    const { rows } = await pool.query(`select name from contact_messages where visitor = 'retention' order by name`)
    expect(rows.map(({ name }) => name)).toEqual(['stays', 'suspect stays'])
  })
})
