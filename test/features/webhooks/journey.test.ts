// An owner's webhook: a signed vote, another secret, an endpoint that is gone, and a new one.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { startSimulatedServer } from '../../../dev/simulator/server.ts'
import { createSecretCipher } from '../../../src/platform/config/secret-cipher.ts'
import { startTestApi } from '../../support/api.ts'
import { type Received, startReceiver } from '../../workers/webhooks/support.ts'
import { createWebhookWorld, startTestWorker } from './support.ts'

const dataFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'server-directory-webhooks-'))
afterAll(() => fs.rmSync(dataFolder, { recursive: true, force: true }))
const api = await startTestApi({ settings: { DATA_DIR: dataFolder } })
const world = createWebhookWorld(api)
const { call } = world
const SOON = { timeout: 20_000, interval: 30 }

const verified = (secret: unknown, { body, headers }: Received) =>
  new Webhook(String(secret)).verify(body, headers as Record<string, string>)

it('replaces a secret that can’t be decrypted, and signs by the new one only', async () => {
  const receiver = await startReceiver()
  await startTestWorker(api)
  const owned = await world.addWebhook({ url: receiver.url, events: ['vote.created'] })
  const another = createSecretCipher({ APP_SECRET: 'another secret, 32 characters and more' })
  await api.database.pool.query('update endpoints set secret = $2 where server_id = $1', [
    owned.id,
    another.encrypt('webhook', owned.secret),
  ])
  const { body } = await call(owned.owner, 'POST', `/servers/${owned.id}/webhook/rotate-secret`)
  await world.queue(world.event(owned.id))
  await expect.poll(() => receiver.received.length, SOON).toBe(1)
  const [received] = receiver.received as [Received]
  expect(verified(body.secret, received)).toMatchObject({ type: 'vote.created' })
  expect(received.headers['webhook-signature']).not.toContain(' ')
})

it('from the first delivered vote to an endpoint that is gone and back', async () => {
  let isGone = false
  const receiver = await startReceiver((_, res) => res.writeHead(isGone ? 410 : 200).end('thanks'))
  await startTestWorker(api)
  const owned = await world.addWebhook({ url: `${receiver.url}/votes`, events: ['vote.created'] })
  const webhook = `/servers/${owned.id}/webhook`
  const vote = async (visitorId: string) =>
    (await call(undefined, 'POST', `/servers/${owned.id}/vote`, { visitorId, username: 'Zoë' })).body

  expect(await vote('visitor-one-1')).toMatchObject({ success: true, webhookSent: true })
  await expect.poll(() => receiver.received.length, SOON).toBe(1)
  const [first] = receiver.received as [Received]
  expect(first.path).toBe('/votes')
  expect(verified(owned.secret, first)).toEqual({
    type: 'vote.created',
    timestamp: expect.any(String),
    data: {
      voteId: expect.any(String),
      serverId: owned.id,
      serverName: expect.any(String),
      username: 'Zoë',
      gamePlatformId: '',
      votedAt: expect.any(String),
      totalVotes: 1,
      monthlyVotes: 1,
      streak: 1,
    },
  })
  const logged = async () => (await world.deliveries(owned)).deliveries[0]
  await expect.poll(async () => (await logged())?.status, SOON).toBe('delivered')
  expect(await logged()).toMatchObject({ id: first.id, attempts: 1, log: [{ status: 200, response: 'thanks' }] })

  const { body: rotated } = await call(owned.owner, 'POST', `${webhook}/rotate-secret`)
  const { body: again } = await call(owned.owner, 'POST', `${webhook}/deliveries/${first.id}/redeliver`)
  expect(again.id).toBe(first.id)
  await expect.poll(() => receiver.received.length, SOON).toBe(2)
  const [, second] = receiver.received as [Received, Received]
  expect([second.id, second.body]).toEqual([first.id, first.body])
  for (const secret of [owned.secret, rotated.secret])
    expect(verified(secret, second)).toMatchObject({ type: 'vote.created' })
  await expect.poll(async () => (await logged())?.attempts, SOON).toBe(2)

  isGone = true
  expect((await call(owned.owner, 'POST', `${webhook}/test`)).status).toBe(200)
  await expect.poll(async () => (await call(owned.owner, 'GET', webhook)).body.disabledReason, SOON).toBe('gone')
  const mails = () => {
    const folder = path.join(dataFolder, 'mail')
    const files = fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => name.endsWith('.eml')) : []
    return files.map((name) => fs.readFileSync(path.join(folder, name), 'utf8'))
  }
  await expect.poll(() => mails().join(), SOON).toMatch(/^To: .*Subject: The webhook of Server/ms)
  expect(await vote('visitor-two-2')).toMatchObject({ success: true, webhookSent: false })

  isGone = false
  await world.set(owned, { url: `${receiver.url}/new`, events: ['vote.created'] })
  expect(await vote('visitor-three')).toMatchObject({ webhookSent: true })
  await expect.poll(() => receiver.received.at(-1)?.path, SOON).toBe('/new')
  expect(verified(rotated.secret, receiver.received.at(-1) as Received)).toMatchObject({ data: { totalVotes: 3 } })
})

it('from a game server that answers for the first time', async () => {
  const game = await startSimulatedServer({ info: { name: 'An island', players: 7, maxPlayers: 50 } })
  onTestFinished(() => game.close())
  const receiver = await startReceiver()
  const place = { ipAddress: game.address, gamePort: game.port, queryPort: game.port, game: 'protocol-valve' }
  const owned = await world.addServer(place)
  const { body } = await world.set(owned, { url: receiver.url, events: ['server.online'] })
  await startTestWorker(api)
  await expect.poll(() => receiver.received.length, SOON).toBe(1)
  expect(verified(body.secret, receiver.received[0] as Received)).toMatchObject({
    type: 'server.online',
    data: { serverId: owned.id, isOnline: true, currentPlayers: 7, maxPlayers: 50 },
  })
  const noticed = async () => (await call(owned.owner, 'GET', '/user/notifications')).body.notifications
  await expect.poll(noticed, SOON).toMatchObject([{ event: 'serverOnline' }])
})
