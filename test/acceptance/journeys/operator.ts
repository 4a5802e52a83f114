// An operator handles permanently refused mails and a hanging worker. Nothing is lost or done twice.
import { execFile } from 'node:child_process'
import { expect, onTestFinished, test } from 'vitest'
import { descendant } from '../../commands/support/start-launcher.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { NODE_ARGS } from '../../support/node.ts'
import { findMails } from '../mails.ts'
import {
  database,
  elsewhere,
  newVisitor,
  OPERATOR_EMAIL,
  operator,
  type Person,
  type Product,
  product,
  register,
  startProduct,
  WAIT_OPTIONS,
} from '../product.ts'

interface QueueState {
  name: string
  verdict: string
  advice: string
  ready: number
  dead: number
}
interface Queues {
  queues: QueueState[]
  supervisedSecondsAgo: number | null
}
interface FailedJobs {
  jobs: { id: string; queue: string; reason: string; attempts: number; payload: { kind: string } }[]
}

/** Runs `npm run queues -- …` next to a running product. */
function runQueues({ launcher }: Product, ...args: string[]): Promise<{ code: unknown; out: string }> {
  const { PATH } = process.env
  const env = { PATH, DATA_DIR: launcher.env.DATA_DIR }
  return new Promise((resolve) =>
    execFile(process.execPath, [...NODE_ARGS, 'commands/queues/main.ts', ...args], { env }, (error, out) =>
      resolve({ code: error ? error.code : 0, out }),
    ),
  )
}

async function queuesFor(admin: Person, at: Product = product): Promise<Queues> {
  const { status, body } = await elsewhere(admin, at).get<Queues>('/api/admin/queues')
  expect(status).toBe(200)
  return body
}

const mailQueue = async (admin: Person, at: Product = product) =>
  (await queuesFor(admin, at)).queues.find(({ name }) => name === 'mail')

async function write(message: string, at: Product = product): Promise<void> {
  const form = { name: 'Ada', email: 'ada@example.com', message }
  expect((await newVisitor(at).post('/api/contact', form)).status).toBe(200)
}

test('an operator finds permanently refused mails, fixes the mail server, and each mail is sent once', async () => {
  let isOutOfOrder = false
  const { url, received } = await startMailServer({
    onRcptTo(_address, _session, done) {
      done(isOutOfOrder ? Object.assign(new Error('5.1.1 no such mailbox'), { responseCode: 550 }) : undefined)
    },
  })
  const other = await startProduct({ ADMIN_EMAILS: OPERATOR_EMAIL, SMTP_URL: url }, onTestFinished)
  const admin = await register(OPERATOR_EMAIL, other)
  const arrived = () => received.filter(({ headers }) => headers.get('subject') === 'Contact: Ada').length

  await expect.poll(() => received.length, WAIT_OPTIONS).toBe(1) // the mail that verifies the address

  isOutOfOrder = true
  for (const message of ['The first letter', 'The second letter', 'The third letter']) await write(message, other)
  await expect
    .poll(() => mailQueue(admin, other), WAIT_OPTIONS)
    .toMatchObject({ verdict: 'failing', ready: 0, dead: 3 })
  const { advice = '' } = (await mailQueue(admin, other)) ?? {}
  expect(advice).toMatch(
    /^3 jobs failed permanently, the last because of “.*550.*”\. .*`npm run queues -- failed mail`.*`npm run queues -- redrive mail`/,
  )
  const seen = await runQueues(other)
  expect(seen.code).toBe(1)
  expect(seen.out).toMatch(/^mail +failing/m)
  expect(seen.out).toContain(advice)

  const failed = '/api/admin/queues/mail/failed'
  const { jobs } = (await admin.client.get<FailedJobs>(failed)).body
  const job = { queue: 'mail-dead', reason: expect.stringContaining('550'), attempts: 1 }
  expect(jobs).toMatchObject(Array.from({ length: 3 }, () => ({ ...job, payload: { kind: 'contact-message' } })))
  const listed = (await runQueues(other, 'failed', 'mail')).out
  for (const { id } of jobs) expect(listed).toContain(`${id}  mail-dead`)
  expect(listed).toContain(jobs[0]?.reason)
  expect(listed + JSON.stringify(jobs)).not.toContain('@example.com') // failed jobs name no recipient

  isOutOfOrder = false
  const one = await admin.client.post('/api/admin/queues/mail/redrive', { ids: [jobs[0]?.id] })
  expect(one).toMatchObject({ status: 200, body: { redriven: 1 } })
  await expect.poll(arrived, WAIT_OPTIONS).toBe(1)
  expect(await mailQueue(admin, other)).toMatchObject({ verdict: 'failing', dead: 2 })
  expect(await runQueues(other, 'redrive', 'mail')).toEqual({ code: 0, out: '2 jobs moved back\n' })
  await expect.poll(arrived, WAIT_OPTIONS).toBe(3)

  await expect
    .poll(async () => (await queuesFor(admin, other)).queues.filter(({ verdict }) => verdict !== 'ok'), WAIT_OPTIONS)
    .toEqual([])
  expect(await runQueues(other)).toMatchObject({ code: 0, out: expect.stringMatching(/^mail +ok/m) })
  expect((await admin.client.get<FailedJobs>(failed)).body.jobs).toEqual([])
  expect((await admin.client.post('/api/admin/queues/mail/redrive')).body).toEqual({ redriven: 0 })
  for (const message of ['The first letter', 'The second letter', 'The third letter'])
    expect(received.filter(({ text }) => text.includes(message))).toHaveLength(1)
})

