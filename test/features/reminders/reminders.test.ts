// Reminders to vote again: when they are sent, to whom, and how they end. Push messages go to a push
// service that decrypts them.
import { beforeEach, describe, expect, test } from 'vitest'
import { isPushService } from '../../../src/features/push/push-services.ts'
import { runReminder, runRemindersUpkeep, writeReminderMail } from '../../../src/features/reminders/index.ts'
import { runVotesUpkeep } from '../../../src/features/votes/index.ts'
import { createReminderPushHandler } from '../../../workers/push/push-message.handler.ts'
import { startTestApi, TEST_SECRET } from '../../support/api.ts'
import { addPerson, fieldsOf, type Person } from '../../support/people.ts'
import { startPushService } from '../../support/push-service.ts'
import { addServer, age, newVisitor, voteOnce } from '../votes/support.ts'

const service = await startPushService()
const SETTINGS = {
  ALLOW_PRIVATE_TARGETS: 'true',
  PUSH_SERVICE_BASE_URL: service.origin,
  PUBLIC_BASE_URL: 'http://directory.example',
}
const api = await startTestApi({ settings: SETTINGS })
const { deps } = api
const { pool } = api.database
const send = createReminderPushHandler(deps)

beforeEach(() => {
  service.received.length = 0
  service.status = 201
})

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  api.request(`/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

const publicKey = async () => (await fieldsOf(await api.request('/api/push/key'))).publicKey

/** A voter of a server, with a name. */
async function addVoter() {
  const [serverId, visitorId] = [await addServer(pool, { name: 'Nordland' }), newVisitor()]
  const voter = { serverId, visitorId, username: 'Ann' }
  const { nextVoteAt } = await voteOnce(api, serverId, { visitorId, username: 'Ann' })
  return { ...voter, nextVoteAt }
}
type Voter = Awaited<ReturnType<typeof addVoter>>

async function remindByPush({ serverId, visitorId }: Voter, more: object = {}) {
  const body = { visitorId, push: service.subscribe(), ...more }
  return fieldsOf(await post(`/servers/${serverId}/vote/reminder`, body))
}
const remindByMail = ({ serverId, visitorId }: Voter, { cookie }: Pick<Person, 'cookie'>) =>
  post(`/servers/${serverId}/vote/mail-reminder`, { visitorId }, { cookie })

interface Job {
  data: { reminderId: string; dueAt: string; kind?: string }
  startAfter: Date
}
const jobsOf = async (queue: string, id: unknown): Promise<Job[]> =>
  (
    await pool.query(
      `select data, start_after as "startAfter" from pgboss.job where name = $1 and data ->> 'reminderId' = $2 order by start_after`,
      [queue, id],
    )
  ).rows

/** Lets time pass for one server's votes and reminders, and runs the jobs that are due then, as workers do. */
async function pass({ serverId }: Voter, interval: string): Promise<void> {
  await age(pool, serverId, interval)
  const { rows } = await pool.query<{ reminderId: string; dueAt: Date; isDue: boolean }>(
    `update vote_reminders set due_at = due_at - $2::interval, sent_at = sent_at - $2::interval where server_id = $1
     returning id as "reminderId", due_at as "dueAt", due_at <= now() as "isDue"`,
    [serverId, interval],
  )
  for (const { reminderId, dueAt } of rows.filter(({ isDue }) => isDue)) {
    await runReminder(deps, { reminderId, dueAt: dueAt.toISOString() })
    const { rowCount } = await pool.query(
      `delete from pgboss.job where name = 'reminder-push' and data ->> 'reminderId' = $1`,
      [reminderId],
    )
    if (rowCount) await send({ reminderId }, AbortSignal.timeout(10_000))
  }
}
const exists = async (id: unknown) =>
  (await pool.query('select from vote_reminders where id = $1', [id])).rowCount === 1

describe('by push', () => {
  test('a reminder comes when the cooldown ends, encrypted for the browser and signed with the directory’s key', async () => {
    const voter = await addVoter()
    const { id, remindAt } = await remindByPush(voter)
    expect(remindAt).toBe(voter.nextVoteAt)
    expect(await jobsOf('vote-reminder', id)).toMatchObject([{ startAfter: new Date(String(remindAt)) }])
    await pass(voter, '23 hours')
    expect(service.received).toEqual([])
    await pass(voter, '1 hour')
    expect(service.received).toMatchObject([
      {
        sentBy: await publicKey(),
        claims: { sub: 'https://directory.example' },
        topic: String(id).replaceAll('-', ''),
        payload: {
          title: 'You can vote for Nordland again',
          url: `http://directory.example/vote/${voter.serverId}?username=Ann`,
          offUrl: `http://directory.example/api/vote-reminders/off?id=${id}`,
        },
      },
    ])
  })

  test.each([
    ['1 day', 'Stimme innerhalb von 23 Stunden ab, um deine Serie von 2 Tagen zu behalten.'],
    ['1 day 20 hours', 'Stimme innerhalb von 3 Stunden ab, um deine Serie von 2 Tagen zu behalten.'],
    ['1 day 22:30', 'Stimme jetzt ab, um deine Serie von 2 Tagen zu behalten.'],
  ])('after %s names the streak and the hours that are left, in the language of the page', async (interval, body) => {
    const voter = await addVoter()
    await age(pool, voter.serverId, '1 day')
    await voteOnce(api, voter.serverId, voterBody(voter))
    await remindByPush(voter, { language: 'de' })
    await pass(voter, interval)
    expect(service.received[0]?.payload).toMatchObject({ title: 'Du kannst wieder für Nordland stimmen', body })
  })

  test('its link has the names of the last vote: none, or both as they were typed', async () => {
    const [serverId, visitorId] = [await addServer(pool), newVisitor()]
    const voter = { serverId, visitorId, username: '', nextVoteAt: '' }
    await voteOnce(api, serverId, { visitorId })
    await remindByPush(voter)
    await pass(voter, '1 day')
    await voteOnce(api, serverId, { username: 'Another' })
    await voteOnce(api, serverId, { visitorId, username: 'Ann & Bo', gamePlatformId: '76561198000000000' })
    await pass(voter, '1 day')
    const named = `/vote/${serverId}?username=Ann+%26+Bo&gamePlatformId=76561198000000000`
    const links = service.received.map(({ payload }) => payload.url?.replace('http://directory.example', ''))
    expect(links).toEqual([`/vote/${serverId}`, named])
  })

  test('the second and third name the player too, and say no more about the last vote', async () => {
    const voter = await addVoter()
    await remindByPush(voter)
    for (const _ of [1, 2, 3]) {
      await runVotesUpkeep(deps)
      await pass(voter, '1 day')
    }
    const message = {
      body: 'A new vote is possible now.',
      url: `http://directory.example/vote/${voter.serverId}?username=Ann`,
    }
    expect(service.received.map(({ payload }) => payload)).toMatchObject([message, message, message])
  })

  test('none is sent to a voter who has voted meanwhile; the next one follows that vote’s cooldown', async () => {
    const voter = await addVoter()
    const { id } = await remindByPush(voter)
    await pool.query(`update vote_reminders set due_at = now() where id = $1`, [id])
    await pass(voter, '0 hours')
    expect(service.received).toEqual([])
    const [next] = (await jobsOf('vote-reminder', id)).slice(-1)
    expect(next?.startAfter).toEqual(new Date(String(voter.nextVoteAt)))
    await pass(voter, '1 day')
    expect(service.received).toHaveLength(1)
  })

  test('not even if the vote comes while the message waits for the push service', async () => {
    const voter = await addVoter()
    const { id } = await remindByPush(voter)
    service.status = 503
    await expect(pass(voter, '1 day')).rejects.toThrow('push message not accepted: 503')
    service.status = 201
    await voteOnce(api, voter.serverId, voterBody(voter))
    await send({ reminderId: String(id) }, AbortSignal.timeout(10_000))
    expect(service.received).toEqual([])
  })

  test('three that are not used are the last; a vote in between begins again', async () => {
    const voter = await addVoter()
    const { id } = await remindByPush(voter)
    await pass(voter, '1 day')
    await pass(voter, '1 day')
    await voteOnce(api, voter.serverId, voterBody(voter))
    await pass(voter, '1 day')
    await pass(voter, '1 day')
    await pass(voter, '1 day')
    expect([service.received.length, await exists(id)]).toEqual([5, true])
    await pass(voter, '1 day')
    expect([service.received.length, await exists(id)]).toEqual([5, false])
  })

  test('a repeated request adds no job for the same time', async () => {
    const voter = await addVoter()
    const { id } = await remindByPush(voter)
    for (const language of ['en', 'de']) expect(await remindByPush(voter, { language })).toMatchObject({ id })
    expect(await jobsOf('vote-reminder', id)).toHaveLength(1)
    await pass(voter, '1 day')
    expect(service.received).toHaveLength(1)
  })

  test('a job that runs twice, and the job of a replaced reminder, send nothing', async () => {
    const voter = await addVoter()
    const { id } = await remindByPush(voter)
    const [first] = await jobsOf('vote-reminder', id)
    await pass(voter, '1 day')
    if (first) await runReminder(deps, first.data)
    expect(await jobsOf('reminder-push', id)).toEqual([])
    expect(service.received).toHaveLength(1)
  })

  test('is not ended by opening the address of one click, which leads to the page that asks', async () => {
    const { id } = await remindByPush(await addVoter())
    const opened = await api.request(`/api/vote-reminders/off?id=${id}`, { redirect: 'manual' })
    expect([opened.status, opened.headers.get('location')]).toEqual([302, `http://directory.example/reminders/${id}`])
    expect(await exists(id)).toBe(true)
  })

  test('ends with one click, and when the browser has ended its subscription', async () => {
    const [one, other] = [await addVoter(), await addVoter()]
    const ended = await remindByPush(one)
    for (const _ of [1, 2]) {
      const response = await api.request(`/api/vote-reminders/off?id=${ended.id}`, { method: 'POST' })
      expect([response.status, await response.json()]).toEqual([200, { success: true }])
    }
    await pass(one, '1 day')
    expect([service.received, await exists(ended.id)]).toEqual([[], false])

    const gone = await remindByPush(other)
    service.status = 410
    await pass(other, '1 day')
    expect(await exists(gone.id)).toBe(false)
  })

  test('stays if the voter renews it while the push service refuses the former subscription', async () => {
    const voter = await addVoter()
    const { id } = await remindByPush(voter)
    await age(pool, voter.serverId, '1 day')
    const refused = createReminderPushHandler(deps, async ({ gone }) => {
      await voteOnce(api, voter.serverId, voterBody(voter))
      await remindByPush(voter)
      await gone()
    })
    await refused({ reminderId: String(id) }, AbortSignal.timeout(10_000))
    expect(await exists(id)).toBe(true)
  })

  test('is read by its id until it ends', async () => {
    const voter = await addVoter()
    const { id, remindAt } = await remindByPush(voter)
    const read = async (of: unknown) => {
      const response = await api.request(`/api/vote-reminders/${of}`)
      return [response.status, await response.json()]
    }
    expect(await read(id)).toEqual([200, { id, remindAt, channel: 'push' }])
    const ended = [404, expect.objectContaining({ error: 'not_found', message: 'There is no such reminder.' })]
    expect(await read('unknown')).toEqual(ended)
    await post(`/vote-reminders/off?id=${id}`, {})
    expect(await read(id)).toEqual(ended)
  })

  test('ends when the server is listed no more', async () => {
    const voter = await addVoter()
    const { id } = await remindByPush(voter)
    await pool.query('update servers set deleted_at = now() where id = $1', [voter.serverId])
    await pass(voter, '1 day')
    expect([service.received, await exists(id)]).toEqual([[], false])
  })

  test('goes only to push services that browsers use, and after a vote', async () => {
    const voter = await addVoter()
    const path = `/servers/${voter.serverId}/vote/reminder`
    const push = { ...service.subscribe(), endpoint: 'https://push.example/1' }
    expect(await fieldsOf(await post(path, { visitorId: voter.visitorId, push }))).toMatchObject({
      error: 'validation_failed',
      details: [{ path: 'body.push.endpoint', message: 'must be of a push service that browsers use' }],
    })
    const { keys, ...browser } = service.subscribe()
    const unusable = { ...browser, keys: { ...keys, p256dh: 'A'.repeat(87) } }
    expect(await fieldsOf(await post(path, { visitorId: voter.visitorId, push: unusable }))).toMatchObject({
      error: 'validation_failed',
      details: [{ path: 'body.push.keys.p256dh', message: 'must be a point of the curve P-256' }],
    })
    const early = await post(path, { visitorId: newVisitor(), push: service.subscribe() })
    expect([early.status, (await fieldsOf(early)).error]).toEqual([400, 'vote_first'])
    const known = [
      'https://fcm.googleapis.com/fcm/send/x',
      'https://updates.push.services.mozilla.com/wpush/v2/x',
      'https://wns2-par02p.notify.windows.com/w/?token=x',
      'https://web.push.apple.com/x',
    ]
    expect(known.filter((endpoint) => !isPushService(endpoint, 'https://fcm.googleapis.com'))).toEqual([])
    const others = [
      'http://fcm.googleapis.com/x',
      'https://fcm.googleapis.com:8443/x',
      'https://fcm.googleapis.com.evil.example/x',
      'https://evilnotify.windows.com/x',
      'https://10.0.0.1/x',
    ]
    expect(others.filter((endpoint) => isPushService(endpoint, 'https://fcm.googleapis.com'))).toEqual([])
  })
})

