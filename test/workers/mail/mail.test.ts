// A real worker sends mails to a real mail server, which also refuses some.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { v7 as uuidv7 } from 'uuid'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../../commands/start/ports.ts'
import type { MailRequest } from '../../../src/features/mail/index.ts'
import { inTransaction } from '../../../src/platform/db/pool.ts'
import { createTestDatabase } from '../../support/database.ts'
import { parse, startMailServer } from '../../support/mail-server.ts'
import { startMailWorker } from './support.ts'

const database = await createTestDatabase()
const { pool } = database

// Else a test's worker would send the mails that an earlier test left to be retried.
beforeEach(async () => {
  await pool.query(`delete from pgboss.job where name = 'mail'`)
})

/** Adds a newly registered user and the job for the verification mail. */
async function addPerson(): Promise<{ email: string; order: MailRequest & { userId: string } }> {
  const userId = uuidv7()
  const email = `${userId}@example.com`
  await pool.query(`insert into users (id, email, username) values ($1, $2, 'Someone')`, [userId, email])
  return { email, order: { kind: 'verify-email', userId } }
}

interface JobRow {
  id: string
  queue: string
  state: string
  retries: number
  data: unknown
  output: unknown
}

/** Jobs about a user, the mail job first and then its dead letter. */
async function jobsOf(userId: string): Promise<JobRow[]> {
  const { rows } = await pool.query<JobRow>(
    `select id, name as queue, state, retry_count as retries, data, output
     from pgboss.job where data ->> 'userId' = $1 order by name`,
    [userId],
  )
  return rows
}

/** The queue looks for retried jobs every five seconds. */
const SOON = { timeout: 20_000, interval: 100 }

test('a mail arrives as composed, its token is created for this mail, and the job does not store the token', async () => {
  const server = await startMailServer()
  const worker = await startMailWorker(database, { SMTP_URL: server.url, MAIL_FROM: 'Die Gärtner <post@example.org>' })
  const { email, order } = await addPerson()
  await worker.send(order)
  await expect.poll(() => server.received.length, SOON).toBe(1)

  const [received] = server.received
  const [job] = await jobsOf(order.userId)
  expect(received).toMatchObject({ from: 'post@example.org', to: [email] })
  expect(received?.headers.get('to')).toBe(email)
  expect(received?.headers.get('from')).toBe('=?UTF-8?Q?Die_G=C3=A4rtner?= <post@example.org>')
  expect(received?.headers.get('subject')).toBe('Confirm your e-mail address')
  expect(received?.headers.get('message-id')).toBe(`<${job?.id}@example.org>`)
  expect(received?.headers.get('auto-submitted')).toBe('auto-generated')

  const token = /#([\w-]{43})$/m.exec(received?.text ?? '')?.[1] ?? ''
  const { rows } = await pool.query('select purpose from email_tokens where user_id = $1 and token_hash = $2', [
    order.userId,
    createHash('sha256').update(token).digest(),
  ])
  expect(rows).toEqual([{ purpose: 'verify' }])
  expect(job?.data).toEqual(order)
  await expect.poll(async () => (await jobsOf(order.userId))[0]?.state, SOON).toBe('completed')
  for (const secret of [token, email]) {
    expect(JSON.stringify(await jobsOf(order.userId)).includes(secret)).toBe(false)
    expect(worker.logged()).not.toContain(secret)
  }
})

test('while the mail server is down a mail waits, and is delivered once the server is back', async () => {
  const port = await freePort()
  const worker = await startMailWorker(database, { SMTP_URL: `smtp://127.0.0.1:${port}` })
  const { order, email } = await addPerson()
  await worker.send(order)
  await expect.poll(async () => (await jobsOf(order.userId))[0]?.state, SOON).toBe('retry')

  const server = await startMailServer({ port })
  await expect.poll(() => server.received.map(({ to }) => to), SOON).toEqual([[email]])
  await expect.poll(async () => (await jobsOf(order.userId)).map(({ state }) => state), SOON).toEqual(['completed'])
  expect(worker.logged()).toContain('mail not sent: ECONNREFUSED')
})

test('a mail the server can’t take now is tried again under the same Message-ID and with the same link', async () => {
  const arrived: { id: string | undefined; link: string | undefined }[] = []
  const server = await startMailServer({
    onData(stream, _session, done) {
      let source = ''
      stream.on('data', (chunk) => {
        source += String(chunk)
      })
      stream.on('end', () => {
        const { headers, text } = parse(source)
        arrived.push({ id: headers.get('message-id'), link: /http\S+#[\w-]{43}$/m.exec(text)?.[0] })
        done(arrived.length < 2 ? Object.assign(new Error('greylisted'), { responseCode: 451 }) : null)
      })
    },
  })
  const worker = await startMailWorker(database, { SMTP_URL: server.url })
  const { order } = await addPerson()
  await worker.send(order)
  await expect.poll(() => arrived.length, SOON).toBe(2)
  const [job] = await jobsOf(order.userId)
  const mail = { id: `<${job?.id}@localhost>`, link: expect.any(String) }
  expect(arrived).toEqual([mail, mail])
  expect(arrived[1]).toEqual(arrived[0])
})

test('a permanently refused recipient is not retried: the job becomes a dead letter, and no log contains the address', async () => {
  let attempts = 0
  const server = await startMailServer({
    onRcptTo({ address }, _session, done) {
      attempts++
      done(Object.assign(new Error(`<${address}>: no such user here`), { responseCode: 550 }))
    },
  })
  const worker = await startMailWorker(database, { SMTP_URL: server.url })
  const { order, email } = await addPerson()
  await worker.send(order)
  await expect
    .poll(async () => (await jobsOf(order.userId)).map(({ queue, state, retries }) => [queue, state, retries]), SOON)
    .toEqual([
      ['mail', 'failed', 0],
      ['mail-dead', 'created', 0],
    ])
  expect(attempts).toBe(1)
  const jobs = await jobsOf(order.userId)
  expect(jobs[0]?.output).toEqual({ message: 'mail refused: EENVELOPE RCPT TO 550' })
  expect(JSON.stringify(jobs)).not.toContain(email)
  expect(worker.logged()).toContain('job given up')
  expect(worker.logged()).not.toContain(email)
})

test('a mail waits while the mail server refuses the worker’s login, which the operator has to fix', async () => {
  const server = await startMailServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: (_auth, _session, done) => done(Object.assign(new Error('no'), { responseCode: 535 })),
  })
  const worker = await startMailWorker(database, { SMTP_URL: server.url.replace('//', '//someone:wrong-secret@') })
  const { order } = await addPerson()
  await worker.send(order)
  await expect.poll(async () => (await jobsOf(order.userId))[0]?.state, SOON).toBe('retry')
  expect(worker.logged()).toContain('mail not sent: EAUTH AUTH PLAIN 535')
  expect(worker.logged()).not.toContain('wrong-secret')
})

