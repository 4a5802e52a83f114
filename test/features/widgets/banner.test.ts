// A server's banner: an image for forums and READMEs, with any names.
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Banner, renderBanner } from '../../../src/features/widgets/banner.ts'
import { createLastDayReader } from '../../../src/features/widgets/last-days.ts'
import { createWidgetsService } from '../../../src/features/widgets/widgets.service.ts'
import { startTestApi } from '../../support/api.ts'
import { insertSamples } from '../../support/stored-samples.ts'
import { insertServer, putStatus, setDeleted } from '../directory/rows-in-database.ts'
import { HOUR } from '../history/samples.ts'
import { countedDb, hostileName, markupOf, outline } from './svg.ts'

let now = Date.UTC(2026, 10, 20, 12)
const clock = () => now
const api = await startTestApi({ clock, settings: { DIRECTORY_MAX_STALENESS_SECONDS: '30' } })
const { pool } = api.database
let id = ''

beforeAll(async () => {
  id = await insertServer(pool, { name: 'Alpha <Island>' })
  await putStatus(pool, id, { currentPlayers: 12, map: 'The & Isle' })
  await api.directory.refresh()
  const { rows } = await pool.query<{ now: Date }>('select now() as now')
  const polledAt = rows[0]?.now ?? new Date()
  await insertSamples(pool, { serverIds: [id], polledAt, players: [31], maxPlayers: [70] })
})

const get = (etag = '') =>
  api.request(`/api/servers/${id}/banner.svg`, { headers: etag ? { 'If-None-Match': etag } : {} })

describe('GET /api/servers/:id/banner.svg', () => {
  it('is an image that any page may embed for a minute, and that runs nothing', async () => {
    const response = await get()
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('image/svg+xml')
    expect(response.headers.get('cache-control')).toBe('public, max-age=60')
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none';.*style-src 'sha256-[\w+/]{43}='$/,
    )
    const svg = await response.text()
    expect(svg).toContain('<title id="title">Alpha &lt;Island&gt;: 12/70 online</title>')
    expect(svg).toMatch(
      />Ark: Survival Evolved · The &amp; Isle, 198\.18\.\d+\.\d+:7777; in the last 24 hours peak 31, average 31\.</,
    )
    expect(await (await api.request(`/api/v1/servers/${id}/banner.svg`)).text()).toBe(svg)
  })

  it('shows the server as it is now, and gets another ETag with it', async () => {
    const etag = (await get()).headers.get('etag') ?? ''
    expect((await get(etag)).status).toBe(304)
    await putStatus(pool, id, { isOnline: false })
    await api.directory.refresh()
    const changed = await get(etag)
    expect(changed.status).toBe(200)
    expect(await changed.text()).toContain('>Offline</text>')
  })

  it('costs one reading of the history a minute', async () => {
    const { db, asked } = countedDb(pool)
    const options = { directory: api.directory, settings: { POLL_INTERVAL_SECONDS: 60 }, clock }
    const widgets = createWidgetsService(options, createLastDayReader(options))
    await Promise.all(Array.from({ length: 20 }, () => widgets.banner(db, id)))
    await widgets.banner(db, id)
    expect(asked).toEqual(['history-rolled-up', 'history-samples'])
    now += 61_000
    await api.directory.refresh()
    await widgets.banner(db, id)
    expect(asked).toHaveLength(4)
  })

  it('is not there for a server that is not listed, although it was drawn before, nor while the directory is old', async () => {
    await setDeleted(pool, id, true)
    await api.directory.refresh()
    const removed = await get()
    expect([removed.status, await removed.json()]).toEqual([404, expect.objectContaining({ error: 'not_found' })])
    await setDeleted(pool, id, false)
    await api.directory.refresh()
    expect((await get()).status).toBe(200)
    now += HOUR
    const late = await get()
    expect([late.status, await late.json()]).toEqual([503, expect.objectContaining({ error: 'unavailable' })])
    now -= HOUR
  })
})

describe('a banner', () => {
  const lastDay = {
    polledFrom: 0,
    polledTo: 24,
    points: [1, null, 3].map((players, hour) => ({
      at: new Date(hour * HOUR),
      players,
      peak: players,
      maxPlayers: 70,
    })),
    peak: 3,
    average: 2,
    uptime: 0.6,
  }
  const alpha = {
    name: 'Alpha',
    gameName: 'Rust',
    map: 'Isle',
    ipAddress: '192.0.2.1',
    gamePort: 7777,
    connectAddress: '192.0.2.1:7777',
  }
  const banner = (given: Partial<Banner> = {}) =>
    renderBanner({ ...alpha, isOnline: true, currentPlayers: 5, maxPlayers: 70, lastDay, ...given })

  it('leaves out a map that is not known, and says what it has no data of', () => {
    expect(banner({ map: '' })).toContain('>Rust, 192.0.2.1:7777; in the last')
    expect(banner({ connectAddress: 'play.example' })).toContain(', play.example; in the last')
    const empty = { points: [], polledFrom: 0, polledTo: 0, peak: null, average: null, uptime: null }
    expect(banner({ lastDay: empty })).toContain('; no data for the last 24 hours.</desc>')
  })

  it('is well-formed, small, and says only what it should, for any text', () => {
    const shape = outline(banner())
    fc.assert(
      fc.property(hostileName, hostileName, (name, map) => {
        const svg = banner({
          name,
          map,
          gameName: name,
          connectAddress: map,
          currentPlayers: 2 ** 31 - 1,
          maxPlayers: 2 ** 31 - 1,
        })
        expect(markupOf(svg)).toBe('well-formed')
        expect(outline(svg)).toBe(shape)
        expect(Buffer.byteLength(svg)).toBeLessThan(20_000)
      }),
      { numRuns: 150 },
    )
  })
})
