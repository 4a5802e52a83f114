// Endpoints of the kind `discord` for their owners: which URLs are accepted, and that none is shown again.
import { describe, expect, it } from 'vitest'
import { startTestApi } from '../../support/api.ts'
import { createWebhookWorld, type Owned } from './support.ts'

const api = await startTestApi({ settings: { DISCORD_BASE_URL: 'http://127.0.0.1:4999' } })
const world = createWebhookWorld(api)
const { call } = world
const URL_OF_CHANNEL = 'https://discord.com/api/webhooks/1234567890/a-Secret_token'

const add = ({ owner, id }: Owned, url: string) =>
  call(owner, 'POST', `/servers/${id}/endpoints`, { kind: 'discord', url, events: ['vote.created', 'vote.milestone'] })

it('is added, and its URL is shown to no one, its owner included', async () => {
  const owned = await world.addServer()
  const { status, body } = await add(owned, `${URL_OF_CHANNEL}?thread_id=7`)
  expect(status).toBe(201)
  expect(body).toMatchObject({
    kind: 'discord',
    url: 'https://discord.com/…',
    events: ['vote.created', 'vote.milestone'],
  })
  const path = `/servers/${owned.id}/endpoints/${body.id}`
  for (const reply of [
    body,
    (await call(owned.owner, 'GET', path)).body,
    (await call(owned.owner, 'PATCH', path, { events: ['server.offline'] })).body,
    (await call(owned.owner, 'PATCH', path, { url: `${URL_OF_CHANNEL}2` })).body,
  ])
    expect(JSON.stringify(reply)).not.toContain('a-Secret_token')
})

it.each([
  'https://discord.com/api/v10/webhooks/1/t',
  'https://ptb.discord.com/api/webhooks/1/t',
  'https://discordapp.com/api/webhooks/1/t',
  'http://127.0.0.1:4999/api/webhooks/1/t', // DISCORD_BASE_URL
])('accepts %s', async (url) => expect((await add(await world.addServer(), url)).status).toBe(201))

it.each([
  'https://owner.example/api/webhooks/1/t',
  'https://discord.com.evil.example/api/webhooks/1/t',
  'https://evil-discord.com/api/webhooks/1/t',
  'http://discord.com/api/webhooks/1/t',
  'https://discord.com:8443/api/webhooks/1/t',
  'https://discord.com/api/webhooks/1/t/slack',
  'https://discord.com/api/webhooks/1/t?wait=true',
  'https://discord.com/api/users/@me',
  'https://discord.com/api/webhooks/1/t/../../../users',
  'http://127.0.0.1:4998/api/webhooks/1/t',
])('refuses %s', async (url) =>
  expect(await add(await world.addServer(), url)).toMatchObject({
    status: 400,
    body: { details: [{ path: 'body.url', message: 'must be the URL of a Discord webhook' }] },
  }),
)

describe('of the kind `discord-status`', () => {
  const addStatus = ({ owner, id }: Owned, url = URL_OF_CHANNEL) =>
    call(owner, 'POST', `/servers/${id}/endpoints`, { kind: 'discord-status', url })
  const messageOf = async (endpointId: unknown) => {
    const { rows } = await api.database.pool.query(
      `select message_id, creation_id is null as "mayCreate", webhook_id from discord_messages where endpoint_id = $1`,
      [endpointId],
    )
    return rows[0]
  }

  it('has no events, says what became of its message, and sends no test', async () => {
    const owned = await world.addServer()
    const { status, body } = await addStatus(owned)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      kind: 'discord-status',
      url: 'https://discord.com/…',
      events: [],
      message: { isCreated: false, editedAt: null, error: null },
    })
    expect(JSON.stringify(body)).not.toContain('a-Secret_token')
    const path = `/servers/${owned.id}/endpoints/${body.id}`
    expect(await call(owned.owner, 'POST', `${path}/test`)).toMatchObject({ status: 400, body: { error: 'no_events' } })
    expect(await call(owned.owner, 'PATCH', path, { events: ['vote.created'] })).toMatchObject({ status: 400 })
    expect(await world.queue(world.event(owned.id))).toEqual(new Set())
  })

  it('keeps its message if the same address is saved again, and gets another in another channel', async () => {
    const owned = await world.addServer()
    const { body } = await addStatus(owned)
    const path = `/servers/${owned.id}/endpoints/${body.id}`
    await api.database.pool.query(`update discord_messages set message_id = '5' where endpoint_id = $1`, [body.id])
    const webhook = URL_OF_CHANNEL.slice('https://discord.com/api'.length)
    for (const start of ['https://discordapp.com/api', 'https://discord.com/api/v10', 'https://discord.com/api']) {
      const url = start + webhook
      expect((await call(owned.owner, 'PATCH', path, { url })).status).toBe(200)
      expect(await messageOf(body.id)).toMatchObject({ message_id: '5', webhook_id: '1234567890' })
    }
    await call(owned.owner, 'PATCH', path, { url: `${URL_OF_CHANNEL}?thread_id=7` })
    expect(await messageOf(body.id)).toMatchObject({ message_id: null, webhook_id: '1234567890' })
    await api.database.pool.query(`update discord_messages set message_id = '6' where endpoint_id = $1`, [body.id])
    await call(owned.owner, 'PATCH', path, { url: 'https://discord.com/api/webhooks/77/t' })
    expect(await messageOf(body.id)).toMatchObject({ message_id: null, webhook_id: '77' })
  })

  it('may create its message again once the owner has saved it, but not while a worker may be creating it', async () => {
    const owned = await world.addServer()
    const { body } = await addStatus(owned)
    const path = `/servers/${owned.id}/endpoints/${body.id}`
    const setLease = (until: string) =>
      api.database.pool.query(
        `update discord_messages set creation_id = gen_random_uuid(), leased_until = ${until} where endpoint_id = $1`,
        [body.id],
      )
    await setLease(`now() + interval '20 seconds'`)
    expect((await call(owned.owner, 'PATCH', path, {})).status).toBe(200)
    expect(await messageOf(body.id)).toMatchObject({ mayCreate: false })
    await setLease(`now() - interval '1 second'`) // its worker was killed: there may be a message
    expect((await call(owned.owner, 'PATCH', path, {})).status).toBe(200)
    expect(await messageOf(body.id)).toMatchObject({ mayCreate: false })
    await setLease('null')
    await api.database.pool.query(
      `update endpoints set disabled_at = now(), disabled_reason = 'unconfirmed' where id = $1`,
      [body.id],
    )
    expect((await call(owned.owner, 'GET', path)).body).toMatchObject({ disabledReason: 'unconfirmed' })
    expect((await call(owned.owner, 'PATCH', path, {})).body).toMatchObject({ isActive: true })
    expect(await messageOf(body.id)).toMatchObject({ mayCreate: true })
  })
})
