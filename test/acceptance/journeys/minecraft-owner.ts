// The owner of a Minecraft server lists and proves it, adds its Votifier plugin, and sees each vote in the log, in order.
import { expect, test } from 'vitest'
import { startVotifierReceiver } from '../../support/votifier-receiver.ts'
import { createServer, newVisitor, register, WAIT_OPTIONS } from '../product.ts'

interface Delivery {
  id: string
  type: string
  status: string
  log: { number: number; reason: string | null; response: string }[]
}

test('an owner of a Minecraft server lists and proves it, and the votes reach its Votifier plugin in order, also after a restart', async () => {
  const owner = await register()
  const { server, verificationToken, game } = await createServer(owner, { name: 'The blocks' })
  const path = `/api/servers/${server.id}`
  game.info.name = `The blocks ${verificationToken}`
  expect((await owner.client.post(`${path}/claim/verify`)).body).toMatchObject({ status: 'verified' })

  const plugin = await startVotifierReceiver()
  const shown = { kind: 'votifier2', host: '127.0.0.1', port: plugin.port }
  const { status, body: endpoint } = await owner.client.post<{ id: string }>(`${path}/endpoints`, {
    ...shown,
    token: plugin.token,
  })
  expect(status).toBe(201)
  const endpointPath = `${path}/endpoints/${endpoint.id}`
  const log = async () =>
    (await owner.client.get<{ deliveries: Delivery[] }>(`${endpointPath}/deliveries`)).body.deliveries
  expect((await owner.client.post(`${endpointPath}/test`)).status).toBe(200)
  await expect.poll(() => plugin.votes, WAIT_OPTIONS).toMatchObject([{ username: 'VoteTest' }])

  await plugin.close()
  for (const username of ['Ada', 'Ben', 'Cleo']) {
    const vote = { visitorId: `the miner ${username}`, username }
    expect(await newVisitor().post(`${path}/vote`, vote)).toMatchObject({ status: 200, body: { webhookSent: true } })
  }
  await expect.poll(async () => (await log()).some(({ log }) => log.length > 0), WAIT_OPTIONS).toBe(true)
  await expect
    .poll(async () => JSON.stringify(await log()), WAIT_OPTIONS)
    .toContain('the game server refused the connection')

  const restarted = await startVotifierReceiver({ port: plugin.port, token: plugin.token })
  await expect.poll(() => restarted.votes.map(({ username }) => username), WAIT_OPTIONS).toEqual(['Ada', 'Ben', 'Cleo'])
  await expect
    .poll(async () => (await log()).map(({ type, status }) => [type, status]), WAIT_OPTIONS)
    .toEqual([...Array.from({ length: 3 }, () => ['vote.created', 'delivered']), ['webhook.test', 'delivered']])

  const [newest] = await log()
  expect((await owner.client.post(`${endpointPath}/deliveries/${newest?.id}/redeliver`)).status).toBe(200)
  await expect.poll(() => restarted.votes.at(3)?.username, WAIT_OPTIONS).toBe('Cleo')
  expect(restarted.refusals).toEqual([])
}, 90_000)
