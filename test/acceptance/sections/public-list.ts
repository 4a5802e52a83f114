// The public list and the public detail, without credentials.
import { expect } from 'vitest'
import { addVotes, namesOf, publicPage, refusedParameters } from '../directory.ts'
import { createServer, newVisitor, register, UNKNOWN_ID, WAIT_OPTIONS } from '../product.ts'
import { ROWS } from '../rows.ts'
import { expectFields, onceNeeded, section } from '../section.ts'

/** Three servers; the last has the most votes, the first none. */
const theLagoons = onceNeeded(async () => {
  const owner = await register()
  await createServer(owner, { name: 'Lagoon one' })
  const second = await createServer(owner, { name: 'Lagoon TWO' }, { map: 'Aberration', players: 8 })
  const third = await createServer(owner, { name: 'The third lagoon' }, { map: 'Aberration Deep' })
  await addVotes(third.server.id, 2)
  await addVotes(second.server.id, 1)
  const shown = async () => (await publicPage('search=lagoon')).servers.map(({ totalVotes, map }) => [totalVotes, map])
  await expect.poll(shown, WAIT_OPTIONS).toEqual([
    [2, 'Aberration Deep'],
    [1, 'Aberration'],
    [0, 'TheIsland'],
  ])
  return { second }
})

async function namesBy(query: string): Promise<string[]> {
  await theLagoons()
  return namesOf(await publicPage(query))
}

const refused = async (query: string, field: string) =>
  expect(await refusedParameters(`/api/public/servers?${query}`)).toEqual([field])

section('GET /api/public/servers', {
  page: [
    'is the requested page, the first by default, and empty past the last; other values are refused',
    async () => {
      expect(await namesBy('search=lagoon&limit=1')).toEqual(['The third lagoon'])
      expect(await namesBy('search=lagoon&limit=1&page=2')).toEqual(['Lagoon TWO'])
      expect(await namesBy('search=lagoon&limit=1&page=4')).toEqual([])
      for (const page of ['0', '-1', 'abc', '1.5', '']) await refused(`page=${page}`, 'page')
    },
  ],
  limit: [
    'is the page size, 20 by default; anything but 1 to 100 is refused, not clamped',
    async () => {
      expect(await namesBy('search=lagoon&limit=2')).toEqual(['The third lagoon', 'Lagoon TWO'])
      expect((await publicPage()).pagination.limit).toBe(20)
      for (const limit of ['0', '101', '-5', 'all']) await refused(`limit=${limit}`, 'limit')
    },
  ],
  search: [
    'keeps servers with the text anywhere in their name, ignoring case',
    async () => {
      expect(await namesBy('search=LAGOON')).toEqual(['The third lagoon', 'Lagoon TWO', 'Lagoon one'])
      expect(await namesBy('search=goon two')).toEqual(['Lagoon TWO'])
      expect(await namesBy('search=lagoon%25')).toEqual([])
    },
  ],
  map: [
    'keeps servers on exactly that map, ignoring case',
    async () => {
      expect(await namesBy('search=lagoon&map=aberration')).toEqual(['Lagoon TWO'])
      expect(await namesBy('search=lagoon&map=Aberration Deep')).toEqual(['The third lagoon'])
      expect(await namesBy('search=lagoon&map=Aber')).toEqual([])
    },
  ],
  response: [
    'is the servers, most votes first, and the pagination; unchanged, it answers 304',
    async () => {
      expect(await namesBy('search=lagoon')).toEqual(['The third lagoon', 'Lagoon TWO', 'Lagoon one'])
      const visitor = newVisitor()
      const path = '/api/public/servers?search=lagoon'
      const { status, headers, body } = await visitor.get<{ servers: object[]; pagination: object }>(path)
      expect(status).toBe(200)
      expectFields(body, ['servers', 'pagination'])
      for (const server of body.servers) expectFields(server, ROWS['server summary'])
      expectFields(body.pagination, ROWS.pagination)
      const ifChanged = { headers: { 'if-none-match': headers.get('etag') ?? '' } }
      expect(await visitor.send('GET', path, ifChanged)).toMatchObject({ status: 304, body: '' })
    },
  ],
})

section('GET /api/public/servers/:id', {
  response: [
    'is exactly the server’s detail',
    async () => {
      const { server, game } = (await theLagoons()).second
      const { status, body } = await newVisitor().get(`/api/public/servers/${server.id}`)
      expect(status).toBe(200)
      expectFields(body, [...ROWS['server summary'], ...ROWS['server detail'].slice(1)])
      expect(body).toMatchObject({
        id: server.id,
        name: 'Lagoon TWO',
        queryPort: game.port,
        map: 'Aberration',
        currentPlayers: 8,
        totalVotes: 1,
      })
    },
  ],
  'unknown id': [
    'is 404, well-formed or not',
    async () => {
      for (const id of [UNKNOWN_ID, 'no-id', '1', '%F0%9F%8F%9D'])
        expect(await newVisitor().get(`/api/public/servers/${id}`)).toMatchObject({
          status: 404,
          body: { error: 'not_found' },
        })
    },
  ],
})
