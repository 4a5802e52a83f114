// Mails and chat messages with news: when one leaves, what it tells, and never one a flap.
import { randomUUID } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openDeps } from '../../../src/deps.ts'
import { enqueueDigests, runNotificationUpkeep, writeDigest } from '../../../src/features/notifications/index.ts'
import { insertPending, makeDue } from '../../../src/features/notifications/notices.sql.ts'
import { createSecretCipher } from '../../../src/platform/config/secret-cipher.ts'
import { openJobs } from '../../../src/platform/queue/jobs.ts'
import { createMailHandler } from '../../../workers/mail/mail.handler.ts'
import { createChatMessageHandler } from '../../../workers/notifications/chat-message.handler.ts'
import { createSender } from '../../../workers/webhooks/send.ts'
import { countLockWaits, createTestDatabase, testLog } from '../../support/database.ts'
import { parse, startMailServer } from '../../support/mail-server.ts'
import { addPerson } from '../../support/people.ts'
import { startMailWorker } from '../../workers/mail/support.ts'
import { addServer, pass, setOnline, settingsOf, subscribe, takeMails, tell } from './support.ts'

const database = await createTestDatabase()
const { pool } = database
const deps = await openDeps(
  'worker',
  settingsOf(database.url, { PUBLIC_BASE_URL: 'https://directory.example' }),
  testLog,
  openJobs,
)
const noSignal = new AbortController().signal

/** Orders what is due and sends it as the mail worker does. @returns the texts, by user */
async function sendDue(): Promise<Map<string, string>> {
  await enqueueDigests(deps)
  const sent = new Map<string, string>()
  for (const { userId } of await takeMails(pool)) {
    const mail = await writeDigest(deps, { userId })
    if (!mail) continue
    expect(sent.has(userId)).toBe(false)
    sent.set(userId, `${mail.subject}\n${mail.text.split('\n\n')[0]}`)
    await mail.sent?.()
  }
  return sent
}

