// When alerts on favorites fire, whom they tell, and how they end.
import { beforeEach, describe, expect, test } from 'vitest'
import { runAccountsUpkeep } from '../../../src/features/accounts/index.ts'
import { reportFired, runAlertsUpkeep } from '../../../src/features/alerts/index.ts'
import { resetStatus } from '../../../src/features/listings/listings.sql.ts'
import { handleNotice, Notice, writeChatMessage, writeDigest } from '../../../src/features/notifications/index.ts'
import { createSecretCipher } from '../../../src/platform/config/secret-cipher.ts'
import { createAlertPushHandler } from '../../../workers/push/push-message.handler.ts'
import { TEST_SECRET } from '../../support/api.ts'
import { countLockWaits } from '../../support/database.ts'
import { addPerson, fieldsOf } from '../../support/people.ts'
import { addAccount, createVisitor, PASSWORD } from '../accounts/support.ts'
import { BASE, createAlertsWorld } from './support.ts'

const world = await createAlertsWorld()
const { pool, deps, service, call } = world

beforeEach(() => {
  service.received.length = 0
  service.status = 201
})

describe('people', () => {
  test('at least N fires when N is reached, once, with the number', async () => {
    const server = await world.addServer(5)
    const fan = await world.addFan(server, { playersAtLeast: 20 })
    await world.poll([server], 19)
    expect(await world.notifiedOf(fan)).toEqual([])
    await world.poll([server], 23)
    await world.poll([server], 24)
    expect(await world.notifiedOf(fan)).toEqual([
      {
        event: 'playersAtLeast',
        title: 'Nordland: 23 people',
        message: 'Nordland has 23 people now. You wanted to know when there are 20 or more.',
        count: 1,
      },
    ])
  })

  test('one person is no “people”', async () => {
    const server = await world.addServer(5)
    const fan = await world.addFan(server, { playersAtMost: 1 })
    for (const language of ['en', 'de']) await world.addBrowser(fan, language)
    await world.poll([server], 1)
    const message = 'Nordland has 1 person now. You wanted to know when there are 1 or fewer.'
    expect(await world.notifiedOf(fan)).toMatchObject([{ title: 'Nordland: 1 person', message }])
    expect(service.received.map(({ payload }) => payload.title).sort()).toEqual([
      'Nordland: 1 Person',
      'Nordland: 1 person',
    ])
  })

  test('at least N does not fire if there are already so many when it is chosen', async () => {
    const server = await world.addServer(30)
    const fan = await world.addFan(server, { playersAtLeast: 20 })
    await world.poll([server], 31)
    expect(await world.timesFired(fan)).toBe(0)
    await world.poll([server], 18)
    await world.pass('10 minutes')
    await world.poll([server], 20)
    expect(await world.timesFired(fan)).toBe(1)
  })

  test('a number that wavers around N fires once, however long', async () => {
    const server = await world.addServer(5)
    const fan = await world.addFan(server, { playersAtLeast: 50 })
    for (let n = 0; n < 20; n++) {
      await world.poll([server], n % 2 ? 50 : 46)
      await world.pass('1 hour')
    }
    expect(await world.timesFired(fan)).toBe(1)
  })

  test('it fires again after ten minutes far below N, not after fewer or with a return in between', async () => {
    const server = await world.addServer(5)
    const fan = await world.addFan(server, { playersAtLeast: 50 })
    const ringsAfter = async (...steps: (number | string)[]) => {
      await world.pass('4 hours')
      for (const step of steps) await (typeof step === 'string' ? world.pass(step) : world.poll([server], step))
      await world.poll([server], 55)
      return world.timesFired(fan)
    }
    expect(await ringsAfter()).toBe(1)
    expect(await ringsAfter(45, '9 minutes')).toBe(1)
    expect(await ringsAfter(46, '30 minutes')).toBe(1)
    expect(await ringsAfter(40, '9 minutes', 47, '2 minutes', 40, '9 minutes')).toBe(1)
    expect(await ringsAfter(45, '10 minutes')).toBe(2)
    expect(await ringsAfter(40, '10 minutes', 47, '1 hour')).toBe(3)
  })

  test('the margin is two people where a tenth is fewer, and no people are far enough from one', async () => {
    const server = await world.addServer(0)
    const fan = await world.addFan(server, { playersAtLeast: 1 })
    for (const players of [1, 0]) {
      await world.poll([server], players)
      await world.pass('4 hours')
    }
    await world.poll([server], 1)
    expect(await world.timesFired(fan)).toBe(2)
  })

  test('at most N fires when people leave, also of a full server', async () => {
    const server = await world.addServer(70)
    const fan = await world.addFan(server, { playersAtMost: 68 })
    await world.poll([server], 68)
    expect(await world.notifiedOf(fan)).toMatchObject([{ event: 'playersAtMost', title: 'Nordland: 68 people' }])
    await world.pass('4 hours')
    await world.poll([server], 70)
    await world.pass('10 minutes')
    await world.poll([server], 60)
    expect(await world.timesFired(fan)).toBe(2)
  })

  test('a server that does not answer has no number', async () => {
    const server = await world.addServer(30)
    const fan = await world.addFan(server, { playersAtMost: 10 })
    await world.outage(server, '1 hour')
    await world.poll([server], 'silence')
    expect(await world.timesFired(fan)).toBe(0)
  })

  test('a hostile server that jumps at each poll for a day causes at most eight messages', async () => {
    const server = await world.addServer(0)
    const fan = await world.addFan(server, { playersAtLeast: 20, playersAtMost: 10 })
    for (let minute = 0; minute < 24 * 60; minute += 11) {
      await world.poll([server], minute % 2 ? 60 : 0)
      await world.pass('11 minutes')
    }
    const notified = await world.notifiedOf(fan)
    expect(notified.map(({ event }) => event).sort()).toEqual(['playersAtLeast', 'playersAtMost'])
    for (const { count } of notified) expect(count).toBeLessThanOrEqual(8)
    for (const { count } of notified) expect(count).toBeGreaterThanOrEqual(6)
  })
})

