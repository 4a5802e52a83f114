// The directory's data: server summary, server detail, and pagination.
import { expect } from 'vitest'
import { addVotes, makePollDue, namesOf, publicPage } from '../directory.ts'
import { createServer, detailOf, listServer, newPlace, newVisitor, register, WAIT_OPTIONS } from '../product.ts'
import { ROWS } from '../rows.ts'
import { onceNeeded, section } from '../section.ts'

const NAME = 'The summary isle'
const DESCRIPTION = 'Two lines:\n“friendly” <b>and</b> open.'

const theShown = onceNeeded(async () => {
  const before = Date.now()
  const server = await listServer(
    {
      name: NAME,
      description: DESCRIPTION,
      website: 'https://isle.example/a?b=c',
      chatUrl: 'https://chat.example/isle',
    },
    { name: 'What it calls itself', map: 'Ragnarok', players: 13, maxPlayers: 42, gamePort: 7791, version: '361.7' },
  )
  return { ...server, listedBetween: [before, Date.now()] as const }
})

/** The server in the public list. */
async function summary(): Promise<Record<string, unknown>> {
  await theShown()
  const { servers } = await publicPage({ search: NAME })
  expect(servers).toHaveLength(1)
  return servers[0] ?? {}
}
const detail = async () => detailOf((await theShown()).id)

/** A server that no poll has reached yet. */
const theUnknown = onceNeeded(async () => {
  const { server } = await createServer(await register(), { ...newPlace(), queryPort: undefined })
  return server.id
})

/** Changes what the game server reports, and expects it in the directory after the next poll. */
async function expectToFollow(field: 'currentPlayers' | 'maxPlayers', info: 'players' | 'maxPlayers', value: number) {
  const { id, game } = await theShown()
  expect((await summary())[field]).toBe(game.info[info])
  game.info[info] = value
  await makePollDue(id)
  await expect.poll(async () => (await summary())[field], WAIT_OPTIONS).toBe(value)
}

section('server summary', {
  id: [
    'names the server in every response',
    async () => {
      const { id } = await theShown()
      expect((await summary()).id).toBe(id)
      expect((await detailOf(id)).name).toBe(NAME)
    },
  ],
  name: ['is what its owner called it', async () => expect((await summary()).name).toBe(NAME)],
  ipAddress: [
    'is where players connect to',
    async () => expect((await summary()).ipAddress).toBe((await theShown()).game.address),
  ],
  gamePort: ['is the port players connect to', async () => expect((await summary()).gamePort).toBe(7791)],
  currentPlayers: [
    'is how many players the game server reports, and follows it',
    () => expectToFollow('currentPlayers', 'players', 14),
  ],
  maxPlayers: [
    'is how many players the game server admits, and follows it',
    () => expectToFollow('maxPlayers', 'maxPlayers', 50),
  ],
  isOnline: [
    'is true for a server that answers, false for one that no poll has reached yet',
    async () => {
      expect((await summary()).isOnline).toBe(true)
      expect(await detailOf(await theUnknown())).toMatchObject({ isOnline: false, currentPlayers: 0, maxPlayers: 0 })
    },
  ],
  map: [
    'is the map the game server reports, empty until then',
    async () => {
      expect((await summary()).map).toBe('Ragnarok')
      expect((await detailOf(await theUnknown())).map).toBe('')
    },
  ],
  description: [
    'is what its owner wrote, character by character, and empty without',
    async () => {
      expect((await summary()).description).toBe(DESCRIPTION)
      expect((await detailOf(await theUnknown())).description).toBe('')
    },
  ],
  totalVotes: [
    'counts the votes for it',
    async () => {
      expect((await summary()).totalVotes).toBe(0)
      await addVotes((await theShown()).id, 2)
      await expect.poll(async () => (await summary()).totalVotes, WAIT_OPTIONS).toBe(2)
    },
  ],
  createdAt: [
    'is when it was listed, in UTC with milliseconds',
    async () => {
      const { createdAt } = await summary()
      expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      const [from, to] = (await theShown()).listedBetween
      expect(Date.parse(String(createdAt))).toBeGreaterThanOrEqual(from - 1_000)
      expect(Date.parse(String(createdAt))).toBeLessThanOrEqual(to + 1_000)
    },
  ],
})

/** Updates the server as its owner. */
async function edit(fields: Record<string, string>): Promise<void> {
  const { id, owner } = await theShown()
  expect((await owner.client.patch(`/api/servers/${id}`, fields)).status).toBe(200)
}