describe('a mail', () => {
  it('of a server that goes down leaves after a moment, once, and one that it is back follows a window later', async () => {
    const owner = await addPerson(pool)
    const server = await addServer(pool, 'The Island', owner.id)
    await setOnline(pool, server, false)
    await tell(deps, 'serverOffline', { serverId: server })
    expect(await sendDue()).toEqual(new Map())
    await pass(pool, 120)
    expect((await sendDue()).get(owner.id)).toBe('The Island went offline\nThe Island went offline.')
    await pass(pool, 600)
    await setOnline(pool, server, true)
    await tell(deps, 'serverOnline', { serverId: server })
    expect(await sendDue()).toEqual(new Map())
    await pass(pool, 1300)
    expect((await sendDue()).get(owner.id)).toBe('The Island is online\nThe Island is online.')
    await pass(pool, 86_400)
    expect(await sendDue()).toEqual(new Map())
  })

  it('is none when the server is back before it leaves', async () => {
    const owner = await addPerson(pool)
    const server = await addServer(pool, 'Blinking', owner.id)
    await tell(deps, 'serverOffline', { serverId: server })
    await tell(deps, 'serverOnline', { serverId: server, at: new Date(Date.now() + 1000) })
    await pass(pool, 120)
    expect(await sendDue()).toEqual(new Map())
    expect((await pool.query('select from pending_notices where user_id = $1', [owner.id])).rowCount).toBe(0)
  })

  it('is none once its user wants no mails, also with news that were pending', async () => {
    const owner = await addPerson(pool)
    const server = await addServer(pool, 'Switched off', owner.id)
    await setOnline(pool, server, false)
    await tell(deps, 'serverOffline', { serverId: server })
    await pool.query(`update users set notification_preferences = '{"email": false}' where id = $1`, [owner.id])
    await pass(pool, 120)
    expect(await sendDue()).toEqual(new Map())
    expect((await pool.query('select from pending_notices where user_id = $1', [owner.id])).rowCount).toBe(0)
  })

  it('takes along no notice that follows after its user switched mails off and on while it was sent', async () => {
    const owner = await addPerson(pool)
    const server = await addServer(pool, 'Switched off and on', owner.id)
    await setOnline(pool, server, false)
    await tell(deps, 'serverOffline', { serverId: server })
    const first = await writeDigest(deps, { userId: owner.id })
    await pool.query(`update users set notification_preferences = '{"email": false}' where id = $1`, [owner.id])
    expect(await writeDigest(deps, { userId: owner.id })).toBeUndefined()
    await pool.query(`update users set notification_preferences = '{}' where id = $1`, [owner.id])
    await tell(deps, 'serverOffline', { serverId: server, at: new Date(Date.now() + 1000) })
    await first?.sent?.()
    const second = await writeDigest(deps, { userId: owner.id })
    expect(second?.subject).toBe('Switched off and on went offline')
    await second?.sent?.()
  })

  it('links to the servers that it has a line about, and to no others', async () => {
    const owner = await addPerson(pool)
    const [down, blinking] = [await addServer(pool, 'Down', owner.id), await addServer(pool, 'Blinking', owner.id)]
    await setOnline(pool, down, false)
    for (const serverId of [down, blinking]) await tell(deps, 'serverOffline', { serverId })
    await tell(deps, 'serverOnline', { serverId: blinking, at: new Date(Date.now() + 1000) })
    const mail = await writeDigest(deps, { userId: owner.id })
    expect(mail?.subject).toBe('Down went offline')
    expect(mail?.text).toContain('This is about:\n  - Down: ')
    expect(mail?.text).not.toContain('Blinking')
    await mail?.sent?.()
    expect((await pool.query('select from pending_notices where user_id = $1', [owner.id])).rowCount).toBe(0)
  })

  it('has no news that its user no longer wants or may no longer see', async () => {
    const [former, chooser, reader, unsubscribed] = await Promise.all(Array.from({ length: 4 }, () => addPerson(pool)))
    if (!former || !chooser || !reader || !unsubscribed) throw new Error('a person is missing')
    const [given, own, followed] = [
      await addServer(pool, 'Given away', former.id),
      await addServer(pool, 'Own', chooser.id),
      await addServer(pool, 'Followed'),
    ]
    for (const { id } of [reader, unsubscribed]) await subscribe(pool, id, followed, ['serverOffline'])
    for (const server of [given, own, followed]) {
      await setOnline(pool, server, false)
      await tell(deps, 'serverOffline', { serverId: server })
    }
    await pool.query('update servers set owner_id = $2 where id = $1', [given, chooser.id])
    await pool.query(
      `update users set notification_preferences = '{"events": {"serverOffline": false}}' where id = $1`,
      [chooser.id],
    )
    await pool.query('delete from server_subscriptions where user_id = $1', [unsubscribed.id])
    await pool.query('update servers set hidden_at = now() where id = $1', [followed])
    await pass(pool, 120)
    expect(await sendDue()).toEqual(new Map())
    expect(
      (await pool.query('select from pending_notices where server_id = any($1)', [[given, own, followed]])).rowCount,
    ).toBe(0)
  })

  it('has no news of a wipe that was moved, or of rewards that run again', async () => {
    const [fan, owner, former] = [await addPerson(pool), await addPerson(pool), await addPerson(pool)]
    const [moved, due] = [await addServer(pool, 'Moved'), await addServer(pool, 'Due')]
    for (const serverId of [moved, due]) {
      const { rows } = await pool.query<{ wipeAt: Date }>(
        `update servers set next_wipe_at = now() + interval '30 minutes' where id = $1 returning next_wipe_at as "wipeAt"`,
        [serverId],
      )
      await pool.query('insert into favorites (id, user_id, server_id) values (gen_random_uuid(), $1, $2)', [
        fan.id,
        serverId,
      ])
      await pool.query(
        `insert into favorite_alerts (id, user_id, server_id, kind) values (gen_random_uuid(), $1, $2, 'wipeSoon')`,
        [fan.id, serverId],
      )
      const data = { wipeAt: rows[0]?.wipeAt.toISOString() ?? '' }
      await tell(deps, 'wipeSoon', { serverId, userId: fan.id, data })
    }
    await pool.query(`update servers set next_wipe_at = now() + interval '7 days' where id = $1`, [moved])

    const set = `insert into vote_reward_settings (server_id, owner_id, set_by, run_on, commands, stopped_at)
      values ($1, $2, $2, 'vote', '{say hello}', now())`
    const [running, stopped] = [await addServer(pool, 'Running', owner.id), await addServer(pool, 'Stopped', owner.id)]
    const given = await addServer(pool, 'Given away', former.id)
    for (const serverId of [running, stopped, given]) {
      const { id: userId } = serverId === given ? former : owner
      await pool.query(set, [serverId, userId])
      await tell(deps, 'rewardsStopped', { serverId, userId })
    }
    await pool.query('update vote_reward_settings set stopped_at = null where server_id = $1', [running])
    await pool.query('update servers set owner_id = $2 where id = $1', [given, owner.id])
    await pass(pool, 120)
    const sent = await sendDue()
    expect([...sent.keys()].sort()).toEqual([fan.id, owner.id].sort())
    expect(sent.get(fan.id)).toMatch(/^Due wipes at [^\n]+ UTC\nDue wipes at /)
    expect(sent.get(owner.id)).toMatch(/^Stopped refused its RCON password[^\n]+\nStopped refused /)
  })

  it('is one a window for a server that flaps each minute for two hours, to its owner and to each subscriber', async () => {
    const [owner, subscriber] = [await addPerson(pool), await addPerson(pool)]
    const server = await addServer(pool, 'Flapping', owner.id)
    await subscribe(pool, subscriber.id, server, ['serverOffline', 'serverOnline'])
    const texts: string[] = []
    const start = Date.UTC(2026, 10, 20, 12)
    for (let minute = 0; minute < 120; minute++) {
      const isOnline = minute % 2 === 1
      await setOnline(pool, server, isOnline)
      await tell(deps, isOnline ? 'serverOnline' : 'serverOffline', {
        serverId: server,
        at: new Date(start + minute * 60_000),
      })
      const sent = await sendDue()
      if (sent.size) expect([...sent.keys()].sort()).toEqual([owner.id, subscriber.id].sort())
      texts.push(...[...sent.entries()].filter(([userId]) => userId === owner.id).map(([, text]) => text))
      await pass(pool, 60)
    }
    expect(texts).toHaveLength(4)
    expect(texts[1]).toMatch(/^Flapping went offline 15 times and is (online|offline) now\n/)
  })

  it('tells of several servers in one, and no more than anybody reads', async () => {
    const owner = await addPerson(pool)
    for (let n = 0; n < 35; n++) {
      const server = await addServer(pool, `Server ${n}`, owner.id)
      await setOnline(pool, server, false)
      await tell(deps, 'serverOffline', { serverId: server, at: new Date(Date.UTC(2026, 10, 20, 12, 0, n)) })
    }
    await tell(deps, 'auctionWon', { userId: owner.id, data: { auctionId: 'a', title: 'Top', amountCents: 900 } })
    const text = (await sendDue()).get(owner.id) ?? ''
    expect(text.split('\n')).toHaveLength(1 + 30 + 1)
    // What the recipient must learn in time is not cut off.
    expect(text).toMatch(
      /^36 events of your servers and auctions\nYou won Top for 9\.00\. .+\nServer 0 went offline\.\n/,
    )
    expect(text).toMatch(/Server 28 went offline\.\nAnd 6 more\.$/)
  })

  it('of an auction does not wait for the window of others', async () => {
    const owner = await addPerson(pool)
    const server = await addServer(pool, 'Sold', owner.id)
    await setOnline(pool, server, false)
    await tell(deps, 'serverOffline', { serverId: server })
    await pass(pool, 120)
    await sendDue()
    const outbid = () =>
      tell(deps, 'auctionOutbid', { userId: owner.id, data: { auctionId: 'a', title: 'Top', currentBid: 900 } })
    for (let n = 0; n < 3; n++) await outbid()
    expect(await sendDue()).toEqual(new Map())
    await pass(pool, 300)
    expect((await sendDue()).get(owner.id)).toContain('You were outbid 3 times on Top. The highest bid is now 9.00.')
    await outbid()
    expect(await sendDue()).toEqual(new Map())
  })

  it('of an auction says last who leads, once, whatever happened before', async () => {
    const [regained, lost] = [await addPerson(pool), await addPerson(pool)]
    const data = (currentBid: number) => ({ auctionId: 'b', title: 'Top', currentBid })
    for (const { id: userId } of [regained, lost]) {
      await tell(deps, 'auctionOutbid', { userId, data: data(900) })
      await tell(deps, 'auctionLeadRegained', { userId, data: data(500) })
    }
    await tell(deps, 'auctionOutbid', { userId: lost.id, data: data(700) })
    const sent = await sendDue()
    const line = 'A higher bid on Top no longer counts. You lead with 5.00'
    expect(sent.get(regained.id)).toBe(`${line}\n${line}.`)
    expect(sent.get(lost.id)).toContain('\nYou were outbid 2 times on Top. The highest bid is now 7.00.')
    expect(sent.get(lost.id)).not.toContain('You lead')
  })

  it('to the winner of an auction says until when to pay how much, and where', async () => {
    const winner = await addPerson(pool)
    const auctionId = randomUUID()
    const data = { auctionId, title: 'Top', amountCents: 1250, currency: 'USD', expiresAt: '2026-12-01T18:30:00.000Z' }
    await tell(deps, 'auctionWon', { userId: winner.id, data })
    const mail = await writeDigest(deps, { userId: winner.id })
    expect(mail?.subject).toBe('You won Top for 12.50 USD. Pay by 2026-12-01 18:30 UTC')
    expect(mail?.text).toContain(`This is about:\n  - Top: https://directory.example/auctions/${auctionId}\n`)
    await mail?.sent?.()
  })

  it('is not sent to a user who disabled mails, is banned, or has not verified the address', async () => {
    const [silent, unproven, banned] = [await addPerson(pool), await addPerson(pool), await addPerson(pool)]
    await pool.query(`update users set notification_preferences = '{"email": false}' where id = $1`, [silent.id])
    await pool.query('update users set email_verified_at = null where id = $1', [unproven.id])
    const server = await addServer(pool, 'Silent')
    await setOnline(pool, server, false)
    for (const { id } of [silent, unproven, banned]) await subscribe(pool, id, server, ['serverOffline'])
    await tell(deps, 'serverOffline', { serverId: server })
    await pool.query('update users set banned_at = now() where id = $1', [banned.id])
    await pass(pool, 120)
    expect(await sendDue()).toEqual(new Map())
    expect((await pool.query('select from notifications where server_id = $1', [server])).rowCount).toBe(3)
  })

  it('that is on its way lets no second one be enqueued, and takes along what came meanwhile', async () => {
    const owner = await addPerson(pool)
    const [one, two] = [await addServer(pool, 'One', owner.id), await addServer(pool, 'Two', owner.id)]
    for (const server of [one, two]) await setOnline(pool, server, false)
    await tell(deps, 'serverOffline', { serverId: one })
    await pass(pool, 120)
    await enqueueDigests(deps)
    // The mail server is down for hours.
    await tell(deps, 'serverOffline', { serverId: two })
    await pass(pool, 3 * 3600)
    await enqueueDigests(deps)
    const orders = await takeMails(pool)
    expect(orders.filter(({ userId }) => userId === owner.id)).toHaveLength(1)
    const mail = await writeDigest(deps, { userId: owner.id })
    expect(mail?.text).toMatch(/^One went offline\.\nTwo went offline\.\n/)
    // The next mail has what happens while the mail server accepts this one.
    await tell(deps, 'serverOffline', { serverId: two })
    await mail?.sent?.()
    await pass(pool, 1800)
    expect((await sendDue()).get(owner.id)).toBe('Two went offline\nTwo went offline.')
  })

  it('that was taken while news came in is followed by one that tells them', async () => {
    const owner = await addPerson(pool)
    const [one, two] = [await addServer(pool, 'First', owner.id), await addServer(pool, 'Second', owner.id)]
    for (const server of [one, two]) await setOnline(pool, server, false)
    await tell(deps, 'serverOffline', { serverId: one })
    await pass(pool, 120)
    await enqueueDigests(deps)
    await takeMails(pool)
    const mail = await writeDigest(deps, { userId: owner.id })
    // News of the second are written and not committed yet as the mail is noted as sent.
    const comingIn = await pool.connect()
    await comingIn.query('begin')
    const at = new Date().toISOString()
    const news = { event: 'serverOffline', topic: two, serverId: two, at, data: { serverName: 'Second' } } as const
    await insertPending(comingIn, [owner.id], 'email', news)
    await makeDue(comingIn, [owner.id], 'email', { delay: 90, window: 1800 })
    const noted = mail?.sent?.()
    await expect.poll(() => countLockWaits(pool)).toBe(1)
    await comingIn.query('commit')
    comingIn.release()
    await noted
    await pass(pool, 1800)
    expect((await sendDue()).get(owner.id)).toBe('Second went offline\nSecond went offline.')
  })

  it('whose retries ended is enqueued again six hours after it was, without another notice', async () => {
    const winner = await addPerson(pool)
    const data = { auctionId: 'an auction', title: 'Top', amountCents: 1250 }
    await tell(deps, 'auctionWon', { userId: winner.id, data })
    const isOrdered = async () => {
      await enqueueDigests(deps)
      return (await takeMails(pool)).some(({ userId }) => userId === winner.id)
    }
    expect(await isOrdered()).toBe(true)
    for (let round = 0; round < 3; round++) {
      await pass(pool, 5 * 3600)
      expect(await isOrdered()).toBe(false)
      await pass(pool, 3601)
      expect(await isOrdered()).toBe(true)
    }
    const mail = await writeDigest(deps, { userId: winner.id })
    expect(mail?.text).toContain('You won Top for 12.50.')
    await mail?.sent?.()
    await pass(pool, 7 * 3600)
    expect(await isOrdered()).toBe(false)
  })

  it('whose retries ended takes along what happened meanwhile', async () => {
    const owner = await addPerson(pool)
    const server = await addServer(pool, 'Lost', owner.id)
    await setOnline(pool, server, false)
    await tell(deps, 'serverOffline', { serverId: server })
    await pass(pool, 120)
    await enqueueDigests(deps)
    await takeMails(pool)
    await tell(deps, 'serverOffline', { serverId: server })
    await pass(pool, 6 * 3600 + 1)
    expect((await sendDue()).get(owner.id)).toMatch(/^Lost went offline 2 times and is offline now/)
  })
})