describe('back online', () => {
  test('fires after an outage of ten minutes, not after a shorter one', async () => {
    const server = await world.addServer(3)
    const fan = await world.addFan(server, { backOnline: true })
    await world.outage(server, '9 minutes')
    await world.poll([server], 3)
    expect(await world.timesFired(fan)).toBe(0)
    await world.outage(server, '10 minutes')
    await world.poll([server], 3)
    expect(await world.notifiedOf(fan)).toMatchObject([
      { event: 'backOnline', message: 'Nordland answers again after an outage.' },
    ])
  })

  test('counts an outage that had begun before the alert was chosen', async () => {
    const server = await world.addServer(3)
    for (let n = 0; n < 3; n++) await world.poll([server], 'silence')
    await pool.query(`update server_status set online_changed_at = now() - interval '1 hour' where server_id = $1`, [
      server,
    ])
    const fan = await world.addFan(server, { backOnline: true })
    await world.poll([server], 3)
    expect(await world.timesFired(fan)).toBe(1)
  })

  test('does not take the time before a change of address for an outage', async () => {
    const server = await world.addServer(3)
    await pool.query(`update server_status set online_changed_at = now() - interval '1 hour' where server_id = $1`, [
      server,
    ])
    await resetStatus(pool, server)
    const fan = await world.addFan(server, { backOnline: true })
    await world.poll([server], 3)
    expect(await world.timesFired(fan)).toBe(0)
  })
})

