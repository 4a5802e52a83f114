// The owner of a Rust server rewards votes by a plugin that asks, and by commands over WebRCON.
import { expect, test } from 'vitest'
import { startWebRconServer } from '../../support/webrcon-server.ts'
import { createServer, newVisitor, register, WAIT_OPTIONS } from '../product.ts'

const PLAYER = '76561198000004711'

test('an owner of a Rust server makes a vote key for its plugin, and a vote that it claims is rewarded once', async () => {
  const console = await startWebRconServer({
    onCommand: ({ Identifier, Message }, send) => send(JSON.stringify({ Identifier, Message: `gave: ${Message}` })),
  })
  const owner = await register()
  const { server, verificationToken, game } = await createServer(owner, { name: 'The rust belt', game: 'rust' })
  const path = `/api/servers/${server.id}`
  game.info.name = `The rust belt ${verificationToken}`
  expect((await owner.client.post(`${path}/claim/verify`)).body).toMatchObject({ status: 'verified' })

  const { voteKey } = (await owner.client.post<{ voteKey: string }>(`${path}/vote-key`)).body
  const access = { port: console.port, password: 'open sesame' }
  expect((await owner.client.put(`${path}/rcon`, access)).status).toBe(200)
  const rewards = { when: 'claim', commands: ['inventory.giveto {gamePlatformId} scrap 100'] }
  expect((await owner.client.put(`${path}/vote-rewards`, rewards)).status).toBe(200)

  const plugin = newVisitor()
  const ask = async (action: 'status' | 'claim') => {
    const query = new URLSearchParams({ action, key: voteKey, steamid: PLAYER })
    const { status, body, headers } = await plugin.get<string>(`/api/plugins/votes?${query}`)
    expect([status, headers.get('content-type')]).toEqual([200, expect.stringContaining('text/plain')])
    return body
  }
  expect([await ask('status'), await ask('claim')]).toEqual(['0', '0'])
  const vote = { visitorId: 'a visitor of the belt', gamePlatformId: PLAYER }
  expect((await newVisitor().post(`${path}/vote`, vote)).status).toBe(200)
  expect(await ask('status')).toBe('1')
  // The player is on two servers of this owner, whose plugins ask at the same time.
  expect((await Promise.all([ask('claim'), ask('claim')])).sort()).toEqual(['1', '2'])
  expect(await ask('status')).toBe('2')

  const log = async () => (await owner.client.get<{ rewards: object[] }>(`${path}/vote-rewards/log`)).body.rewards
  const command = `inventory.giveto ${PLAYER} scrap 100`
  await expect
    .poll(log, WAIT_OPTIONS)
    .toMatchObject([{ gamePlatformId: PLAYER, status: 'ran', answer: `gave: ${command}` }])
  expect(await ask('claim')).toBe('2')
  expect(console.commands).toEqual([command])
})
