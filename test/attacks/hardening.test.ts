// Small openings of the started product, each tried from outside.
import { expect, it } from 'vitest'
import { freePort } from '../../tools/launcher/ports.ts'
import { createClient } from '../support/product-client.ts'
import { PASSWORD, registerAt, startProduct } from '../support/started-product.ts'

const operatorPort = await freePort()
const product = await startProduct({ OPERATOR_PORT: String(operatorPort) })

it('metrics and readiness are not served on the public port when operators have their own', async () => {
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

it.each(['168.63.129.16', '169.254.169.254', '100.100.100.200'])(
  '%s, where a cloud platform answers its own machines, gets no server and no webhook, even where private addresses are allowed',
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