describe('a wipe', () => {
  const wipesIn = (server: string, interval: string) =>
    pool.query('update servers set next_wipe_at = now() + $2::interval where id = $1', [server, interval])

  test('fires once when it is an hour away', async () => {
    const server = await world.addServer()
    const fan = await world.addFan(server, { wipeSoon: true })
    await wipesIn(server, '61 minutes')
    await world.runWipes()
    expect(await world.timesFired(fan)).toBe(0)
    await wipesIn(server, '59 minutes')
    await Promise.all([world.runWipes(), world.runWipes()])
    await world.runWipes()
    expect(await world.notifiedOf(fan)).toMatchObject([
      {
        event: 'wipeSoon',
        count: 1,
        message: expect.stringMatching(/^Nordland wipes at \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/),
      },
    ])
  })

  test.each([
    ['is removed', null],
    ['moves on to the next one', '7 days'],
    ['has passed', '-1 minute'],
  ])('that %s after it fired is not reported, neither by a notice nor by push', async (_what, next) => {
    const server = await world.addServer()
    const change = () =>
      pool.query('update servers set next_wipe_at = now() + $2::interval where id = $1', [server, next])
    const early = await world.addFan(server, { wipeSoon: true })
    await wipesIn(server, '30 minutes')
    await world.runWipes()
    await change()
    expect(await world.timesFired(early)).toBe(0)

    const late = await world.addFan(server, { wipeSoon: true })
    await world.addBrowser(late)
    await wipesIn(server, '30 minutes')
    await world.runWipes()
    for (const { data } of await world.takeJobs<Parameters<typeof reportFired>[1]>('alert-fired'))
      await reportFired(deps, data)
    await change()
    await world.work()
    expect(service.received).toEqual([])
  })

  test('whose alert another transaction changes fires in the next run: a run waits for none', async () => {
    const server = await world.addServer()
    const fan = await world.addFan(server, { wipeSoon: true })
    await wipesIn(server, '30 minutes')
    const other = await pool.connect()
    try {
      await other.query('begin')
      await other.query('select from favorite_alerts where user_id = $1 for update', [fan.id])
      await world.runWipes()
      expect(await world.timesFired(fan)).toBe(0)
    } finally {
      await other.query('rollback')
      other.release()
    }
    await world.runWipes()
    expect(await world.timesFired(fan)).toBe(1)
  })

  test('is named in the push message by its time', async () => {
    const server = await world.addServer()
    const fan = await world.addFan(server, { wipeSoon: true })
    await world.addBrowser(fan)
    await wipesIn(server, '30 minutes')
    await world.runWipes()
    await world.work()
    expect(service.received).toMatchObject([
      { payload: { body: expect.stringMatching(/^The next wipe is at \d\d:\d\d UTC\.$/) } },
    ])
  })

  test('an owner who moves it again and again causes at most eight messages a day', async () => {
    const server = await world.addServer()
    const fan = await world.addFan(server, { wipeSoon: true })
    for (let n = 0; n < 96; n++) {
      await wipesIn(server, '30 minutes')
      await world.runWipes()
      await world.pass('15 minutes')
    }
    expect(await world.timesFired(fan)).toBe(8)
  })
})

