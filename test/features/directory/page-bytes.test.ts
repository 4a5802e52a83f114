// Pages that reach their size limit before their item limit: nothing is lost, repeated or cut in the middle.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { MAX_AT_ADDRESS } from '../../../src/features/directory/engine/lookup.ts'
import { SHORTENED_DESCRIPTION } from '../../../src/features/directory/engine/render.ts'
import type { Directory } from '../../../src/features/directory/index.ts'
import { MAX_PAGE_BYTES } from '../../../src/platform/http/paging.ts'
import { atFileEnd } from '../../support/at-file-end.ts'
import { createTestDatabase } from '../../support/database.ts'
import { ask, changes, createFollower, type Item, listed, type Page, startDirectory } from './followers.ts'
import { insertServer, putStatus, putVotes, setDeleted } from './rows-in-database.ts'

/** Four bytes a character, at the maximum length. */
const longest = (character: string) => character.repeat(2000)

async function started(): Promise<{
  directory: Directory
  pool: Awaited<ReturnType<typeof createTestDatabase>>['pool']
}> {
  const database = await createTestDatabase()
  const directory = await startDirectory(database)
  atFileEnd(() => directory.stop())
  return { directory, pool: database.pool }
}

const bytesOf = (reply: unknown) => Buffer.byteLength(JSON.stringify(reply))
/** Removed ids, missing ids, cursors, brackets. */
const BESIDES = 60_000

it('following the feed through pages cut by size gives exactly the whole directory, despite edits', {
  timeout: 60_000,
}, async () => {
  const { directory, pool } = await started()
  const ids: string[] = []
  for (let n = 0; n < 300; n++) ids.push(await insertServer(pool, { createdAt: new Date(1e12 + (n >> 2)) }))
  const follower = createFollower()
  let cutByBytes = 0
  const round = fc.record({
    edited: fc.array(fc.nat(299), { maxLength: 300 }),
    removed: fc.array(fc.nat(299), { maxLength: 5 }),
    characters: fc.array(fc.nat(2000), { minLength: 1, maxLength: 8 }),
    editedLater: fc.nat(299),
    limits: fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 4 }),
  })

  /** One page, whose limits are checked first. */
  async function step(limit: number): Promise<boolean> {
    const page: Page = await changes(directory, follower.cursor(), limit)
    expect(page.servers.length + page.removed.length).toBeLessThanOrEqual(limit)
    expect(bytesOf(page)).toBeLessThan(MAX_PAGE_BYTES + BESIDES)
    if (page.hasMore && page.servers.length + page.removed.length < limit) cutByBytes++
    return follower.step(directory, limit)
  }

  await fc.assert(
    fc.asyncProperty(round, async ({ edited, removed, characters, editedLater, limits }) => {
      const text = `update servers set description = repeat('🦖', $2), deleted_at = null, updated_at = now() where id = $1`
      for (const [at, n] of edited.entries()) await pool.query(text, [ids[n], characters[at % characters.length]])
      for (const n of removed) await setDeleted(pool, ids[n] ?? '', true)
      await directory.refresh()
      let pages = 0
      while (await step(limits[pages % limits.length] ?? 1)) {
        if (pages++ !== 1) continue
        await pool.query(text, [ids[editedLater], 7])
        await directory.refresh()
      }
      expect(follower.servers).toEqual(await listed(directory))
    }),
    { numRuns: 15, endOnFailure: true },
  )
  // In the end all servers are large, so that pages are cut.
  await pool.query(`update servers set description = repeat('🦖', 2000), deleted_at = null, updated_at = now()`)
  await directory.refresh()
  while (await step(1000));
  expect(follower.servers).toEqual(await listed(directory))
  expect(follower.servers.size).toBe(300)
  expect(cutByBytes).toBeGreaterThanOrEqual(2)
})

interface LookedUp {
  servers: Item[]
  missing: string[]
  remaining: string[]
}
const lookUp = (directory: Directory, asked: { ids?: string[]; addresses?: string[] }): Promise<LookedUp> =>
  ask(directory, '/servers/lookup', asked)