describe('by mail', () => {
  test('a reminder goes to the account’s confirmed address, and ends with one click', async () => {
    const [voter, person] = [await addVoter(), await addPerson(pool)]
    const { id } = await fieldsOf(await remindByMail(voter, person))
    await pass(voter, '1 day')
    expect(await jobsOf('mail', id)).toMatchObject([{ data: { kind: 'vote-reminder' } }])
    const mail = await writeReminderMail(deps, { reminderId: String(id) })
    expect(mail).toMatchObject({
      to: `${person.id}@example.com`,
      subject: 'You can vote for Nordland again',
      text: expect.stringContaining(`Vote:\nhttp://directory.example/vote/${voter.serverId}?username=Ann`),
      unsubscribeUrl: `http://directory.example/api/vote-reminders/off?id=${id}`,
    })
    expect(mail?.text).toContain(`No more reminders:\nhttp://directory.example/reminders/${id}`)
    await voteOnce(api, voter.serverId, voterBody(voter))
    expect(await writeReminderMail(deps, { reminderId: String(id) })).toBeUndefined()
  })

  test('its link names a player whose name ends with a dot', async () => {
    const [voter, person] = [{ ...(await addVoter()), visitorId: newVisitor() }, await addPerson(pool)]
    await voteOnce(api, voter.serverId, { visitorId: voter.visitorId, username: 'Ann.' })
    const { id } = await fieldsOf(await remindByMail(voter, person))
    await pass(voter, '1 day')
    const mail = await writeReminderMail(deps, { reminderId: String(id) })
    const [link = ''] = /http\S*\/vote\/\S*\w/.exec(mail?.text ?? '') ?? []
    expect(new URL(link).searchParams.get('username')).toBe('Ann.')
  })

  test('needs an account with a confirmed address', async () => {
    const [voter, person] = [await addVoter(), await addPerson(pool)]
    expect((await remindByMail(voter, { cookie: '' })).status).toBe(401)
    await pool.query('update users set email_verified_at = null where id = $1', [person.id])
    const refused = await remindByMail(voter, person)
    expect([refused.status, (await fieldsOf(refused)).error]).toEqual([400, 'email_not_verified'])
  })
})

