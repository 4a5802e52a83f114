// How many bytes the faces of a first page cost: its logos in the size of lists, and what the page says of them.
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { COMMUNITIES } from '../../../dev/demo/communities.ts'
import { drawLogo, renderPng } from '../../../dev/demo/drawing.ts'
import { createEncoder } from '../../../workers/faces/encoder.ts'
import { startTestApi } from '../../support/api.ts'
import { insertServer, putStatus } from '../directory/rows-in-database.ts'

const api = await startTestApi()
const { pool } = api.database

const MAX_BYTES = 45_000
const ROWS = 20
/** Encoded for the test; the rows share them, and each row's counts. */
const LOGOS = 4

async function encodeLogos(): Promise<string[]> {
  const encode = createEncoder()
  const hashes: string[] = []
  for (const { look } of COMMUNITIES.filter(({ look }) => look).slice(0, LOGOS)) {
    if (!look) continue
    const result = await encode(renderPng(drawLogo(look), 256), 'logo', AbortSignal.timeout(60_000))
    if ('refused' in result) throw new Error(result.refused)
    const { hash, webp, small, card } = result
    await pool.query('insert into images (hash, webp, small, card) values ($1, $2, $3, $4)', [hash, webp, small, card])
    hashes.push(hash)
  }
  return hashes
}

/** The page as it is sent, and each picture that its rows name. */
async function bytesOfPage(): Promise<{ page: number; pictures: number; count: number }> {
  await api.directory.refresh()
  const text = await (await fetch(api.url, { headers: { accept: 'text/html' } })).text()
  const sources = [...text.matchAll(/<img class="face[^"]*" src="([^"]+)"/g)].map(([, source = '']) => source)
  let pictures = 0
  for (const source of sources) pictures += (await (await fetch(api.url + source)).bytes()).length
  return { page: gzipSync(text).length, pictures, count: sources.length }
}

describe('a first page of twenty', () => {
  it('has at most 45 kB more with logos than without', { timeout: 120_000 }, async () => {
    const ids: string[] = []
    for (let n = 0; n < ROWS; n++) ids.push(await insertServer(pool, { name: `Server ${n}`, game: 'rust' }))
    for (const id of ids) await putStatus(pool, id, { isOnline: true })
    const without = await bytesOfPage()
    expect(without.count).toBe(0)
    const hashes = await encodeLogos()
    await pool.query(
      `update servers set logo_hash = given.hash from unnest($1::uuid[], $2::text[]) as given (id, hash) where servers.id = given.id`,
      [ids, ids.map((_, n) => hashes[n % hashes.length])],
    )
    await expect.poll(async () => (await bytesOfPage()).count).toBe(ROWS) // a page is kept for a second
    const withLogos = await bytesOfPage()
    const more = withLogos.page + withLogos.pictures - without.page
    expect(more).toBeLessThan(MAX_BYTES)
  })
})