it('a look-up that does not fit names the remaining ids, and further requests return all', async () => {
  const { directory, pool } = await started()
  const ids: string[] = []
  for (let n = 0; n < 250; n++) ids.push(await insertServer(pool, { description: longest('🦖') }))
  await directory.refresh()
  const unknown = [randomUUID(), randomUUID()]
  const found: string[] = []
  let asked = [unknown[0] ?? '', ...ids, unknown[1] ?? '']
  const missing: string[][] = []
  let rounds = 0
  for (; asked.length > 0; rounds++) {
    const reply = await lookUp(directory, { ids: asked })
    expect(bytesOf(reply)).toBeLessThan(MAX_PAGE_BYTES + BESIDES)
    found.push(...reply.servers.map(({ id }) => id))
    missing.push(reply.missing)
    asked = reply.remaining
  }
  expect(found).toEqual(ids) // in the requested order, each once
  expect(missing).toEqual([unknown, ...Array(rounds - 1).fill([])])
  expect(rounds).toBe(3)
})

it('of servers at one address and game port a look-up returns a limited number, including the one with the query port', async () => {
  const { directory, pool } = await started()
  const ids: string[] = []
  for (let n = 0; n < MAX_AT_ADDRESS + 10; n++) {
    const id = await insertServer(pool, { description: longest('🦖') })
    ids.push(id)
    await pool.query(`update servers set ip_address = '203.0.113.9', query_port = $2 where id = $1`, [id, 1000 + n])
  }
  await pool.query('update servers set query_port = 7777 where id = $1', [ids.at(-1)])
  await directory.refresh()
  const { servers, missing, remaining } = await lookUp(directory, { addresses: ['203.0.113.9:7777'] })
  expect(servers.map(({ id }) => id)).toEqual([...ids.slice(0, MAX_AT_ADDRESS), ids.at(-1)])
  expect([missing, remaining]).toEqual([[], []])
})

it('a list of a hundred of the largest listings has all hundred in 1 MB, with shortened descriptions; smaller ones are whole', async () => {
  const { directory, pool } = await started()
  const rate = (n: number) => `${'𝔞'.repeat(28)}${10 + n}:999999999.123456`
  let id = ''
  for (let n = 0; n < 100; n++) {
    id = await insertServer(pool, {
      name: '🦖'.repeat(100),
      description: longest('🦖'),
      region: '🦖'.repeat(50),
      tags: Array.from({ length: 10 }, (_, tag) => `${'🦖'.repeat(29)}${tag}`),
      rates: Array.from({ length: 30 }, (_, at) => rate(at)).join(','),
      lastWipeAt: new Date(),
    })
    await putStatus(pool, id, { map: '🦖'.repeat(100), lastPolledAt: new Date(), freshUntil: new Date() })
    await putVotes(pool, id, 1_000_000 + n)
  }
  await directory.refresh()
  const query = { page: 1, sortBy: 'totalVotes', sortOrder: 'desc' }
  const large = await ask(directory, '/servers', { ...query, limit: 100 })
  expect(bytesOf(large)).toBeLessThanOrEqual(MAX_PAGE_BYTES)
  expect(large.pagination).toEqual({ page: 1, limit: 100, total: 100, totalPages: 1 })
  const small = await ask(directory, '/servers', { ...query, limit: 20 })
  const shortened = `${'🦖'.repeat(SHORTENED_DESCRIPTION - 1)}…`
  expect(large.servers).toHaveLength(100)
  expect(large.servers.slice(0, 20)).toEqual(
    small.servers.map((server: object) => ({ ...server, description: shortened })),
  )
  expect(small.servers[0].description).toBe(longest('🦖'))
  // The public list's items are smaller.
  const open = await ask(directory, '/public/servers', { ...query, limit: 100 })
  expect(bytesOf(open)).toBeLessThanOrEqual(MAX_PAGE_BYTES)
  expect((await ask(directory, '/servers/{id}', {}, { id })).description).toBe(longest('🦖'))
})
