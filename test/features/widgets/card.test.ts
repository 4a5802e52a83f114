// The card of a server: a PNG image for chats, of any name, made outside the event loop and bounded.
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Card, renderCard } from '../../../src/features/widgets/card.ts'
import { type CardsOptions, createCards } from '../../../src/features/widgets/cards.service.ts'
import { createLastDayReader } from '../../../src/features/widgets/last-days.ts'
import { createPngRenderer, type RenderPng } from '../../../src/features/widgets/png-renderer.ts'
import { startTestApi } from '../../support/api.ts'
import { pngOf } from '../../workers/faces/pictures.ts'
import { insertServer, putStatus } from '../directory/rows-in-database.ts'

let now = Date.UTC(2026, 10, 20, 12)
const api = await startTestApi({
  clock: () => now,
  settings: { DIRECTORY_MAX_STALENESS_SECONDS: '30', TRUST_PROXY: '1' },
})
const { pool } = api.database
let id = ''
beforeAll(async () => {
  id = await insertServer(pool, { name: 'Alpha <Island>' })
  await putStatus(pool, id, { currentPlayers: 12 })
  await api.directory.refresh()
})

const get = async (of = id, etag = '', client = '11.0.0.1') => {
  const headers = { 'x-forwarded-for': client, ...(etag && { 'if-none-match': etag }) }
  const reply = await fetch(`${api.url}/api/servers/${of}/card.png`, { headers })
  return { status: reply.status, headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) }
}

const HOUR = 3_600_000
const card = (fields: Partial<Card> = {}): Card => ({
  name: 'Alpha',
  game: 'rust',
  gameName: 'Rust',
  map: '',
  isOnline: true,
  currentPlayers: 12,
  maxPlayers: 64,
  lastDay: {
    points: Array.from({ length: 24 }, (_, n) => ({
      at: new Date(n * HOUR),
      players: n % 3 ? n : null,
      peak: n % 3 ? n : null,
      maxPlayers: 64,
    })),
    polledFrom: 0,
    polledTo: 24,
    peak: 23,
    average: 12,
    uptime: 0.6,
  } as unknown as Card['lastDay'],
  site: { name: 'Server Directory', accent: undefined },
  banner: undefined,
  logo: undefined,
  ...fields,
})

describe('GET /api/servers/:id/card.png', () => {
  it('is a PNG of 1200 × 630 that any page may show for a minute, made again once it shows something else', async () => {
    const first = await get()
    expect([first.status, first.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(first.headers.get('cache-control')).toBe('public, max-age=60')
    expect(first.headers.get('access-control-allow-origin')).toBe('*')
    expect(await sharp(first.bytes).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 })
    const etag = first.headers.get('etag') ?? ''
    expect((await get(id, etag)).status).toBe(304)
    await putStatus(pool, id, { currentPlayers: 40 })
    await api.directory.refresh()
    expect((await get(id, etag)).status).toBe(304) // within the minute
    now += 61_000
    await api.directory.refresh()
    expect((await get(id, etag)).status).toBe(200)
  })

  it('is 404 for a server that is not listed', async () => {
    expect((await get('01890000-0000-7000-8000-000000000000')).status).toBe(404)
  })

  it('is made for a client ten times in ten seconds; cards in memory do not count', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, (_, n) => insertServer(pool, { name: `Island ${n}` })))
    await api.directory.refresh()
    const statuses: number[] = []
    for (const one of ids) statuses.push((await get(one, '', '11.0.0.2')).status)
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(200))
    expect(statuses.slice(10)).toEqual([429, 429])
    for (let n = 0; n < 20; n++) expect((await get(ids[0], '', '11.0.0.2')).status).toBe(200)
  })
})

