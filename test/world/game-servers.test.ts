// The started product polls real game servers; what it shows is what each server's own console and settings say.
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createPublicLists } from '../../workers/polling/public-lists.ts'
import { isMissing } from '../support/installed.ts'
import { type Product, registerAt, startProduct, WAIT_OPTIONS } from '../support/started-product.ts'
import { httpServer } from '../workers/polling/far-end.ts'
import { createTestDirectory, createTestPoller } from '../workers/polling/support.ts'
import { GAME_SERVERS, type GameServer, SLOW, startGameServer, startLuanti } from './game-servers.ts'

describe('the product shows of a real server', () => {
  let product: Product
  beforeAll(async () => {
    if (GAME_SERVERS.every(({ programs }) => isMissing(...programs))) return
    product = await startProduct({ POLL_INTERVAL_SECONDS: '2' })
  })

  async function show(server: GameServer, address?: string): Promise<void> {
    const running = await startGameServer(server, address)
    const owner = await registerAt(product)
    const { status, body } = await owner.client.post<{ server: { id: string } }>('/api/servers', {
      name: `Real ${server.game} at ${running.address}`,
      ipAddress: running.address,
      gamePort: running.port,
      queryPort: running.port,
      game: server.game,
    })
    expect(status).toBe(201)
    // Dead servers would take the next one's turns: one address is not queried much at once.
    onTestFinished(async () => void (await owner.client.delete(`/api/servers/${body.server.id}`)))
    await server.join?.(running)
    await expect
      .poll(async () => {
        const expected = { isOnline: true, ...server.configured, ...(await server.read?.(running)) }
        const detail = (await owner.client.get(`/api/servers/${body.server.id}`)).body
        const keys = Object.keys(expected)
        return { shown: Object.fromEntries(keys.map((key) => [key, detail[key]])), expected }
      }, SLOW)
      .toSatisfy(({ shown, expected }) => {
        expect(shown).toEqual(expected)
        return true
      })
  }

  for (const server of GAME_SERVERS) {
    const missing = isMissing(...server.programs)
    it.skipIf(missing)(`of ${server.game}: map, people, bots, slots and password`, () => show(server))
    if (server.listensOnIpv6) it.skipIf(missing)(`of ${server.game} on IPv6: the same`, () => show(server, '::1'))
  }
})

/** A server that announces itself again is queried after a minute at the latest. */
const ANNOUNCED = { timeout: 100_000, interval: 500 }

describe.skipIf(isMissing('minetestserver'))('a real Luanti server', async () => {
  const directory = await createTestDirectory()

  it('is shown as it announces itself to the list of servers', async () => {
    const announced: Record<string, unknown>[] = []
    const publisher = await httpServer('127.84.20.7', async (request, response) => {
      if (request.method === 'GET') return response.end(JSON.stringify({ list: announced }))
      const body = Buffer.concat(await Array.fromAsync(request)).toString()
      announced.push(JSON.parse(/\{.*\}/.exec(body)?.[0] ?? '{}'))
      return response.end()
    })
    const url = `http://${publisher.address}:${publisher.port}`
    const luanti = await startLuanti('127.84.20.6', url)
    const { address, port } = luanti
    await expect.poll(() => announced.length || luanti.output(), WAIT_OPTIONS).toBe(1)
    const [id] = (await directory.list([{ address, port, game: 'minetest' }])) as [string]
    await createTestPoller(directory, { lists: createPublicLists({ urls: { minetest: `${url}/list` } }) }).cycle()
    expect(await directory.status(id)).toMatchObject({ isOnline: true, currentPlayers: 0, maxPlayers: 13 })
    expect(announced[0]).toMatchObject({ address, port, password: true, clients: 0 })
  })

  it('announces itself to the product: listed, gone when it stops, claimed by its name', async () => {
    const product = await startProduct({ DISCOVER: 'announcements', POLL_INTERVAL_SECONDS: '2' }, onTestFinished)
    const here = '127.0.0.1' // where its announcements come from
    const running = await startLuanti(here, product.url)
    const { port } = running
    const owner = await registerAt(product)
    const shown = async () => {
      const { body } = await owner.client.get<{ servers: Record<string, unknown>[] }>('/api/servers?game=minetest')
      return body.servers[0]
    }
    await expect.poll(shown, ANNOUNCED).toMatchObject({
      ...{ name: 'Real', ipAddress: here, gamePort: port, isOnline: true, maxPlayers: 13 },
      ...{ isClaimed: false, source: 'announcements' },
    })
    const { id } = (await shown()) as { id: string }
    const { body } = await owner.client.post<{ verificationToken: string }>(`/api/servers/${id}/claim`)
    await running.stop()
    await expect.poll(shown, ANNOUNCED).toBeUndefined()

    const again = await startLuanti(here, product.url, { name: `Real ${body.verificationToken}`, port })
    await expect.poll(shown, ANNOUNCED).toMatchObject({ id, isOnline: true })
    await expect
      .poll(async () => (await owner.client.get(`/api/servers/${id}`)).body, ANNOUNCED)
      .toMatchObject({ isClaimed: true, isVerified: true })
    await again.stop()
    await expect.poll(shown, ANNOUNCED).toMatchObject({ id, isOnline: false })
  })
})