it('a repeated mail has the same Message-ID, and another one once it has other news, which receivers would drop otherwise', async () => {
  const owner = await addPerson(pool)
  const [one, two] = [await addServer(pool, 'One', owner.id), await addServer(pool, 'Two', owner.id)]
  for (const server of [one, two]) await setOnline(pool, server, false)
  const ids: (string | undefined)[] = []
  const mailServer = await startMailServer({
    onData(stream, _session, done) {
      let source = ''
      stream.on('data', (chunk) => {
        source += String(chunk)
      })
      stream.on('end', () => {
        ids.push(parse(source).headers.get('message-id'))
        done(ids.length < 3 ? Object.assign(new Error('try again'), { responseCode: 451 }) : null)
      })
    },
  })
  const handle = createMailHandler({ ...deps, settings: { ...deps.settings, SMTP_URL: mailServer.url } })
  const send = () => handle({ kind: 'notification-digest', userId: owner.id }, noSignal, 'a-job')
  await tell(deps, 'serverOffline', { serverId: one })
  await expect(send()).rejects.toThrow('mail not sent')
  await expect(send()).rejects.toThrow('mail not sent')
  await tell(deps, 'serverOffline', { serverId: two })
  await send()
  expect(ids[1]).toBe(ids[0])
  expect(ids[2]).not.toBe(ids[0])
})

