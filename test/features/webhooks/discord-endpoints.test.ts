// Endpoints of the kind `discord` for their owners: which URLs are accepted, and that none is shown again.
import { expect, it } from 'vitest'
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