test('the keys are the same for all processes, are stored encrypted, and keep working with a new APP_SECRET', async () => {
  const others = await Promise.all([1, 2].map(() => startTestApi({ database: api.database, settings: SETTINGS })))
  const keys = await Promise.all(
    [api, ...others].map(async (one) => (await fieldsOf(await one.request('/api/push/key'))).publicKey),
  )
  expect(new Set(keys).size).toBe(1)
  const stored = async () => (await pool.query('select private_key as key from push_keys')).rows[0].key as string
  const before = await stored()
  expect(before).toMatch(/^v1\./)

  const rotated = {
    ...deps.settings,
    APP_SECRET: 'another secret, of 32 characters and more',
    APP_SECRET_PREVIOUS: TEST_SECRET,
  }
  const voter = await addVoter()
  await remindByPush(voter)
  await runRemindersUpkeep({ ...deps, settings: rotated })
  expect(await stored()).not.toBe(before)
  await age(pool, voter.serverId, '1 day')
  const { rows } = await pool.query('select id from vote_reminders where server_id = $1', [voter.serverId])
  await createReminderPushHandler({ ...deps, settings: rotated })(
    { reminderId: rows[0].id },
    AbortSignal.timeout(10_000),
  )
  expect(service.received).toMatchObject([{ sentBy: keys[0] }])
})

function voterBody({ visitorId, username }: Voter) {
  return { visitorId, username }
}
