// Who gets which notification in the product, by preferences and subscriptions.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createSecretCipher } from '../../../src/platform/config/secret-cipher.ts'
import { startTestApi } from '../../support/api.ts'
import { addPerson, fieldsOf, type Person } from '../../support/people.ts'
import { addServer, subscribe, tell } from './support.ts'

const api = await startTestApi()
const { pool } = api.database
const { deps } = api

interface Shown {
  notifications: {
    id: string
    event: string
    serverId: string | null
    title: string
    message: string
    count: number
    readAt: string | null
  }[]
  pagination: { total: number; totalPages: number }
}

function send({ cookie }: Person, method: string, path: string, body?: unknown): Promise<Response> {
  return api.request(path, {
    method,
    headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}
const shownTo = async (person: Person, query = '') =>
  (await (await send(person, 'GET', `/api/user/notifications${query}`)).json()) as Shown
const eventsOf = async (person: Person) => (await shownTo(person)).notifications.map(({ event }) => event)

describe('the recipients', () => {
  it('the owner as the preferences say, and subscribers as their subscription says', async () => {
    const [owner, subscriber, stranger] = [await addPerson(pool), await addPerson(pool), await addPerson(pool)]
    const server = await addServer(pool, 'The Island', owner.id)
    await subscribe(pool, subscriber.id, server, ['serverWiped'])
    await tell(deps, 'serverOffline', { serverId: server })
    await tell(deps, 'serverWiped', { serverId: server }) // owners hear of a wipe only if they ask for it
    expect(await Promise.all([owner, subscriber, stranger].map(eventsOf))).toEqual([
      ['serverOffline'],
      ['serverWiped'],
      [],
    ])
    await send(owner, 'PATCH', '/api/user/notification-preferences', {
      events: { serverOffline: false, serverWiped: true },
    })
    await tell(deps, 'serverWiped', { serverId: server })
    await tell(deps, 'serverOffline', { serverId: server })
    expect((await shownTo(owner)).notifications).toMatchObject([
      { event: 'serverWiped', serverId: server, title: 'The Island was wiped', count: 1 },
      { event: 'serverOffline', count: 1, message: 'The Island went offline.' },
    ])
  })

  it('are the addressed users, except banned ones', async () => {
    const [winner, banned] = [await addPerson(pool), await addPerson(pool)]
    await pool.query('update users set banned_at = now() where id = $1', [banned.id])
    for (const { id } of [winner, banned])
      await tell(deps, 'auctionOutbid', {
        userId: id,
        data: { auctionId: randomUUID(), title: 'Top banner', currentBid: 1250 },
      })
    expect((await shownTo(winner)).notifications).toMatchObject([
      {
        event: 'auctionOutbid',
        serverId: null,
        message: 'You were outbid on Top banner. The highest bid is now 12.50.',
      },
    ])
    const { rowCount } = await pool.query('select from notifications where user_id = $1', [banned.id])
    expect(rowCount).toBe(0)
  })

  it('are only the owner for a hidden server, and no user for a deleted one', async () => {
    const [owner, subscriber] = [await addPerson(pool), await addPerson(pool)]
    const server = await addServer(pool, 'Hidden', owner.id)
    await subscribe(pool, subscriber.id, server, ['serverOffline', 'serverOnline'])
    await pool.query('update servers set hidden_at = now() where id = $1', [server])
    await tell(deps, 'serverOffline', { serverId: server })
    await pool.query('update servers set deleted_at = now() where id = $1', [server])
    await tell(deps, 'serverOnline', { serverId: server })
    expect(await Promise.all([owner, subscriber].map(eventsOf))).toEqual([['serverOffline'], []])
  })

  it('more subscribers than fit into one statement, each once', async () => {
    const server = await addServer(pool, 'Popular')
    await pool.query(
      `with made as (insert into users (id, username) select gen_random_uuid(), 'Fan' from generate_series(1, 2100) returning id)
       insert into server_subscriptions (user_id, server_id, events) select id, $1, '{serverOffline}' from made`,
      [server],
    )
    await tell(deps, 'serverOffline', { serverId: server })
    const { rows } = await pool.query('select count(*) as count from notifications where server_id = $1', [server])
    expect(rows).toEqual([{ count: 2100 }])
  })
})

describe('the list', () => {
  it('counts what repeats until it is read, whatever order and however often the news come', async () => {
    const owner = await addPerson(pool)
    const server = await addServer(pool, 'Flapping', owner.id)
    const first = { serverId: server, at: new Date('2026-11-20T12:00:00Z'), jobId: randomUUID() }
    const second = { serverId: server, at: new Date('2026-11-20T12:05:00Z'), jobId: randomUUID() }
    // Delivered twice, at the same time and out of order.
    await Promise.all([second, first, second, first].map((about) => tell(deps, 'serverOffline', about)))
    const [shown] = (await shownTo(owner)).notifications
    expect(shown).toMatchObject({
      count: 2,
      message: 'Flapping went offline 2 times.',
      createdAt: '2026-11-20T12:05:00.000Z',
      readAt: null,
    })

    const read = await send(owner, 'POST', '/api/user/notifications/read', { ids: [shown?.id, randomUUID(), 'no id'] })
    expect(await read.json()).toEqual({ success: true, updated: 1 })
    await tell(deps, 'serverOffline', { serverId: server })
    const after = await shownTo(owner)
    expect(after.notifications).toMatchObject([
      { count: 1, readAt: null },
      { count: 2, readAt: expect.any(String) },
    ])
    expect((await shownTo(owner, '?unread=true')).pagination.total).toBe(1)
  })

  it.each([
    ['votesVoided', 'voidingId'],
    ['serverMemberLeft', 'memberId'],
    ['webhookDisabled', 'endpointId'],
  ] as const)('counts repeats of %s by its %s, not across these', async (event, topic) => {
    const owner = await addPerson(pool)
    const serverId = await addServer(pool, 'The Island', owner.id)
    const [{ id: one }, { id: other }] = [await addPerson(pool), await addPerson(pool)]
    for (const id of [one, other, one]) await tell(deps, event, { serverId, userId: owner.id, data: { [topic]: id } })
    expect((await shownTo(owner)).notifications).toMatchObject([
      { event, count: 2 },
      { event, count: 1 },
    ])
    const { rows } = await pool.query('select topic from notifications where user_id = $1 order by created_at desc', [
      owner.id,
    ])
    expect(rows).toEqual([{ topic: `${one} ${serverId}` }, { topic: `${other} ${serverId}` }])
    const second = await addServer(pool, 'Ragnarok', owner.id)
    await tell(deps, event, { serverId: second, userId: owner.id, data: { [topic]: one } })
    expect((await shownTo(owner)).notifications).toMatchObject([
      { event, serverId: second, count: 1 },
      { event, serverId, count: 2 },
      { event, serverId, count: 1 },
    ])
  })

  it('counts one vote as a vote', async () => {
    const owner = await addPerson(pool)
    const serverId = await addServer(pool, 'The Island', owner.id)
    const voided = { serverId, userId: owner.id, data: { votes: 1, reason: 'Bought' } }
    await tell(deps, 'votesVoided', voided)
    await tell(deps, 'votesRestored', voided)
    expect((await shownTo(owner)).notifications.map(({ message }) => message)).toEqual([
      '1 vote for The Island that was voided counts again.',
      '1 vote for The Island no longer counts. Reason: Bought',
    ])
  })

  it('cuts a long name after a hundred characters and no emoji in two', async () => {
    const winner = await addPerson(pool)
    await tell(deps, 'auctionWon', {
      userId: winner.id,
      data: { auctionId: randomUUID(), title: `a${'🦖'.repeat(100)}` },
    })
    const [notice] = (await shownTo(winner)).notifications
    expect(notice?.message).toBe(`You won a${'🦖'.repeat(99)}. Pay for it in time to keep it.`)
  })

  it('shows the longest reason of a voiding as a whole', async () => {
    const owner = await addPerson(pool)
    const serverId = await addServer(pool, 'The Island', owner.id)
    const reason = `Bought:\n\n${'x'.repeat(490)}.`
    await tell(deps, 'votesVoided', { serverId, userId: owner.id, data: { votes: 2, reason } })
    const [notice] = (await shownTo(owner)).notifications
    expect(notice?.message).toBe(`2 votes for The Island no longer count. Reason: Bought: ${'x'.repeat(490)}.`)
  })

  it('is read by its owner alone, in pages', async () => {
    const [owner, other] = [await addPerson(pool), await addPerson(pool)]
    for (let n = 0; n < 5; n++) {
      const at = new Date(Date.UTC(2026, 10, 20, 12, n))
      await tell(deps, 'auctionWon', { userId: owner.id, at, data: { auctionId: randomUUID(), title: `Banner ${n}` } })
    }
    const page = await shownTo(owner, '?limit=2&page=2')
    expect(page.notifications.map(({ message }) => message)).toEqual([
      'You won Banner 2. Pay for it in time to keep it.',
      'You won Banner 1. Pay for it in time to keep it.',
    ])
    expect(page.pagination).toMatchObject({ total: 5, totalPages: 3 })
    const ids = page.notifications.map(({ id }) => id)
    expect(await (await send(other, 'POST', '/api/user/notifications/read', { ids })).json()).toMatchObject({
      updated: 0,
    })
    expect((await shownTo(owner, '?unread=true')).pagination.total).toBe(5)
    expect((await send(owner, 'GET', '/api/user/notifications?limit=101')).status).toBe(400)
    expect((await send(owner, 'POST', '/api/user/notifications/read', { ids: [] })).status).toBe(400)
  })

  it('shows a name that would break out of its line as one line', async () => {
    const owner = await addPerson(pool)
    const server = await addServer(pool, `Evil\u202e\r\nBcc: a@b.example ${'x'.repeat(200)}`, owner.id)
    await tell(deps, 'serverOffline', { serverId: server })
    const [shown] = (await shownTo(owner)).notifications
    expect(shown?.title).toMatch(/^Evil Bcc: a@b\.example x{1,90} is offline$/)
  })
})

describe('subscriptions', () => {
  it('are set, shown, replaced and ended', async () => {
    const person = await addPerson(pool)
    const path = `/api/servers/${await addServer(pool, 'Followed')}/notifications`
    const get = async () => (await send(person, 'GET', path)).json()
    expect(await get()).toEqual({ events: [] })
    const put = await send(person, 'PUT', path, { events: ['serverOffline', 'serverOnline'] })
    expect([put.status, await put.json()]).toEqual([200, { events: ['serverOffline', 'serverOnline'] }])
    await send(person, 'PUT', path, { events: ['serverWiped'] })
    expect(await get()).toEqual({ events: ['serverWiped'] })
    for (let n = 0; n < 2; n++) expect(await (await send(person, 'DELETE', path)).json()).toEqual({ success: true })
    expect(await get()).toEqual({ events: [] })
  })

  it('are refused for unknown events and servers, and kept of a server that is hidden for a while', async () => {
    const person = await addPerson(pool)
    const server = await addServer(pool, 'Now and then')
    const path = `/api/servers/${server}/notifications`
    for (const events of [[], ['auctionWon'], ['serverOffline', 'serverOffline'], 'serverOffline'])
      expect((await send(person, 'PUT', path, { events })).status).toBe(400)
    for (const id of [randomUUID(), 'nothing'])
      for (const method of ['GET', 'DELETE'])
        expect((await send(person, method, `/api/servers/${id}/notifications`)).status).toBe(404)
    await send(person, 'PUT', path, { events: ['serverOffline'] })
    await pool.query('update servers set hidden_at = now() where id = $1', [server])
    expect(await (await send(person, 'GET', path)).json()).toEqual({ events: ['serverOffline'] })
    expect((await send(person, 'PUT', path, { events: ['serverOnline'] })).status).toBe(404)
    expect((await send(person, 'DELETE', path)).status).toBe(200)
    expect((await send(person, 'GET', path)).status).toBe(404)
  })

  it('are a thousand at most', async () => {
    const person = await addPerson(pool)
    await pool.query(
      `with made as (
         insert into servers (id, game, name, ip_address, game_port, query_port)
         select gen_random_uuid(), 'ase', 'One of many', '198.19.0.1', 7777, n from generate_series(1, 1000) as n returning id)
       insert into server_subscriptions (user_id, server_id, events) select $1, id, '{serverWiped}' from made`,
      [person.id],
    )
    const path = `/api/servers/${await addServer(pool, 'One too many')}/notifications`
    const refused = await send(person, 'PUT', path, { events: ['serverOffline'] })
    expect([refused.status, await refused.json()]).toEqual([
      400,
      expect.objectContaining({ error: 'too_many_subscriptions' }),
    ])
  })
})

describe('the chat webhook', () => {
  const PATH = '/api/user/notification-preferences/chat-webhook'

  it('is stored encrypted and shown by its host alone', async () => {
    const person = await addPerson(pool)
    expect(await (await send(person, 'GET', PATH)).json()).toEqual({ isSet: false, host: '' })
    const url = 'https://chat.example/api/webhooks/1/secret-part'
    expect(await (await send(person, 'PUT', PATH, { url })).json()).toEqual({ isSet: true, host: 'chat.example' })
    expect(await (await send(person, 'GET', PATH)).json()).toEqual({ isSet: true, host: 'chat.example' })
    const { rows } = await pool.query('select url from chat_webhooks where user_id = $1', [person.id])
    expect(JSON.stringify(rows)).not.toMatch(/secret-part|chat\.example/)
    expect(await (await send(person, 'DELETE', PATH)).json()).toEqual({ success: true })
    expect(await (await send(person, 'GET', PATH)).json()).toEqual({ isSet: false, host: '' })
  })

  it('that can’t be read any more counts as none, and can be set again', async () => {
    const person = await addPerson(pool)
    const lost = createSecretCipher({
      APP_SECRET: 'a secret that no process has any more',
      APP_SECRET_PREVIOUS: undefined,
    })
    await pool.query('insert into chat_webhooks (user_id, url) values ($1, $2)', [
      person.id,
      lost.encrypt('chat', 'https://chat.example/1'),
    ])
    expect(await (await send(person, 'GET', PATH)).json()).toEqual({ isSet: false, host: '' })
    const url = 'https://chat.example/2'
    expect(await (await send(person, 'PUT', PATH, { url })).json()).toEqual({ isSet: true, host: 'chat.example' })
  })

  it.each(['nothing', 'ftp://chat.example/x', 'https://user:pass@chat.example/x', 'javascript:alert(1)', ''])(
    'refuses %o',
    async (url) => {
      expect((await send(await addPerson(pool), 'PUT', PATH, { url })).status).toBe(400)
    },
  )

  it.each([
    'https://127.0.0.1/api/webhooks/1/x',
    'https://localhost/x',
    'https://10.1.2.3/x',
    'https://[::1]/x',
    'https://0x7f.1/x',
    'https://169.254.169.254/x',
    'http://chat.example/x',
  ])('refuses %s in production, as endpoints do', async (url) => {
    const production = await startTestApi({ database: api.database, settings: { NODE_ENV: 'production' } })
    const { cookie } = await addPerson(pool)
    const response = await production.request(PATH, {
      method: 'PUT',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ url }),
    })
    const message = url.startsWith('https') ? 'must be a public address' : 'must be an https address'
    expect([response.status, (await fieldsOf(response)).details]).toEqual([400, [{ path: 'body.url', message }]])
    await production.stop()
  })
})
