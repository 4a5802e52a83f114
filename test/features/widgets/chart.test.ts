// A server's chart: an image for other sites, with any history and any name.
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { PlayerHistory } from '../../../src/features/history/index.ts'
import { bucketOf, toHistory, windowOf } from '../../../src/features/history/points.ts'
import { renderChart } from '../../../src/features/widgets/chart.ts'
import { createLastDayReader } from '../../../src/features/widgets/last-days.ts'
import { createWidgetsService } from '../../../src/features/widgets/widgets.service.ts'
import { startTestApi } from '../../support/api.ts'
import { insertSamples } from '../../support/stored-samples.ts'
import { insertServer, putStatus, setDeleted } from '../directory/rows-in-database.ts'
import { DAY, HOUR, MINUTE } from '../history/samples.ts'
import { countedDb, hostileName, markupOf, outline } from './svg.ts'

let now = Date.UTC(2026, 10, 20, 12)
const clock = () => now
const api = await startTestApi({ clock, settings: { DIRECTORY_MAX_STALENESS_SECONDS: '30' } })
const { pool } = api.database
let id = ''

async function poll(minutesAgo: number, players: number | null): Promise<void> {
  const { rows } = await pool.query<{ at: Date }>(`select now() - $1 * interval '1 minute' as at`, [minutesAgo])
  const polledAt = rows[0]?.at ?? new Date()
  await insertSamples(pool, { serverIds: [id], polledAt, players: [players], maxPlayers: [70] })
}

beforeAll(async () => {
  id = await insertServer(pool, { name: 'Alpha <Island> & "Co"' })
  await putStatus(pool, id, { currentPlayers: 12 })
  await api.directory.refresh()
  for (const [minutesAgo, players] of [
    [180, 10],
    [120, null],
    [60, 31],
  ] as const)
    await poll(minutesAgo, players)
})

const get = (query = '', etag = '') =>
  api.request(`/api/servers/${id}/chart.svg${query}`, { headers: etag ? { 'If-None-Match': etag } : {} })

describe('GET /api/servers/:id/chart.svg', () => {
  it('is an image that any page may embed for a minute, and that runs nothing', async () => {
    const response = await get()
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('image/svg+xml')
    expect(response.headers.get('cache-control')).toBe('public, max-age=60')
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none';frame-ancestors 'none';style-src 'sha256-[\w+/]{43}='$/,
    )
    const svg = await response.text()
    expect(svg).toContain(
      '<title id="title">Players of Alpha &lt;Island&gt; &amp; &quot;Co&quot; in the last 24 hours<',
    )
    expect(svg).toMatch(/>Peak 31, average 20\.5, uptime \d+(\.\d)? %\.</)
    expect(svg).toContain('@media(prefers-color-scheme:dark)')
    expect(await (await api.request(`/api/v1/servers/${id}/chart.svg`)).text()).toBe(svg)
  })

  it('has the ranges of the player history', async () => {
    for (const [range, words] of [
      ['7d', '7 days'],
      ['30d', '30 days'],
      ['90d', '90 days'],
    ]) {
      const svg = await (await get(`?range=${range}`)).text()
      expect(svg).toContain(`in the last ${words}</title>`)
      expect(svg).toMatch(/>Peak 31, average 20\.5, uptime \d+(\.\d)? %\.</)
    }
    expect((await get('?range=1h')).status).toBe(400)
  })

  it('has texts and numbers in the language that is asked for', async () => {
    const english = await (await get('?range=7d&lang=en')).text()
    expect(await (await get('?range=7d')).text()).toBe(english)
    const german = await (await get('?range=7d&lang=de')).text()
    expect(german).toContain('>Spieler von Alpha &lt;Island&gt; &amp; &quot;Co&quot; in den letzten 7 Tagen</title>')
    expect(german).toMatch(/>Spitze 31, Mittel 20,5, erreichbar \d+(,\d)? %\.</)
    const refused = await get('?lang=fr')
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('must be en or de')])
  })

  it('is drawn at most once a minute, and keeps its ETag while it looks the same', async () => {
    const etag = (await get('?range=7d')).headers.get('etag') ?? ''
    expect((await get('?range=7d', etag)).status).toBe(304)
    await poll(1, 60)
    expect((await get('?range=7d', etag)).status).toBe(304)
    now += 61_000
    await api.directory.refresh()
    const redrawn = await get('?range=7d', etag)
    expect(redrawn.status).toBe(200)
    expect(await redrawn.text()).toContain('>Peak 60,')
  })

  it('costs one reading of the history for any number of requests at the same time, also after a failure', async () => {
    const { db, asked, replaceBy } = countedDb(pool)
    const options = { directory: api.directory, settings: { POLL_INTERVAL_SECONDS: 60 }, clock }
    const widgets = createWidgetsService(options, createLastDayReader(options))
    const twenty = () => Promise.allSettled(Array.from({ length: 20 }, () => widgets.chart(db, id, '30d')))
    replaceBy('select 1 / 0')
    expect(new Set((await twenty()).map(({ status }) => status))).toEqual(new Set(['rejected']))
    expect(asked).toEqual(['history-rolled-up'])
    replaceBy(undefined)
    expect(new Set((await twenty()).map((image) => image.status === 'fulfilled' && image.value)).size).toBe(1)
    expect(asked).toEqual(['history-rolled-up', 'history-rolled-up', 'history-samples'])
    await widgets.chart(db, id, '90d')
    expect(asked).toHaveLength(5)
  })

  it('is not there for a server that is not listed, although it was drawn before, nor while the directory is old', async () => {
    expect((await get()).status).toBe(200)
    await setDeleted(pool, id, true)
    await api.directory.refresh()
    const removed = await get()
    expect([removed.status, await removed.json()]).toEqual([404, expect.objectContaining({ error: 'not_found' })])
    await setDeleted(pool, id, false)
    await api.directory.refresh()
    expect((await get()).status).toBe(200)
    expect((await api.request('/api/servers/nonsense/chart.svg')).status).toBe(404)
    now += HOUR
    const late = await get()
    expect([late.status, await late.json()]).toEqual([503, expect.objectContaining({ error: 'unavailable' })])
    now -= HOUR
  })
})

