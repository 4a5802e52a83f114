// Small weaknesses of the started product, each tried from outside.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { freePort } from '../../commands/start/ports.ts'
import { atFileEnd } from '../support/at-file-end.ts'
import { createClient } from '../support/product-client.ts'
import {
  openDatabaseOf,
  PASSWORD,
  type Person,
  registerAt,
  startProduct,
  WAIT_OPTIONS,
} from '../support/started-product.ts'

const operatorPort = await freePort()
const product = await startProduct({ OPERATOR_PORT: String(operatorPort), ADMIN_EMAILS: 'boss@example.com' })
const database = await openDatabaseOf(product)

/** Counts the requests it receives. */
const received: string[] = []
const receiver = createServer((req, res) => {
  received.push(req.url ?? '')
  req.resume().on('end', () => res.end())
}).listen(0, '127.0.0.1')
await new Promise((resolve) => receiver.once('listening', resolve))
atFileEnd(() => void receiver.close())
const hook = (path: string) => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}${path}`
const receivedAt = (path: string) => received.filter((one) => one === path).length

let servers = 0
/** A server with a webhook for votes at the receiver's `path`. */
async function addHooked({ client }: Person, path: string): Promise<string> {
  const port = 20_000 + ++servers
  const listed = { name: `Hooked ${servers}`, ipAddress: '127.9.9.8', gamePort: port, queryPort: port, gameMode: 'PvP' }
  const { body } = await client.post<{ server: { id: string } }>('/api/servers', listed)
  const set = await client.put(`/api/servers/${body.server.id}/webhook`, { url: hook(path), events: ['vote.created'] })
  expect(set.status).toBe(200)
  return body.server.id
}

/** @returns whether the vote's response says that a webhook is sent */
async function vote(serverId: string): Promise<boolean> {
  const visitorId = `visitor-${crypto.randomUUID()}`
  const { status, body } = await createClient(product).post(`/api/servers/${serverId}/vote`, { visitorId })
  expect(status).toBe(200)
  return body.webhookSent === true
}

it('metrics and readiness are not on the public port when operators have their own', async () => {
  for (const path of ['/healthz', '/readyz', '/metrics']) {
    expect((await fetch(product.url + path)).status).toBe(404)
    expect((await fetch(`http://127.0.0.1:${operatorPort}${path}`)).status).toBe(200)
  }
})

it('a page of another origin can’t log its visitor in to an account of its own, register, log out or send mails', async () => {
  const attacker = await registerAt(product)
  const victim = createClient(product)
  const { email } = attacker
  for (const headers of [{ origin: 'https://evil.example' }, { origin: product.url, 'sec-fetch-site': 'cross-site' }])
    for (const [path, body] of [
      ['/api/auth/login', { email, password: PASSWORD }],
      ['/api/auth/register', { email: 'made-by-a-page@example.com', username: 'Made', password: PASSWORD }],
      ['/api/auth/logout', undefined],
      ['/api/auth/password-reset', { email }],
    ] as const) {
      const refused = await victim.send('POST', path, { body, headers })
      expect([path, refused.status, refused.body.error]).toEqual([path, 403, 'forbidden'])
    }
  expect(victim.cookies.size).toBe(0)
  expect((await victim.post('/api/auth/login', { email, password: PASSWORD })).status).toBe(200)
})

it.each(['168.63.129.16', '169.254.169.254', '100.100.100.200', '[fd00:ec2::254]', '[64:ff9b::a9fe:a9fe]'])(
  '%s, a cloud platform’s metadata address, is refused for servers and webhooks, even where private addresses are allowed',
  async (address) => {
    const { client } = await registerAt(product)
    const listed = { name: 'A server', gamePort: 27015, queryPort: 27015, gameMode: 'PvP' }
    const refused = await client.post('/api/servers', { ...listed, ipAddress: address })
    expect(refused).toMatchObject({ status: 400, body: { details: [{ path: 'body.ipAddress' }] } })
    const { body } = await client.post<{ server: { id: string } }>('/api/servers', {
      ...listed,
      ipAddress: '127.9.9.9',
    })
    const url = `http://${address}/metadata`
    const webhook = { url, events: ['vote.created'] }
    const answer = await client.put(`/api/servers/${body.server.id}/webhook`, webhook)
    expect(answer).toMatchObject({ status: 400, body: { details: [{ path: 'body.url' }] } })
    await client.delete(`/api/servers/${body.server.id}`)
  },
)