describe('notices', () => {
  test('a job that runs twice, or in two workers at once, tells once', async () => {
    const server = await world.addServer(5)
    const fan = await world.addFan(server, { playersAtLeast: 20 })
    await world.addBrowser(fan)
    await world.poll([server], 20)
    const [job] = await world.takeJobs<Parameters<typeof reportFired>[1]>('alert-fired')
    if (!job) throw new Error('the alert did not fire')
    await Promise.all([reportFired(deps, job.data), reportFired(deps, job.data)])
    await reportFired(deps, job.data)
    const [notices, pushes] = [await world.takeJobs('notify'), await world.takeJobs('alert-push')]
    expect([notices.length, pushes.length]).toEqual([1, 1])
    for (const { id, data } of [...notices, ...notices]) await handleNotice(deps, Notice.parse(data), id)
    expect(await world.timesFired(fan)).toBe(1)
  })

  test('a poll that is applied twice fires once', async () => {
    const server = await world.addServer(5)
    const fan = await world.addFan(server, { playersAtLeast: 20 })
    await world.poll([server], 20)
    await pool.query('update server_polls set cycle = cycle - 1 where server_id = $1', [server])
    await world.poll([server], 20)
    expect(await world.timesFired(fan)).toBe(1)
  })

  test('a poll does not wait for an alert that another transaction changes: the next poll fires it', async () => {
    const server = await world.addServer(5)
    const fans = [
      await world.addFan(server, { playersAtLeast: 20 }),
      await world.addFan(server, { playersAtLeast: 20 }),
    ] as const
    const other = await pool.connect()
    try {
      await other.query('begin')
      await other.query('select from favorite_alerts where user_id = $1 for update', [fans[0].id])
      await world.poll([server], 20)
      expect([await world.timesFired(fans[0]), await world.timesFired(fans[1])]).toEqual([0, 1])
    } finally {
      await other.query('rollback')
      other.release()
    }
    await world.poll([server], 20)
    expect([await world.timesFired(fans[0]), await world.timesFired(fans[1])]).toEqual([1, 1])
  })

  test('each user of a server is notified of their own number', async () => {
    const server = await world.addServer(5)
    const fans = [
      await world.addFan(server, { playersAtLeast: 20 }),
      await world.addFan(server, { playersAtLeast: 20 }),
    ]
    const other = await world.addFan(server, { playersAtLeast: 10 })
    const later = await world.addFan(server, { playersAtLeast: 60 })
    await world.poll([server], 25)
    for (const fan of fans) expect((await world.notifiedOf(fan))[0]?.message).toContain('20 or more')
    expect((await world.notifiedOf(other))[0]?.message).toContain('10 or more')
    expect(await world.notifiedOf(later)).toEqual([])
  })

  test.each([
    ['hidden', 'update servers set hidden_at = now() where id = $1'],
    ['removed', 'update servers set deleted_at = now() where id = $1'],
  ])('nothing of a server that is %s before its alerts are notified', async (_, statement) => {
    const server = await world.addServer(5)
    const fan = await world.addFan(server, { playersAtLeast: 20 })
    await world.addBrowser(fan)
    await world.poll([server], 20)
    await pool.query(statement, [server])
    expect(await world.timesFired(fan)).toBe(0)
    expect(service.received).toEqual([])
  })

  test('nothing after the favorite, the alert or the account has ended', async () => {
    const server = await world.addServer(5)
    const [one, two, three, stays] = [
      await world.addFan(server, { playersAtLeast: 20 }),
      await world.addFan(server, { playersAtLeast: 20 }),
      await world.addFan(server, { playersAtLeast: 20 }),
      await world.addFan(server, { playersAtLeast: 20 }),
    ]
    await world.poll([server], 20)
    await call('DELETE', one, `/servers/${server}/favorite`)
    await call('DELETE', two, `/servers/${server}/favorite/alerts`)
    await pool.query('delete from users where id = $1', [three.id])
    expect([await world.timesFired(one), await world.timesFired(two), await world.timesFired(stays)]).toEqual([0, 0, 1])
    const { rows } = await pool.query('select user_id as "userId" from favorite_alerts where server_id = $1', [server])
    expect(rows).toEqual([{ userId: stays.id }])
  })
})

describe('by mail and chat', () => {
  async function ringFor(preferences: object) {
    const server = await world.addServer(5)
    const fan = await world.addFan(server, { playersAtLeast: 20 })
    await pool.query('update users set notification_preferences = $2 where id = $1', [fan.id, preferences])
    const url = createSecretCipher(deps.settings).encrypt('chat', 'http://127.0.0.1:9/hook')
    await pool.query('insert into chat_webhooks (user_id, url) values ($1, $2)', [fan.id, url])
    await world.poll([server], 20)
    await world.work()
    const [alert] = await world.alertsOf(fan)
    return { server, fan, alertId: alert?.id ?? '' }
  }
  const chatOf = (userId: string) =>
    writeChatMessage({ ...deps, secretCipher: createSecretCipher(deps.settings) }, userId)

  test('the digest tells of it, with a link that ends the alert', async () => {
    const { server, fan, alertId } = await ringFor({ chat: true })
    const mail = await writeDigest(deps, { userId: fan.id })
    expect(mail?.subject).toBe('Nordland has 20 people now. You wanted to know when there are 20 or more')
    expect(mail?.text).toContain(`To end one of these alerts:\n  - Nordland: 20 people: ${BASE}/alerts/${alertId}`)
    expect(mail?.text).toContain(`${BASE}/servers/`)
    const chat = await chatOf(fan.id)
    expect(chat).toMatchObject({ alertLines: [`<${BASE}/alerts/${alertId}>`] })
    expect(server).toBeTruthy()
  })

  test('as the preferences say: no mail without mails, and no word of an alert that was ended meanwhile', async () => {
    const { fan, alertId } = await ringFor({ email: false, chat: true })
    expect(await writeDigest(deps, { userId: fan.id })).toBeUndefined()
    const response = await world.api.request(`/api/alerts/off?id=${alertId}`, { method: 'POST' })
    expect(await response.json()).toEqual({ success: true })
    expect(await chatOf(fan.id)).toBeUndefined()
  })
})

