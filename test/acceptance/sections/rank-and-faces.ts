// The rank that everybody can compute, seasons, and the faces of servers and of the site.
import sharp from 'sharp'
import { expect } from 'vitest'
import {
  database,
  elsewhere,
  listServer,
  newVisitor,
  operator,
  type Person,
  product,
  WAIT_OPTIONS,
} from '../product.ts'
import { onceNeeded, section } from '../section.ts'

const vote = async (id: string) =>
  expect((await newVisitor().post(`/api/servers/${id}/vote`, { visitorId: `visitor ${Math.random()}` })).status).toBe(
    200,
  )

/** Two servers of a game that no other test uses: the second has more votes. */
const theRanked = onceNeeded(async () => {
  const [behind, ahead] = [await listServer({ game: 'conanexiles' }), await listServer({ game: 'conanexiles' })]
  await vote(behind.id)
  for (let votes = 0; votes < 3; votes++) await vote(ahead.id)
  return { behind: behind.id, ahead: ahead.id, owner: ahead.owner }
})

const picture = () =>
  sharp({ create: { width: 128, height: 128, channels: 3, background: '#a03060' } })
    .png()
    .toBuffer()

async function sendPicture({ client }: Person, path: string): Promise<number> {
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { cookie, 'content-type': 'image/png', 'x-forwarded-for': client.address }
  const body = new Uint8Array(await picture())
  return (await fetch(product.url + path, { method: 'PUT', headers, body })).status
}

section('rank and seasons', {
  'sortBy score': [
    'orders servers by votes that fade and by what is played, highest first',
    async () => {
      const { behind, ahead } = await theRanked()
      const order = async () => {
        const path = '/api/servers?game=conanexiles&sortBy=score'
        const { servers } = (await newVisitor().get<{ servers: { id: string; score: number }[] }>(path)).body
        return servers.map(({ id, score }) => [id, Math.round(score)])
      }
      await expect.poll(order, WAIT_OPTIONS).toEqual([
        [ahead, 3],
        [behind, 1],
      ])
    },
  ],
  'GET /api/servers/:id/rank': [
    'says how the score is computed, with the server’s own numbers',
    async () => {
      const { ahead } = await theRanked()
      const rank = async () => (await newVisitor().get(`/api/servers/${ahead}/rank`)).body
      await expect
        .poll(rank, WAIT_OPTIONS)
        .toMatchObject({ placeInGame: 1, serversOfGame: 2, totalVotes: 3, countedVotes: expect.closeTo(3, 1) })
    },
  ],
  'GET /api/standings': [
    'lists the running month live, and months without votes as empty',
    async () => {
      const { behind, ahead } = await theRanked()
      const path = '/api/standings?game=conanexiles'
      const places = async () => {
        const { body } = await newVisitor().get<{
          standings: { place: number; votes: number; server: { id: string } }[]
        }>(path)
        return body.standings.map(({ place, votes, server }) => [place, votes, server.id])
      }
      await expect.poll(places, WAIT_OPTIONS).toEqual([
        [1, 3, ahead],
        [2, 1, behind],
      ])
      expect((await newVisitor().get(path)).body).toMatchObject({ isRunning: true, correctedAt: null })
      expect((await newVisitor().get(`${path}&month=2020-01`)).body).toMatchObject({ isRunning: false, standings: [] })
      expect((await newVisitor().get(`${path}&month=2020-13`)).status).toBe(400)
    },
  ],
  'GET /api/servers/:id/standings': [
    'has its best places in finished months',
    async () => {
      const { ahead } = await theRanked()
      const path = `/api/servers/${ahead}/standings`
      expect((await newVisitor().get(path)).body).toEqual({ standings: [] })
      await database.query(
        `insert into server_vote_months (server_id, month, votes, place, place_in_game, is_ranked) values ($1, '2020-02-01', 7, 1, 1, true)`,
        [ahead],
      )
      const standing = { month: '2020-02', votes: 7, place: 1, placeInGame: 1 }
      expect((await newVisitor().get(path)).body).toEqual({ standings: [standing] })
      expect((await newVisitor().get('/api/standings?month=2020-02')).body).toMatchObject({
        standings: [{ place: 1, votes: 7, server: { id: ahead } }],
      })
      expect(await (await fetch(`${product.url}/top/2020-02`)).text()).toContain(ahead.slice(-12))
    },
  ],
})

section('faces', {
  'PUT /api/servers/:id/logo': [
    'a worker encodes the picture again; it is served under its hash, unchangeable',
    async () => {
      const { ahead, owner } = await theRanked()
      expect(await sendPicture(owner, `/api/servers/${ahead}/logo`)).toBe(202)
      const logoUrl = async () => (await newVisitor().get(`/api/servers/${ahead}`)).body.logoUrl
      await expect.poll(logoUrl, WAIT_OPTIONS).toMatch(/^http.*\.webp$/)
      const image = await fetch(product.url + new URL(String(await logoUrl())).pathname)
      expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/webp'])
      expect(image.headers.get('cache-control')).toContain('immutable')
    },
  ],
  cards: [
    'a server’s page names a picture of 1200 × 630 pixels that chats draw',
    async () => {
      const { ahead } = await theRanked()
      const page = await (await fetch(`${product.url}/servers/${ahead}`, { headers: { accept: 'text/html' } })).text()
      const [, card = ''] = /property="og:image" content="([^"]+)"/.exec(page) ?? []
      const image = await fetch(product.url + new URL(card).pathname + new URL(card).search)
      expect(image.headers.get('content-type')).toBe('image/png')
      const { width, height } = await sharp(Buffer.from(await image.arrayBuffer())).metadata()
      expect([width, height]).toEqual([1200, 630])
    },
  ],
  '/api/admin/appearance': [
    'gives the site a name and a colour at once, by administrators only',
    async () => {
      const path = '/api/admin/appearance'
      expect((await newVisitor().patch(path, { name: 'Mine' })).status).toBe(401)
      const admin = elsewhere(operator)
      const title = async () => /<title>([^<]*)/.exec(await (await fetch(product.url)).text())?.[1]
      expect((await admin.patch(path, { name: 'Isle directory', accent: '#a03060' })).status).toBe(200)
      await expect.poll(title, WAIT_OPTIONS).toContain('Isle directory')
      expect((await admin.patch(path, { name: '', accent: null })).status).toBe(200)
      await expect.poll(title, WAIT_OPTIONS).toContain('Server Directory')
    },
  ],
})