section('server detail', {
  'fields of the summary': [
    'are present, with the values of the list',
    async () => {
      const shown = await summary()
      expect(Object.keys(shown).sort()).toEqual([...ROWS['server summary']].sort())
      expect(await detail()).toMatchObject(shown)
    },
  ],
  queryPort: [
    'is the port at which the game server answers queries',
    async () => expect((await detail()).queryPort).toBe((await theShown()).game.port),
  ],
  rates: [
    'is empty until the owner sets pairs name:number, and then those',
    async () => {
      expect((await detail()).rates).toBe('')
      await edit({ rates: 'xp:2,taming:3.5,harvest:2' })
      expect((await detail()).rates).toBe('xp:2,taming:3.5,harvest:2')
    },
  ],
  mods: [
    'is empty until the owner sets some, and then those, separated by commas',
    async () => {
      expect((await detail()).mods).toBe('')
      await edit({ mods: 'Structures Plus,Awesome Spyglass' })
      expect((await detail()).mods).toBe('Structures Plus,Awesome Spyglass')
    },
  ],
  chatUrl: [
    'is the community chat’s URL, empty without one',
    async () => {
      expect((await detail()).chatUrl).toBe('https://chat.example/isle')
      expect((await detailOf(await theUnknown())).chatUrl).toBe('')
    },
  ],
  website: [
    'is the website’s URL, empty without one',
    async () => {
      expect((await detail()).website).toBe('https://isle.example/a?b=c')
      expect((await detailOf(await theUnknown())).website).toBe('')
    },
  ],
  version: [
    'is the version the game server reports, empty until then',
    async () => {
      expect((await detail()).version).toBe('361.7')
      expect((await detailOf(await theUnknown())).version).toBe('')
    },
  ],
  updatedAt: [
    'is when the owner changed it last; polls and votes do not count',
    async () => {
      const before = await detail()
      await expectToFollow('currentPlayers', 'players', 21)
      expect((await detail()).updatedAt).toBe(before.updatedAt)
      const editedAt = Date.now()
      await edit({ description: DESCRIPTION })
      const { updatedAt, createdAt } = await detail()
      expect(Date.parse(String(updatedAt))).toBeGreaterThanOrEqual(editedAt - 1_000)
      expect(Date.parse(String(updatedAt))).toBeLessThanOrEqual(Date.now() + 1_000)
      expect(createdAt).toBe(before.createdAt)
    },
  ],
})

const thePaged = onceNeeded(async () => {
  const owner = await register()
  for (let n = 1; n <= 5; n++) await createServer(owner, { name: `Archipelago ${n}` })
})

async function pageOf(query: Record<string, number>) {
  await thePaged()
  return publicPage({ search: 'Archipelago', ...query })
}

section('pagination', {
  page: [
    'is the requested page, the first by default; together the pages have each server once',
    async () => {
      expect((await pageOf({})).pagination.page).toBe(1)
      const pages = await Promise.all([1, 2, 3].map((page) => pageOf({ page, limit: 2 })))
      expect(pages.map(({ pagination }) => pagination.page)).toEqual([1, 2, 3])
      expect(pages.map(({ servers }) => servers.length)).toEqual([2, 2, 1])
      expect(pages.flatMap(namesOf)).toEqual([1, 2, 3, 4, 5].map((n) => `Archipelago ${n}`))
    },
  ],
  limit: [
    'is how many servers a page has at most',
    async () => {
      const { servers, pagination } = await pageOf({ limit: 4 })
      expect([servers.length, pagination.limit]).toEqual([4, 4])
    },
  ],
  total: [
    'counts all matches, on every page, also on one past the last',
    async () => {
      for (const page of [1, 2, 9]) expect((await pageOf({ page, limit: 3 })).pagination.total).toBe(5)
      expect((await pageOf({ page: 9, limit: 3 })).servers).toEqual([])
    },
  ],
  totalPages: [
    'is the number of pages; the last need not be full, and no match gives none',
    async () => {
      for (const [limit, totalPages] of [
        [1, 5],
        [2, 3],
        [5, 1],
        [6, 1],
      ] as const)
        expect((await pageOf({ limit })).pagination).toEqual({ page: 1, limit, total: 5, totalPages })
      const { body } = await newVisitor().get('/api/public/servers?search=nothing-is-called-so')
      expect(body).toEqual({ servers: [], pagination: { page: 1, limit: 20, total: 0, totalPages: 0 } })
    },
  ],
})