test('a mail that the mail server does not answer fails alone at its limit, and its connection ends', async () => {
  const [hanging, healthy] = [await addPerson(), await addPerson()]
  let unanswered = ''
  const ended: string[] = []
  const server = await startMailServer({
    onRcptTo({ address }, { id }, done) {
      if (address === hanging.email) unanswered = id
      else done()
    },
    onClose: ({ id }) => ended.push(id),
  })
  const worker = await startMailWorker(database, { SMTP_URL: server.url })
  await worker.sendTogether(hanging.order, healthy.order)
  await expect.poll(async () => (await jobsOf(hanging.order.userId))[0]?.state, SOON).toBe('failed')
  expect((await jobsOf(hanging.order.userId))[0]?.output).toEqual({
    message: 'not finished within 5 s: jobs of this queue expire after 10 s',
  })
  expect(await jobsOf(healthy.order.userId)).toMatchObject([{ queue: 'mail', state: 'completed' }])
  await expect.poll(() => ended).toContain(unanswered)
  expect(server.received.map(({ to }) => to)).toEqual([[healthy.email]])
})

test('a mail that waits for the database, and so ignores its signal, fails alone at its limit', async () => {
  const server = await startMailServer()
  const worker = await startMailWorker(database, { SMTP_URL: server.url })
  const { order, email } = await addPerson()
  const waiting: MailRequest = { kind: 'server-invitation', invitationId: uuidv7() }
  const waitingJob = async () =>
    (
      await pool.query(`select state, output from pgboss.job where data ->> 'invitationId' = $1`, [
        waiting.invitationId,
      ])
    ).rows[0]
  await inTransaction(pool, async (tx) => {
    await tx.query('lock table server_invitations')
    await worker.sendTogether(waiting, order)
    await expect.poll(waitingJob, SOON).toMatchObject({
      state: 'failed',
      output: { message: expect.stringMatching(/^not finished within 5 s/) },
    })
  })
  expect(await jobsOf(order.userId)).toMatchObject([{ queue: 'mail', state: 'completed' }])
  expect(server.received.map(({ to }) => to)).toEqual([[email]])
})

test('a user who was deleted or banned since gets no mail', async () => {
  const server = await startMailServer()
  const worker = await startMailWorker(database, { SMTP_URL: server.url })
  const { order: toBanned, email } = await addPerson()
  await pool.query('update users set banned_at = now() where id = $1', [toBanned.userId])
  const gone: MailRequest & { userId: string } = { kind: 'password-changed', userId: uuidv7() }
  for (const order of [toBanned, gone]) {
    await worker.send(order)
    await expect.poll(async () => (await jobsOf(order.userId))[0]?.state, SOON).toBe('completed')
  }
  // The previous test's waiting mail may arrive as well.
  expect(server.received.flatMap(({ to }) => to)).not.toContain(email)
})

test('without a mail server a mail is a file only this user can read, and the log states only its path', async () => {
  const temporary = fs.mkdtempSync(path.join(os.tmpdir(), 'server-directory-mail-'))
  onTestFinished(() => fs.rmSync(temporary, { recursive: true, force: true }))
  const folder = path.join(temporary, 'data') // does not exist yet
  const worker = await startMailWorker(database, { DATA_DIR: folder })
  const { order, email } = await addPerson()
  await worker.send(order)
  await expect.poll(async () => (await jobsOf(order.userId))[0]?.state, SOON).toBe('completed')

  const [job] = await jobsOf(order.userId)
  const file = path.join(folder, 'mail', `${job?.id}.eml`)
  const files = fs.readdirSync(path.dirname(file))
  expect(files).toContain(path.basename(file))
  expect(files.filter((name) => !name.endsWith('.eml'))).toEqual([]) // none is half written
  expect(fs.statSync(path.dirname(file)).mode & 0o777).toBe(0o700)
  expect(fs.statSync(file).mode & 0o777).toBe(0o600)
  // The data folder stays accessible to the database's user, a different user where the product runs as root.
  expect(fs.statSync(folder).mode & 0o777).toBe(0o777 & ~process.umask())
  const raw = fs.readFileSync(file, 'utf8')
  const { headers, text } = parse(raw)
  expect(headers.get('to')).toBe(email)
  expect(text).toMatch(/#[\w-]{43}$/m)
  expect(raw).toContain(text.trim()) // nothing is encoded: its lines can be copied
  expect(worker.logged()).toContain(JSON.stringify(file))
  expect(worker.logged()).not.toContain(email)
  expect(worker.logged()).not.toMatch(/[\w-]{43}/)
})