describe('by push', () => {
  async function fire(language?: string) {
    const server = await world.addServer(5)
    const fan = await world.addFan(server, { playersAtLeast: 20 })
    const browser = await fieldsOf(await world.addBrowser(fan, language))
    await world.poll([server], 21)
    return { server, fan, browser }
  }

  test('each browser of the user gets it, encrypted, with an address that ends the alert', async () => {
    const { fan } = await fire()
    await world.addBrowser(fan, 'de')
    await world.work()
    const [alert] = await world.alertsOf(fan)
    expect(service.received.map(({ payload }) => payload.title).sort()).toEqual([
      'Nordland: 21 Leute',
      'Nordland: 21 people',
    ])
    expect(service.received[0]).toMatchObject({
      topic: alert?.id.replaceAll('-', ''),
      payload: { tag: alert?.id, offUrl: `${BASE}/api/alerts/off?id=${alert?.id}` },
    })
  })

  test('one click ends this alert and no other', async () => {
    const { server, fan } = await fire()
    await world.set(fan, server, { playersAtLeast: 20, wipeSoon: true })
    await world.work()
    const { pathname, search } = new URL(service.received[0]?.payload.offUrl ?? '')
    for (const _ of [1, 2]) await world.api.request(pathname + search, { method: 'POST' })
    expect(await world.alertsOf(fan)).toMatchObject([{ kind: 'wipeSoon' }])
  })

  test('a browser that its service no longer knows is forgotten; an outage of the service is not its end', async () => {
    const { fan } = await fire()
    service.status = 503
    await expect(world.work()).rejects.toThrow('push message not accepted: 503')
    const browsers = async () => (await fieldsOf(await call('GET', fan, '/user/push-browsers'))).browsers
    expect(await browsers()).toHaveLength(1)
    service.status = 410
    const other = await fire()
    await world.work()
    expect((await fieldsOf(await call('GET', other.fan, '/user/push-browsers'))).browsers).toEqual([])
  })

  test('a browser belongs to the account that added it last, and no account has more than ten', async () => {
    const [one, two] = [await addPerson(pool), await addPerson(pool)]
    const push = service.subscribe()
    for (const person of [one, two]) await call('POST', person, '/user/push-browsers', { push })
    const countOf = async (person: typeof one) =>
      ((await fieldsOf(await call('GET', person, '/user/push-browsers'))).browsers as unknown[]).length
    expect([await countOf(one), await countOf(two)]).toEqual([0, 1])
    for (let n = 0; n < 11; n++) await world.addBrowser(two)
    expect(await countOf(two)).toBe(10)
  })

  test('a browser gets alerts until its session is ended; one that expires does not end them', async () => {
    const person = await addPerson(pool)
    const browsersOf = async () =>
      (await pool.query('select from push_browsers where user_id = $1', [person.id])).rowCount
    await world.addBrowser(person)
    await pool.query(`update sessions set expires_at = now() where user_id = $1`, [person.id])
    await runAccountsUpkeep(deps)
    expect(await browsersOf()).toBe(1)
    await pool.query(`update sessions set expires_at = now() + interval '1 day' where user_id = $1`, [person.id])
    expect((await call('POST', person, '/auth/logout')).status).toBe(200)
    expect(await browsersOf()).toBe(0)
    await runAccountsUpkeep(deps)
    expect((await pool.query('select from sessions where user_id = $1', [person.id])).rowCount).toBe(0)
  })

  test('a change of the password keeps the browser in which it was made, and no other', async () => {
    const account = await addAccount(world.api)
    const visitors = [createVisitor(world.api), createVisitor(world.api)] as const
    for (const visitor of visitors) {
      await visitor.login(account.email)
      await visitor.post('/user/push-browsers', { push: service.subscribe() })
    }
    const [own, other] = visitors
    const {
      body: { browsers },
    } = await own.get('/user/push-browsers')
    expect(browsers).toHaveLength(2)
    const change = { currentPassword: PASSWORD, newPassword: 'sail the 9 oceans' }
    expect((await own.post('/user/password', change)).status).toBe(200)
    expect((await own.get('/user/push-browsers')).body).toEqual({ browsers: [browsers[1]] })
    expect((await other.get('/user/push-browsers')).status).toBe(401)
    await own.post('/auth/logout')
    expect((await pool.query('select from push_browsers where user_id = $1', [account.id])).rowCount).toBe(0)
  })

  test('goes only to push services of browsers, and one user can’t remove another’s browser', async () => {
    const [person, other] = [await addPerson(pool), await addPerson(pool)]
    const push = { ...service.subscribe(), endpoint: 'https://10.0.0.1/x' }
    const refused = await call('POST', person, '/user/push-browsers', { push })
    expect([refused.status, (await fieldsOf(refused)).error]).toEqual([400, 'validation_failed'])
    const { id } = await fieldsOf(await world.addBrowser(person))
    expect((await call('DELETE', other, `/user/push-browsers/${id}`)).status).toBe(404)
    expect((await call('DELETE', person, `/user/push-browsers/${id}`)).status).toBe(200)
  })

  test('subscriptions are stored encrypted, and work after APP_SECRET has changed', async () => {
    const { fan } = await fire()
    const stored = async () =>
      (await pool.query('select subscription from push_browsers where user_id = $1', [fan.id])).rows[0].subscription
    const before = await stored()
    expect(before).toMatch(/^v1\./)
    const settings = {
      ...deps.settings,
      APP_SECRET: 'another secret, of 32 characters and more',
      APP_SECRET_PREVIOUS: TEST_SECRET,
    }
    await runAlertsUpkeep({ ...deps, settings })
    expect(await stored()).not.toBe(before)
    for (const { data } of await world.takeJobs<Parameters<typeof reportFired>[1]>('alert-fired'))
      await reportFired(deps, data)
    for (const { data } of await world.takeJobs<Parameters<typeof world.sendPush>[0]>('alert-push'))
      await createAlertPushHandler({ ...deps, settings })(data, AbortSignal.timeout(10_000))
    expect(service.received).toHaveLength(1)
  })
})