test('an operator finds and ends a hanging worker, and its unfinished work is done once', async () => {
  const worker = () => descendant(product.launcher.pid, 'workers/main.ts')?.pid ?? 0
  const hanging = worker()
  // Not during queue maintenance: frozen then, the worker holds locks on rows that the test changes.
  const isBetweenLooks = async () => {
    const secondsAgo = (await queuesFor(operator)).supervisedSecondsAgo ?? 0
    return secondsAgo > 1 && secondsAgo < 6 // the interval is ten seconds
  }
  await expect.poll(isBetweenLooks, WAIT_OPTIONS).toBe(true)
  process.kill(hanging, 'SIGSTOP')
  await write('Is anybody there?')
  await database.query(`update pgboss.queue set monitor_on = monitor_on - interval '2 minutes',
      monitor_claim_on = monitor_claim_on - interval '2 minutes'`)
  await database.query(
    `update pgboss.job set start_after = start_after - interval '2 minutes' where name = 'mail' and state = 'created'`,
  )

  expect(await mailQueue(operator)).toMatchObject({ verdict: 'stuck', ready: 1 })
  const { advice = '' } = (await mailQueue(operator)) ?? {}
  expect(advice).toContain('If one is running, it hangs: restart it')
  const seen = await runQueues(product)
  expect(seen.code).toBe(1)
  expect(seen.out).toMatch(/^mail +stuck/m)
  expect(seen.out).toContain(advice)
  expect(seen.out).toMatch(/^a worker supervised the queues 1\d\d s ago/m)
  expect(findMails('Is anybody there?')).toEqual([])

  process.kill(hanging, 'SIGKILL')
  await expect.poll(() => findMails('Is anybody there?'), WAIT_OPTIONS).toHaveLength(1)
  expect([0, hanging]).not.toContain(worker())
  const stuck = async () => (await queuesFor(operator)).queues.filter(({ verdict }) => verdict === 'stuck')
  await expect.poll(stuck, WAIT_OPTIONS).toEqual([])
  expect(await mailQueue(operator)).toMatchObject({ verdict: 'ok', ready: 0 })
  expect(findMails('Is anybody there?')).toHaveLength(1)
})