it('a banned owner’s webhook receives nothing, and votes again after the ban', async () => {
  const boss = await registerAt(product, 'boss@example.com')
  const [owner, other] = [await registerAt(product), await registerAt(product)]
  const [banned, free] = [await addHooked(owner, '/banned'), await addHooked(other, '/free')]
  expect(await vote(banned)).toBe(true)
  await expect.poll(() => receivedAt('/banned'), WAIT_OPTIONS).toBe(1)

  const ban = (isBanned: boolean) => boss.client.patch(`/api/admin/users/${owner.id}`, { banned: isBanned })
  expect((await ban(true)).status).toBe(200)
  for (let i = 0; i < 5; i++) expect(await vote(banned)).toBe(false)
  // The other owner's deliveries are behind these in the same queue, and arrive.
  for (let i = 0; i < 5; i++) expect(await vote(free)).toBe(true)
  await expect.poll(() => receivedAt('/free'), WAIT_OPTIONS).toBe(5)
  expect(receivedAt('/banned')).toBe(1)
  const { rows } = await database.query(
    `select count(*) from endpoint_deliveries where endpoint_id = $1 and status = 'pending'`,
    [banned],
  )
  expect(rows).toEqual([{ count: 0 }])

  expect((await ban(false)).status).toBe(200)
  expect(await vote(banned)).toBe(true)
  await expect.poll(() => receivedAt('/banned'), WAIT_OPTIONS).toBe(2)
})

it('a banned owner’s RCON password is used for no member of the team, until the ban ends', async () => {
  const boss = createClient(product)
  await boss.post('/api/auth/login', { email: 'boss@example.com', password: PASSWORD })
  const [owner, member] = [await registerAt(product), await registerAt(product)]
  const serverId = await addHooked(owner, '/rcon')
  await owner.client.put(`/api/servers/${serverId}/rcon`, { port: await freePort(), password: 'the password' })
  await database.query('update users set email_verified_at = now() where id = $1', [member.id])
  const invitation = { email: member.email, role: 'manager', mayUseRcon: true }
  const { body } = await owner.client.post(`/api/servers/${serverId}/members`, invitation)
  expect((await member.client.post(`/api/user/invitations/${body.id}/accept`, {})).status).toBe(200)

  const errorOfCommand = async () =>
    (await member.client.post(`/api/servers/${serverId}/rcon`, { command: 'status' })).body.error
  expect(await errorOfCommand()).toBe('rcon_unreachable')
  expect((await boss.patch(`/api/admin/users/${owner.id}`, { banned: true })).status).toBe(200)
  expect(await errorOfCommand()).toBe('rcon_not_configured')
  expect((await boss.patch(`/api/admin/users/${owner.id}`, { banned: false })).status).toBe(200)
  expect(await errorOfCommand()).toBe('rcon_unreachable')
})

it('neither the database nor the log contains a webhook’s URL, and an administrator sees only its host', async () => {
  const boss = createClient(product)
  await boss.post('/api/auth/login', { email: 'boss@example.com', password: PASSWORD })
  const path = '/api/webhooks/1234/the-secret-path'
  const server = await addHooked(await registerAt(product), path)
  await vote(server)
  await expect.poll(() => receivedAt(path), WAIT_OPTIONS).toBe(1)
  const { rows } = await database.query(
    `select (select json_agg(e) from endpoints as e)::text || (select json_agg(d) from endpoint_deliveries as d)::text
       || (select json_agg(a) from endpoint_attempts as a)::text || (select json_agg(l) from audit_log as l)::text
       || (select json_agg(j) from pgboss.job as j)::text as everything`,
  )
  expect(rows[0].everything).toContain(server)
  expect(rows[0].everything).not.toContain('the-secret-path')
  expect(product.launcher.output()).not.toContain('the-secret-path')
  const { status, body } = await boss.get(`/api/servers/${server}/webhook`)
  expect([status, body.url]).toEqual([200, `${hook('')}/…`])
})