describe('choosing', () => {
  test('what is chosen is returned, replaced, and ended', async () => {
    const server = await world.addServer()
    const fan = await world.addFan(server)
    const none = { playersAtLeast: null, playersAtMost: null, backOnline: false, wipeSoon: false }
    const path = `/servers/${server}/favorite/alerts`
    expect(await fieldsOf(await call('GET', fan, path))).toEqual(none)
    expect(await world.set(fan, server, { playersAtLeast: 5, backOnline: true })).toEqual({
      ...none,
      playersAtLeast: 5,
      backOnline: true,
    })
    await world.set(fan, server, { playersAtMost: 3, wipeSoon: true })
    const chosen = { ...none, playersAtMost: 3, wipeSoon: true }
    expect(await fieldsOf(await call('GET', fan, path))).toEqual(chosen)
    expect(await fieldsOf(await call('GET', fan, '/user/alerts'))).toEqual({
      alerts: [{ serverId: server, ...chosen }],
    })
    for (const _ of [1, 2]) expect((await call('DELETE', fan, path)).status).toBe(200)
    expect(await fieldsOf(await call('GET', fan, path))).toEqual(none)
  })

  test('an alert that stays keeps its state: saving again does not make it fire again', async () => {
    const server = await world.addServer(5)
    const fan = await world.addFan(server, { playersAtLeast: 20 })
    const [before] = await world.alertsOf(fan)
    await world.poll([server], 20)
    await world.set(fan, server, { playersAtLeast: 20, backOnline: true })
    await world.poll([server], 21)
    expect(await world.timesFired(fan)).toBe(1)
    expect(await world.alertsOf(fan)).toContainEqual(before)
  })

  test('two tabs that save at once leave what one of them chose', async () => {
    const server = await world.addServer(5)
    const fan = await world.addFan(server)
    const [one, two] = [{ playersAtLeast: 20 }, { playersAtMost: 3, backOnline: true }]
    for (let n = 0; n < 5; n++) {
      await Promise.all([one, two, one, two].map((alerts) => world.set(fan, server, alerts)))
      const kinds = (await world.alertsOf(fan)).map(({ kind }) => kind).join()
      expect(['playersAtLeast', 'backOnline,playersAtMost']).toContain(kinds)
    }
  })

  test('a poll that finds a wipe meanwhile runs again if it was the victim of a deadlock', async () => {
    const server = await world.addServer()
    await world.poll([server], 5, { seed: 'of the first world' })
    const request = await pool.connect()
    try {
      await request.query('begin')
      await request.query('select from servers where id = $1 for share', [server])
      const polled = world.poll([server], 6, { seed: 'of the second world' })
      polled.catch(() => undefined)
      await expect.poll(() => countLockWaits(pool)).toBe(1)
      // The poll has waited longer, so PostgreSQL rolls it back.
      await request.query('select from server_status where server_id = $1 for share', [server])
      await request.query('commit')
      expect(await polled).toHaveLength(1)
    } finally {
      request.release()
    }
    expect((await pool.query('select from wipes where server_id = $1', [server])).rowCount).toBe(1)
  })

  test('only favorites, of listed servers, have alerts', async () => {
    const [server, person] = [await world.addServer(), await addPerson(pool)]
    const path = `/servers/${server}/favorite/alerts`
    for (const method of ['GET', 'PUT'])
      expect(await fieldsOf(await call(method, person, path, method === 'PUT' ? {} : undefined))).toMatchObject({
        message: 'This server is not one of your favorites.',
      })
    await call('POST', person, `/servers/${server}/favorite`)
    await pool.query('update servers set hidden_at = now() where id = $1', [server])
    expect((await call('PUT', person, path, { backOnline: true })).status).toBe(404)
    expect((await fieldsOf(await call('GET', person, '/user/alerts'))).alerts).toEqual([])
  })

  test('on at most a hundred favorites of a user', async () => {
    const person = await addPerson(pool)
    const servers = await Promise.all(Array.from({ length: 101 }, () => world.addServer()))
    await pool.query(
      `insert into favorites (id, user_id, server_id) select gen_random_uuid(), $1, unnest($2::uuid[])`,
      [person.id, servers],
    )
    await pool.query(
      `insert into favorite_alerts (id, user_id, server_id, kind) select gen_random_uuid(), $1, unnest($2::uuid[]), 'backOnline'`,
      [person.id, servers.slice(1)],
    )
    const refused = await call('PUT', person, `/servers/${servers[0]}/favorite/alerts`, { backOnline: true })
    expect([refused.status, (await fieldsOf(refused)).error]).toEqual([400, 'too_many_alerts'])
    await world.set(person, servers[1] ?? '', { wipeSoon: true })
    expect((await call('PUT', person, `/servers/${servers[0]}/favorite/alerts`, {})).status).toBe(200)
  })

  test('on at most ten thousand of a server, which fire together', async () => {
    const server = await world.addServer(5)
    await pool.query(
      `with users as (insert into users (id, username) select gen_random_uuid(), 'Fan' from generate_series(1, 10000) returning id),
         favorites as (insert into favorites (id, user_id, server_id) select gen_random_uuid(), id, $1 from users returning user_id)
       select count(*) from favorites`,
      [server],
    )
    await pool.query(
      `insert into favorite_alerts (id, user_id, server_id, kind, threshold, away_since)
       select gen_random_uuid(), user_id, server_id, 'playersAtLeast', 20, now() - interval '1 hour' from favorites where server_id = $1`,
      [server],
    )
    const person = await addPerson(pool)
    await call('POST', person, `/servers/${server}/favorite`)
    const refused = await call('PUT', person, `/servers/${server}/favorite/alerts`, { backOnline: true })
    expect([refused.status, (await fieldsOf(refused)).error]).toEqual([400, 'too_many_alerts'])
    await world.poll([server], 20)
    const jobs = await world.takeJobs<{ alertIds: string[] }>('alert-fired')
    expect(jobs.map(({ data }) => data.alertIds.length)).toEqual(Array(20).fill(500))
  })
})