type Points = (number | null)[]

/** A history of 24 hours in which the peak of each interval is `surplus` above its mean. */
function historyOf(players: Points, surplus = 0, polledFrom = 0, polledTo = players.length): PlayerHistory {
  const start = Date.UTC(2026, 10, 20, 12)
  const points = players.map((value, index) => ({
    at: new Date(start + (index * DAY) / players.length),
    players: value,
    peak: value === null ? null : value + surplus,
    maxPlayers: 70,
  }))
  const known = players.filter((value) => value !== null)
  const peak = known.length ? Math.max(...known) + surplus : null
  return { points, polledFrom, polledTo, peak, average: known.length ? 1 : null, uptime: known.length / players.length }
}

const chart = (players: Points, { name = 'Alpha', surplus = 0 } = {}) =>
  renderChart({ name, range: '24h', history: historyOf(players, surplus) })
const pathOf = (svg: string, name: string) =>
  new RegExp(`<path class="${name}" d="([^"]*)"`).exec(svg)?.[1] ?? 'no such path'

describe('a chart', () => {
  it('has a line for each run of answers and a gap for each run without, edge to edge', () => {
    const svg = chart([10, 20, null, null, 5, null])
    // Six intervals of 114 px from x 56, 148 px down to y 222; 20 is the upper edge.
    expect(pathOf(svg, 'line')).toBe('M56 148L284 74M512 185H626')
    expect(pathOf(svg, 'gap')).toBe('M284 74H512V222H284zM626 74H740V222H626z')
    expect(pathOf(svg, 'area')).toBe('M56 222V148L284 74V222zM512 222V185H626V222z')
  })

  it('has no gap before the first poll, when the server was not listed yet', () => {
    const gapOf = (history: PlayerHistory) => pathOf(renderChart({ name: 'New', range: '24h', history }), 'gap')
    expect(gapOf(historyOf([null, null, 4, null, 5, 6], 0, 2))).toBe('M398 74H512V222H398z')
    expect(gapOf(historyOf([null, null, null, null, 5, 6], 0, 2))).toBe('M284 74H512V222H284z')
    expect(gapOf(historyOf([null, null, null], 0, 3))).toBe('')
  })

  it('has no gap after the last poll, as in a running interval whose first poll is not due', () => {
    const gapOf = (history: PlayerHistory) => pathOf(renderChart({ name: 'Up', range: '24h', history }), 'gap')
    expect(gapOf(historyOf([1, 2, 3, 4, 5, null], 0, 0, 5))).toBe('')
    expect(gapOf(historyOf([1, 2, 3, null, null, null], 0, 0, 5))).toBe('M398 74H626V222H398z')
    const noon = Date.UTC(2026, 10, 20, 12)
    const polls = Array.from({ length: 1440 }, (_, n) =>
      bucketOf({ at: noon / 1000 - 30 - n * 60, players: 9, maxPlayers: 70 }),
    )
    const history = toHistory(windowOf('24h', new Date(noon + 20_000), MINUTE), polls, 70)
    expect(history.points.at(-1)?.players).toBe(null)
    expect(renderChart({ name: 'Up', range: '24h', history })).not.toContain('no answer')
  })

  it('of empty intervals is a line at 0, not a gap', () => {
    const svg = chart([0, 0, 0])
    expect(pathOf(svg, 'line')).toBe('M56 222L398 222 740 222')
    expect(pathOf(svg, 'gap')).toBe('')
    expect(svg).not.toContain('no answer')
  })

  it('shows the peak of a long interval, which its mean hides', () => {
    const svg = chart([0, 1, 0], { surplus: 99 })
    expect(pathOf(svg, 'area')).toContain('398 74')
    expect(pathOf(svg, 'line')).not.toContain('398 74')
    expect(svg).toContain('>100</text>')
  })

  it('says so when there is nothing to show', () => {
    expect(chart([null, null])).toContain('>No answer in this time</text>')
    const svg = renderChart({ name: 'New', range: '24h', history: { ...historyOf([null, null]), uptime: null } })
    expect(svg).toContain('>No data yet</text>')
    expect(svg).toContain('>No data yet</desc>')
  })

  it('labels the hours of a day and the days of longer ranges, in UTC', () => {
    const labels = (svg: string) => [...svg.matchAll(/y="240"[^>]*>([^<]*)</g)].map(([, label]) => label)
    expect(labels(chart(Array.from({ length: 288 }, () => 1)))).toEqual([
      '12:00',
      '16:00',
      '20:00',
      '00:00',
      '04:00',
      '08:00',
    ])
    const week = Array.from({ length: 168 }, (_, hour) => ({
      at: new Date(Date.UTC(2026, 10, 28, 13) + hour * 60 * MINUTE),
      players: 1,
      peak: 1,
      maxPlayers: 1,
    }))
    const svg = renderChart({
      name: 'A',
      range: '7d',
      history: { points: week, polledFrom: 0, polledTo: 168, peak: 1, average: 1, uptime: 1 },
    })
    expect(labels(svg)).toEqual(['Nov 29', 'Nov 30', 'Dec 1', 'Dec 2', 'Dec 3', 'Dec 4', 'Dec 5'])
  })

  it('in German says everything in German', () => {
    const inGerman = (players: Points) =>
      renderChart({ name: 'Alpha', range: '30d', history: historyOf(players), language: 'de' })
    const svg = inGerman([12_345, null, 2])
    expect([...svg.matchAll(/<(?:text|title|desc)[^>]*>([^<]*)</g)].map(([, words]) => words)).toEqual([
      'Spieler von Alpha in den letzten 30 Tagen',
      'Spitze 12345, Mittel 1, erreichbar 66,6 %.',
      'Alpha',
      'Spieler in den letzten 30 Tagen, UTC',
      ...['66,6 %', 'Erreichbar', '1', 'Mittel', '12.345', 'Spitze'],
      ...['0', '5000', '10.000', '15.000'],
      ...['Mittel', 'Spitze', 'keine Antwort'],
    ])
    expect(inGerman([null, null])).toContain('>Keine Antwort in dieser Zeit</text>')
  })

  it('has at most 20 kB, whatever the data', () => {
    const value = fc.option(fc.integer({ min: 0, max: 2_147_483_647 }), { nil: null, freq: 3 })
    fc.assert(
      fc.property(fc.array(value, { minLength: 360, maxLength: 360 }), (players) => {
        expect(Buffer.byteLength(chart(players, { name: '"'.repeat(1000), surplus: 1 }))).toBeLessThanOrEqual(20_000)
      }),
      { numRuns: 100 },
    )
    for (const period of [2, 3, 4, 5]) {
      const players = Array.from({ length: 360 }, (_, n) => (n % period ? 1_000_003 * ((n * 7919) % 2141) : null))
      expect(Buffer.byteLength(chart(players, { name: '🔥'.repeat(1000) })), `period ${period}`).toBeLessThanOrEqual(
        20_000,
      )
    }
  })

  it('is well-formed and says only what it should, for any name', () => {
    const shape = outline(chart([1, null, 3]))
    fc.assert(
      fc.property(hostileName, (name) => {
        const svg = chart([1, null, 3], { name })
        expect(markupOf(svg)).toBe('well-formed')
        expect(outline(svg)).toBe(shape)
      }),
      { numRuns: 150 },
    )
  })
})