describe('cards of a process', () => {
  const drawn: string[] = []
  const renderPng: RenderPng = async (svg) => {
    drawn.push(svg)
    return Buffer.from(`card ${drawn.length}`)
  }
  const options = {
    directory: api.directory,
    settings: { POLL_INTERVAL_SECONDS: 60 },
    clock: () => now,
    appearance: () => ({ name: 'Directory', accent: null }),
    renderPng,
  }
  const newCards = (consume: CardsOptions['limits']['consume']) =>
    createCards({ ...options, limits: { consume } }, createLastDayReader(options))

  it('are drawn once for requests that arrive at the same time', async () => {
    const cards = newCards(async () => {
      await sleep(20)
    })
    const bytes = await Promise.all(Array.from({ length: 5 }, async () => (await cards(pool, id, 'client')).bytes))
    expect([new Set(bytes).size, drawn.splice(0)]).toEqual([1, [expect.any(String)]])
  })

  it('keep drawings in 4 MB, also of clients that get 429', async () => {
    const cards = newCards(async () => {
      throw new Error('too many')
    })
    const show = async (of: string) => {
      await expect(cards(countedDb, of, 'client')).rejects.toThrow('too many')
      return pictures.splice(0).length
    }
    const pictures: string[] = []
    const countedDb = {
      query: (...given: Parameters<typeof pool.query>) => {
        if (JSON.stringify(given[0]).includes('from images')) pictures.push(JSON.stringify(given))
        return pool.query(...given)
      },
    } as typeof pool
    const withBanner = await Promise.all(
      Array.from({ length: 12 }, async (_, n) => {
        const hash = String.fromCharCode(97 + n).repeat(43)
        const server = await insertServer(pool, { name: `Pictured ${n}` })
        await pool.query('insert into images (hash, webp, card) values ($1, $2, $3)', [
          hash,
          '',
          Buffer.alloc(150 * 1024, n),
        ])
        await pool.query('update servers set banner_hash = $2 where id = $1', [server, hash])
        return server
      }),
    )
    await api.directory.refresh()
    const [first = '', ...others] = withBanner
    expect([await show(first), await show(first)]).toEqual([1, 0]) // kept
    for (const other of others) await show(other) // 400 kB each
    expect([await show(first), await show(others.at(-1) ?? '')]).toEqual([1, 0])
  })
})

it.each([
  ['markup', '<script>alert(1)</script> & "quotes" \']]>'],
  ['Chinese and Japanese', '猫の島サーバー生存戦争服务器'],
  ['Arabic and Hebrew', 'مرحبا بالعالم שלום'],
  ['emoji', '🎉🔥👨‍👩‍👧‍👦 WIPE 🔥🎉'],
  ['a hundred wide letters', 'W'.repeat(100)],
  ['stacked accents', `Z${'\u0301'.repeat(100)}algo`],
  ['control characters', 'a\u0000b\u0007\u202ec\ufffe\ud800'],
  ['nothing visible', '\u200b\u2060'],
])(
  'a name of %s gives a whole image',
  async (_, name) => {
    const render = createPngRenderer()
    const svg = renderCard(card({ name, map: name, gameName: name }))
    expect(svg).not.toMatch(/<script/)
    const png = await render(svg)
    expect(await sharp(png).metadata()).toMatchObject({ width: 1200, height: 630 })
    // Nothing leaves its place: the margin at the right of the name is of the ground's colour.
    const { data } = await sharp(png)
      .extract({ left: 1145, top: 310, width: 50, height: 130 })
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect(new Set(data)).toEqual(new Set([0x16, 0x1b, 0x22]))
  },
  60_000,
)

it('says whose it is, in the colour of the site', () => {
  const svg = renderCard(card({ site: { name: 'North & South', accent: '#ffd400' } }))
  expect(svg).toContain('>North &amp; South</text>')
  expect(svg).toContain('stroke="#ffd400"')
})

it('shows banner and logo', async () => {
  const render = createPngRenderer()
  const red = `data:image/png;base64,${(await pngOf({ width: 1200, height: 300 })).toString('base64')}`
  const png = await render(renderCard(card({ banner: red, logo: red })))
  const at = async (left: number, top: number) => [
    ...(await sharp(png).extract({ left, top, width: 1, height: 1 }).removeAlpha().raw().toBuffer()),
  ]
  expect(await at(600, 100)).toEqual([200, 30, 30])
  expect(await at(150, 316)).toEqual([200, 30, 30])
})

describe('the thread', () => {
  it('takes as many drawings as its bound, and refuses the others at once', async () => {
    const render = createPngRenderer({ waiting: 3 })
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => render(renderCard(card()))))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    for (const result of results)
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({ status: 503, headers: { 'Retry-After': expect.any(String) } })
  })

  it('is replaced after a drawing that breaks it or takes too long', async () => {
    const render = createPngRenderer({ idleMs: 1 })
    await expect(render('no drawing')).rejects.toThrow('could not be rendered')
    expect((await render(renderCard(card()))).length).toBeGreaterThan(1_000)
    const hasty = createPngRenderer({ timeoutMs: 1 })
    await expect(hasty(renderCard(card()))).rejects.toThrow('could not be rendered')
  })
})
