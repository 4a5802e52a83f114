// A claimant forges datagrams from a proven game server to the sockets that the product queries from.
import dgram from 'node:dgram'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { answer } from '../../dev/simulator/a2s.ts'
import { type SimulatedServer, startSimulatedServer } from '../../dev/simulator/server.ts'
import { parse } from '../support/mail-server.ts'
import { createClient } from '../support/product-client.ts'
import { openDatabaseOf, type Person, registerAt, startProduct, WAIT_OPTIONS } from '../support/started-product.ts'

const product = await startProduct({
  POLL_INTERVAL_SECONDS: '1',
  RATE_LIMIT_IP_PER_MINUTE: '0',
  RATE_LIMIT_IP_PER_HOUR: '0',
})
const database = await openDatabaseOf(product)

interface Claim {
  status: string
  takeoverAt: string | null
}

let hosts = 1

/** Each server has its own address, because one address is not queried much at once. */
async function list(owner: Person): Promise<{ id: string; token: string; game: SimulatedServer }> {
  const game = await startSimulatedServer({ address: `127.0.9.${hosts++}` })
  onTestFinished(() => game.close().catch(() => undefined))
  const { status, body } = await owner.client.post<{ server: { id: string }; verificationToken: string }>(
    '/api/servers',
    {
      name: 'A server',
      ipAddress: game.address,
      gamePort: game.port,
      queryPort: game.port,
      game: 'protocol-valve',
    },
  )
  expect(status).toBe(201)
  return { id: body.server.id, token: body.verificationToken, game }
}

/** The status; undefined for 503, when a silent server was queried for too long. */
const verify = async ({ client }: Person, id: string) =>
  (await client.post<Claim>(`/api/servers/${id}/claim/verify`)).body.status
const claimOf = async ({ client }: Person, id: string) => (await client.get<Claim>(`/api/servers/${id}/claim`)).body
const claim = async ({ client }: Person, id: string) =>
  (await client.post<{ verificationToken: string }>(`/api/servers/${id}/claim`)).body.verificationToken

async function listProven() {
  const owner = await registerAt(product)
  await database.query('update users set email_verified_at = now() where id = $1', [owner.id])
  const listed = await list(owner)
  listed.game.info.name = `Mine ${listed.token}`
  expect(await verify(owner, listed.id)).toBe('verified')
  listed.game.info.name = 'Mine'
  return { owner, ...listed }
}

test('forged answers to sockets that a claimant has seen prove nothing', async () => {
  const [victim, forger] = [await listProven(), await registerAt(product)]
  // The forger's own server sees the ports that polls and claim checks come from.
  const own = await list(forger)
  const ports = new Set<number>()
  own.game.onRequest = (port) => ports.add(port)
  for (let n = 0; n < 2; n++) await verify(forger, own.id)
  const token = await claim(forger, victim.id)

  // The victim's server is down, and forged datagrams come from its address and port.
  await victim.game.close()
  const forging = dgram.createSocket('udp4')
  await new Promise<void>((resolve) => forging.bind(victim.game.port, victim.game.address, resolve))
  onTestFinished(() => new Promise<void>((resolve) => forging.close(() => resolve())))
  const challenged = Buffer.concat([Buffer.from([255, 255, 255, 255, 0x54]), Buffer.from('Source Engine Query\0')])
  const [challenge = Buffer.alloc(9)] = answer(challenged, victim.game.info)
  const info = { ...victim.game.info, name: `Mine ${token}` }
  const forged = answer(Buffer.concat([challenged, challenge.subarray(-4)]), info)
  const flood = setInterval(() => {
    for (const port of ports) for (const datagram of forged) forging.send(datagram, port, victim.game.address)
  }, 50)
  onTestFinished(() => clearInterval(flood))

  for (let n = 0; n < 2; n++) expect(await verify(forger, victim.id)).not.toBe('verified')
  await sleep(2_000) // polls continue meanwhile
  expect(await claimOf(forger, victim.id)).toMatchObject({ status: 'pending', takeoverAt: null })
  expect(await claimOf(victim.owner, victim.id)).toMatchObject({ status: 'verified' })
})

/** The token in the mail's link about the server, once the mail was sent. */
async function mailedToken(serverId: string): Promise<string> {
  const folder = path.join(product.launcher.env.DATA_DIR ?? '', 'mail')
  let token = ''
  await expect
    .poll(() => {
      const mails = fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => name.endsWith('.eml')) : []
      const texts = mails.map((name) => parse(fs.readFileSync(path.join(folder, name), 'utf8')).text)
      const text = texts.find((one) => one.includes(serverId) && one.includes('/stop-claim#'))
      token = /stop-claim#([\w-]{43})/.exec(text ?? '')?.[1] ?? ''
      return token
    }, WAIT_OPTIONS)
    .not.toBe('')
  return token
}

test('a server that shows another’s token changes its owner only after the delay, and not after the owner’s objection', {
  timeout: 60_000,
}, async () => {
  const [victim, claimant] = [await listProven(), await registerAt(product)]
  victim.game.info.name = `Mine ${await claim(claimant, victim.id)}`
  expect(await verify(claimant, victim.id)).toBe('pending')
  const { takeoverAt } = await claimOf(claimant, victim.id)
  expect(Date.parse(takeoverAt ?? '')).toBeGreaterThan(Date.now() + 9 * 60_000)
  expect(await claimOf(victim.owner, victim.id)).toMatchObject({ status: 'verified' })

  const token = await mailedToken(victim.id)
  const { body } = await victim.owner.client.get<{ notifications: { event: string }[] }>('/api/user/notifications')
  expect(body.notifications.map(({ event }) => event)).toContain('serverTakeover')
  expect((await createClient(product).post('/api/claims/stop', { token })).status).toBe(200)

  expect(await claimOf(claimant, victim.id)).toMatchObject({ status: 'expired', takeoverAt: null })
  const again = await claimant.client.post(`/api/servers/${victim.id}/claim`)
  expect([again.status, again.body.error]).toEqual([400, 'claim_stopped'])
  expect(await claimOf(victim.owner, victim.id)).toMatchObject({ status: 'verified' })
})