it('enqueued by several workers at the same time, each message is enqueued once', async () => {
  const people = await Promise.all(Array.from({ length: 40 }, () => addPerson(pool)))
  const server = await addServer(pool, 'Watched')
  await setOnline(pool, server, false)
  for (const { id } of people) await subscribe(pool, id, server, ['serverOffline'])
  await tell(deps, 'serverOffline', { serverId: server })
  await pass(pool, 120)
  await Promise.all([1, 2, 3, 4].map(() => enqueueDigests(deps)))
  const ordered = (await takeMails(pool)).map(({ userId }) => userId)
  expect(ordered.sort()).toEqual(people.map(({ id }) => id).sort())
})

it('a worker sends the mail through the mail server, from the news to the mailbox, and marks it sent', {
  timeout: 60_000,
}, async () => {
  const own = await createTestDatabase()
  const mailServer = await startMailServer()
  const owner = await addPerson(own.pool)
  const server = await addServer(own.pool, 'The Island', owner.id)
  await setOnline(own.pool, server, false)
  await startMailWorker(own, { SMTP_URL: mailServer.url })
  const own_deps = { pool: own.pool, settings: settingsOf(own.url) }
  await tell(own_deps, 'serverOffline', { serverId: server })
  await pass(own.pool, 120)
  await enqueueDigests({ pool: own.pool, jobs: deps.jobs })
  await vi.waitFor(() => expect(mailServer.received).toHaveLength(1), { timeout: 20_000, interval: 20 })
  expect(mailServer.received[0]).toMatchObject({ to: [`${owner.id}@example.com`] })
  expect(mailServer.received[0]?.headers.get('subject')).toBe('The Island went offline')
  await vi.waitFor(
    async () => {
      const { rows } = await own.pool.query(
        'select sent_at is not null as sent, ordered_at, due_at from notification_digests',
      )
      expect(rows).toEqual([{ sent: true, ordered_at: null, due_at: null }])
    },
    { timeout: 20_000, interval: 20 },
  )
})

