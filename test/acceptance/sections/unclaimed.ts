// Servers that announce themselves, are listed without an owner, and are claimed or taken off the directory.
import { expect } from 'vitest'
import { type SimulatedServer, startSimulatedServer } from '../../../dev/simulator/server.ts'
import { atFileEnd } from '../../support/at-file-end.ts'
import { database, newVisitor, register, WAIT_OPTIONS } from '../product.ts'
import { section } from '../section.ts'

interface Announced {
  id: string
  game: SimulatedServer
}

let hosts = 0
async function announce(): Promise<Announced> {
  hosts++
  const game = await startSimulatedServer({ address: `127.0.31.${hosts}`, info: { name: `Found isle ${hosts}` } })
  atFileEnd(game.close)
  const body = { game: 'rust', gamePort: game.port, queryPort: game.port }
  const { status } = await newVisitor().send('POST', '/api/announce', {
    body,
    headers: { 'x-forwarded-for': game.address },
  })
  expect(status).toBe(202)
  const found = async () => {
    const { body } = await newVisitor().get<{ servers: { id: string }[] }>(
      `/api/servers?q=${game.address}:${game.port}&fields=id`,
    )
    return body.servers.map(({ id }) => id)
  }
  await expect.poll(found, WAIT_OPTIONS).toHaveLength(1)
  return { id: (await found())[0] ?? '', game }
}

const detail = async (id: string) => (await newVisitor().get(`/api/servers/${id}`)).body

section('servers without owners', {
  'POST /api/announce': [
    'lists a server that answers our own query, with its own name; a foreign address is refused',
    async () => {
      const { id } = await announce()
      await expect
        .poll(() => detail(id), WAIT_OPTIONS)
        .toMatchObject({ name: expect.stringContaining('Found isle'), isClaimed: false, isOnline: true })
      const { status } = await newVisitor().post('/api/announce', {
        game: 'rust',
        ipAddress: '192.0.2.7',
        gamePort: 28_015,
      })
      expect(status).toBe(403)
    },
  ],
  claim: [
    'by the usual proof makes it its owner’s',
    async () => {
      const [{ id, game }, owner] = [await announce(), await register()]
      const path = `/api/servers/${id}/claim`
      const { body } = await owner.client.post<{ verificationToken: string }>(path)
      game.info.name = `Isle ${body.verificationToken}`
      expect((await owner.client.post(`${path}/verify`)).body).toMatchObject({ status: 'verified' })
      await expect.poll(() => detail(id), WAIT_OPTIONS).toMatchObject({ isClaimed: true })
      expect(
        (await owner.client.patch(`/api/servers/${id}`, { name: 'Kept isle', nameFromServer: false })).body,
      ).toMatchObject({
        name: 'Kept isle',
      })
    },
  ],
  'opt-out': [
    'by the same proof takes it off the directory, and no announcement brings it back',
    async () => {
      const [{ id, game }, owner] = [await announce(), await register()]
      const path = `/api/servers/${id}/claim`
      const { body } = await owner.client.post<{ verificationToken: string }>(path)
      game.info.name = `Isle ${body.verificationToken}`
      expect((await owner.client.post(`/api/servers/${id}/opt-out`)).status).toBe(403)
      expect((await owner.client.post(`${path}/verify`)).body).toMatchObject({ status: 'verified' })
      expect((await owner.client.post(`/api/servers/${id}/opt-out`)).status).toBe(200)
      await expect.poll(async () => (await newVisitor().get(`/api/servers/${id}`)).status, WAIT_OPTIONS).toBe(404)
      const again = { game: 'rust', gamePort: game.port, queryPort: game.port }
      const headers = { 'x-forwarded-for': game.address }
      // As a day without an announcement leaves it: it is checked again.
      await database.query('delete from announcements where address = $1', [game.address])
      expect((await newVisitor().send('POST', '/api/announce', { body: again, headers })).status).toBe(202)
      const refusal = async () => {
        const { rows } = await database.query('select refusal from announcements where address = $1', [game.address])
        return rows[0]?.refusal
      }
      await expect.poll(refusal, WAIT_OPTIONS).toBe('blocked')
      const listed = await owner.client.post('/api/servers', {
        ...again,
        name: 'Listed again',
        ipAddress: game.address,
      })
      expect([listed.status, listed.body.error]).toEqual([400, 'opted_out'])
    },
  ],
})