describe('a chat message', () => {
  async function startChat(status: () => number | Promise<number> = () => 204) {
    const received: { content: string; allowed_mentions: object }[] = []
    const server = http.createServer((req, res) => {
      let body = ''
      req.on('data', (chunk) => {
        body += chunk
      })
      req.on('end', async () => {
        received.push(JSON.parse(body))
        res.writeHead(await status()).end()
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const sender = createSender({ allowPrivate: true, requireHttps: false })
    onTestFinished(async () => {
      await sender.close()
      server.closeAllConnections()
      server.close()
    })
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/webhooks/1/secret`
    return { received, url, handle: createChatMessageHandler(deps, sender) }
  }

  async function addChatter(url: string) {
    const person = await addPerson(pool)
    await pool.query(`update users set notification_preferences = '{"email": false, "chat": true}' where id = $1`, [
      person.id,
    ])
    await pool.query('insert into chat_webhooks (user_id, url) values ($1, $2)', [
      person.id,
      createSecretCipher(deps.settings).encrypt('chat', url),
    ])
    return person
  }

  async function takeChats(): Promise<string[]> {
    await enqueueDigests(deps)
    const { rows } = await pool.query<{ userId: string }>(
      `delete from pgboss.job where name = 'chat-message' returning data ->> 'userId' as "userId"`,
    )
    return rows.map(({ userId }) => userId)
  }

  it('goes to the user’s webhook, without mentions or formatting', async () => {
    const chat = await startChat()
    const person = await addChatter(chat.url)
    const server = await addServer(pool, '@everyone **Free** [money](https://evil.example)', person.id)
    await setOnline(pool, server, false)
    await tell(deps, 'serverOffline', { serverId: server })
    await pass(pool, 120)
    expect(await takeChats()).toEqual([person.id])
    await pass(pool, 6 * 3600 + 1) // its retries ended during an outage of the chat
    expect(await takeChats()).toEqual([person.id])
    await takeMails(pool)
    await chat.handle({ userId: person.id }, noSignal)
    await chat.handle({ userId: person.id }, noSignal) // delivered twice, sent once
    expect(chat.received).toEqual([
      {
        content: String.raw`\@everyone \*\*Free\*\* \[money\]\(https\://evil.example\) went offline.`,
        allowed_mentions: { parse: [] },
      },
    ])
    expect(await takeMails(pool)).toEqual([])
  })

  /** Invites a user to the team of a new server. @returns the server's id */
  async function invite(userId: string, name: string): Promise<string> {
    const owner = await addPerson(pool)
    const serverId = await addServer(pool, name, owner.id)
    await pool.query(
      `insert into server_invitations (id, server_id, owner_id, user_id, role, expires_at)
       values (gen_random_uuid(), $1, $2, $3, 'viewer', now() + interval '1 day')`,
      [serverId, owner.id, userId],
    )
    await tell(deps, 'serverInvitation', { userId, serverId, data: { role: 'viewer' } })
    return serverId
  }

  it('says nothing of an invitation that was answered or withdrawn, or whose owner no longer owns the server', async () => {
    const chat = await startChat()
    const person = await addChatter(chat.url)
    const [answered, left] = [await invite(person.id, 'Answered'), await invite(person.id, 'Left')]
    await invite(person.id, 'Waiting')
    await pool.query('delete from server_invitations where server_id = $1', [answered])
    await pool.query('update servers set owner_id = null where id = $1', [left])
    await chat.handle({ userId: person.id }, noSignal)
    expect(chat.received.map(({ content }) => content)).toEqual([
      expect.stringMatching(/^You are invited to work on Waiting as its viewer\./),
    ])
  })

  it('links where its reader acts: an auction to pay, an invitation to answer', async () => {
    const chat = await startChat()
    const person = await addChatter(chat.url)
    const auctionId = randomUUID()
    const won = { auctionId, title: 'Top', amountCents: 1250, currency: 'USD', expiresAt: '2026-12-01T18:30:00.000Z' }
    await tell(deps, 'auctionWon', { userId: person.id, data: won })
    await invite(person.id, 'The Island')
    await chat.handle({ userId: person.id }, noSignal)
    expect(chat.received.map(({ content }) => content.split('\n').sort())).toEqual([
      [
        'You are invited to work on The Island as its viewer. Accept or decline it under “My servers”. <https://directory.example/my/servers>',
        String.raw`You won Top for 12.50 USD. Pay by 2026-12-01 18\:30 UTC. <https://directory.example/auctions/${auctionId}>`,
      ],
    ])
    await takeMails(pool)
  })

  it('says nothing of an endpoint that was saved again, deleted or left to another owner', async () => {
    const chat = await startChat()
    const [person, former] = [await addChatter(chat.url), await addChatter(chat.url)]
    const addDisabled = async (name: string, userId: string) => {
      const [serverId, endpointId] = [await addServer(pool, name, userId), randomUUID()]
      await pool.query(
        `insert into endpoints (id, server_id, url, events, disabled_at, disabled_reason)
         values ($1, $2, '', '{vote.created}', now(), 'gone')`,
        [endpointId, serverId],
      )
      await tell(deps, 'webhookDisabled', { serverId, userId, data: { endpointId, reason: 'gone' } })
      return { serverId, endpointId }
    }
    const saved = await addDisabled('Saved', person.id)
    const deleted = await addDisabled('Deleted', person.id)
    const left = await addDisabled('Left', former.id)
    await addDisabled('Disabled', person.id)
    await pool.query('update endpoints set disabled_at = null where id = $1', [saved.endpointId])
    await pool.query('delete from endpoints where id = $1', [deleted.endpointId])
    await pool.query('update servers set owner_id = $2 where id = $1', [left.serverId, person.id])
    for (const { id: userId } of [person, former]) await chat.handle({ userId }, noSignal)
    expect(chat.received.map(({ content }) => content)).toEqual([
      'A webhook of Disabled was disabled\\: its receiver no longer exists. Once it is fixed, save its endpoint again.',
    ])
  })

  it('that fails stays pending and is retried; a webhook that is gone is removed with its messages', async () => {
    let status = 500
    const chat = await startChat(() => status)
    const person = await addChatter(chat.url)
    const server = await addServer(pool, 'Unheard', person.id)
    await setOnline(pool, server, false)
    await tell(deps, 'serverOffline', { serverId: server })
    await pass(pool, 120)
    await takeChats()
    await expect(chat.handle({ userId: person.id }, noSignal)).rejects.toThrow('chat message not accepted: 500')
    status = 404
    await chat.handle({ userId: person.id }, noSignal)
    expect(chat.received).toHaveLength(2)
    expect((await pool.query('select from chat_webhooks where user_id = $1', [person.id])).rowCount).toBe(0)
    await tell(deps, 'serverOffline', { serverId: server })
    await pass(pool, 3600)
    expect(await takeChats()).toEqual([])
  })

  it('goes to the webhook that its user sets while the former one answers that it is gone', async () => {
    const chat = await startChat()
    const former = await startChat(async () => {
      const url = createSecretCipher(deps.settings).encrypt('chat', chat.url)
      await pool.query('update chat_webhooks set url = $2 where user_id = $1', [person.id, url])
      return 404
    })
    const person = await addChatter(former.url)
    const server = await addServer(pool, 'Moved', person.id)
    await setOnline(pool, server, false)
    await tell(deps, 'serverOffline', { serverId: server })
    await expect(former.handle({ userId: person.id }, noSignal)).rejects.toThrow('the chat webhook was changed')
    await chat.handle({ userId: person.id }, noSignal)
    expect(chat.received.map(({ content }) => content)).toEqual(['Moved went offline.'])
  })

  it('goes where it went after APP_SECRET was changed and the previous one taken away', async () => {
    const chat = await startChat()
    const person = await addChatter(chat.url)
    const present = { ...deps.settings, APP_SECRET: 'another secret of the tests, 32 characters and more' }
    const encrypted = async () =>
      (await pool.query<{ url: string }>('select url from chat_webhooks where user_id = $1', [person.id])).rows[0]?.url
    const before = await encrypted()
    await runNotificationUpkeep({ ...deps, settings: present }) // can't read it, and leaves it alone
    expect(await encrypted()).toBe(before)
    const during = { ...present, APP_SECRET_PREVIOUS: deps.settings.APP_SECRET }
    await runNotificationUpkeep({ ...deps, settings: during })
    expect(createSecretCipher(present).decrypt('chat', (await encrypted()) ?? '')).toBe(chat.url)
    await pool.query('delete from chat_webhooks where user_id = $1', [person.id])
  })

  it('is never sent to a private address in production', async () => {
    const chat = await startChat()
    const person = await addChatter(chat.url)
    const server = await addServer(pool, 'Inside', person.id)
    await setOnline(pool, server, false)
    await tell(deps, 'serverOffline', { serverId: server })
    const guarded = createSender({ allowPrivate: false, requireHttps: false })
    onTestFinished(() => guarded.close())
    const handle = createChatMessageHandler(deps, guarded)
    await expect(handle({ userId: person.id }, noSignal)).rejects.toThrow(
      'chat message not accepted: not a public address',
    )
    expect(chat.received).toEqual([])
  })
})

it('what is old is forgotten', async () => {
  const owner = await addPerson(pool)
  const server = await addServer(pool, 'Old', owner.id)
  await tell(deps, 'serverOffline', { serverId: server })
  await pool.query(
    `update notifications set read_at = now(), created_at = now() - interval '100 days' where user_id = $1`,
    [owner.id],
  )
  await pool.query(`update pending_notices set last_at = now() - interval '8 days' where user_id = $1`, [owner.id])
  await tell(deps, 'serverWiped', { userId: owner.id })
  await pool.query(`update handled_notices set handled_at = now() - interval '8 days'`)
  await runNotificationUpkeep(deps)
  const count = async (table: string) =>
    (await pool.query(`select from ${table} where user_id = $1`, [owner.id])).rowCount
  expect([await count('notifications'), await count('pending_notices')]).toEqual([0, 0])
  expect((await pool.query('select from handled_notices')).rowCount).toBe(0)
})
