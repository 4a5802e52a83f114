// A server's shown history equals a count of its polls, whatever is rolled up.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { PlayerHistory } from '../../../src/features/history/history.schema.ts'
import {
  dropOldHours,
  dropOldPartitions,
  findPeaks,
  packDays,
  refreshUptime,
  rollUpDays,
  rollUpHours,
} from '../../../src/features/history/index.ts'
import { readPlayerHistory } from '../../../src/features/history/player-history.service.ts'
import { dropOldDays } from '../../../src/features/history/roll-up.service.ts'
import { startTestApi } from '../../support/api.ts'
import { insertSamples } from '../../support/stored-samples.ts'
import { insertServer, putStatus, setDeleted } from '../directory/rows-in-database.ts'
import { DAY, forgetHistory, HOUR, historyOf, insertPolls, MINUTE, type Sample } from './samples.ts'

const ALWAYS = Number.POSITIVE_INFINITY
const RANGES = {
  '24h': [DAY, 5 * MINUTE],
  '7d': [7 * DAY, HOUR],
  '30d': [30 * DAY, 2 * HOUR],
  '90d': [90 * DAY, 6 * HOUR],
} as const

const api = await startTestApi()
const { pool } = api.database
const id = await insertServer(pool, { name: 'Watched' })
const other = await insertServer(pool)
const settings = { POLL_INTERVAL_SECONDS: 60 }
await putStatus(pool, id, { maxPlayers: 55 })
await api.directory.refresh()

interface Shown {
  points: { at: string; players: number | null; maxPlayers: number }[]
  peak: number | null
  average: number | null
  uptime: number | null
}
const get = async (query = '') => {
  const response = await api.request(`/api/servers/${id}/player-history${query}`)
  return { status: response.status, body: (await response.json()) as Shown }
}

describe('by the database’s clock', () => {
  const hoursAgo = async (hours: number) => {
    const { rows } = await pool.query<{ at: Date }>(`select now() - $1 * interval '1 hour' as at`, [hours])
    return rows[0]?.at ?? new Date(0)
  }
  const poll = async (hours: number, players: number | null) =>
    insertSamples(pool, { serverIds: [id], polledAt: await hoursAgo(hours), players: [players], maxPlayers: [70] })

  beforeAll(() => forgetHistory(pool))

  test('a server without polls has all points, without values', async () => {
    const { status, body } = await get()
    expect(status).toBe(200)
    expect(body).toMatchObject({ peak: null, average: null, uptime: null })
    expect(body.points).toHaveLength(288)
    for (const { players, maxPlayers } of body.points) expect([players, maxPlayers]).toEqual([null, 55])
  })

  test('points are evenly spaced, at most 500, and end with the current one', async () => {
    for (const [range, [rangeMs, bucketMs]] of Object.entries(RANGES)) {
      const { points } = (await get(`?range=${range}`)).body
      expect(points).toHaveLength(rangeMs / bucketMs)
      expect(points.length).toBeLessThanOrEqual(500)
      const times = points.map(({ at }) => Date.parse(at))
      expect(times.every((at, index) => index === 0 || at - (times[index - 1] ?? 0) === bucketMs)).toBe(true)
      const now = (await hoursAgo(0)).getTime()
      expect(now - (times.at(-1) ?? 0)).toBeGreaterThanOrEqual(0)
      expect(now - (times.at(-1) ?? 0)).toBeLessThan(bucketMs + 60_000)
    }
  })

  test('a missed poll is null and lowers the uptime, not the average; the newest poll is included', async () => {
    await poll(3, 10)
    await poll(2, null)
    await poll(0, 31)
    const { body } = await get()
    expect(body).toMatchObject({ peak: 31, average: 20.5 })
    expect([0.5, 0.6667, 0.75]).toContain(body.uptime) // in one hour or, around its end, in two
    expect(body.points.flatMap(({ players }) => (players === null ? [] : [players]))).toEqual([10, 31])
    expect(body.points.at(-1)?.players ?? body.points.at(-2)?.players).toBe(31)
    expect(await findPeaks(pool, [id, other])).toEqual(new Map([[id, 31]]))
  })

  test('the day’s peak is found in whole and current hours, and not before', async () => {
    const peakOf = async (hours: number) => {
      await forgetHistory(pool)
      await poll(hours, 40)
      await poll(1.5, 3)
      const rolled = [await findPeaks(pool, [id])]
      await rollUpHours(pool, new Date())
      rolled.push(await findPeaks(pool, [id]))
      return rolled.map((peaks) => peaks.get(id))
    }
    expect(await peakOf(23.98)).toEqual([40, 40])
    expect(await peakOf(12)).toEqual([40, 40])
    expect(await peakOf(0)).toEqual([40, 40])
    expect(await peakOf(24.02)).toEqual([3, 3])
    await forgetHistory(pool)
    await poll(5, null)
    expect(await findPeaks(pool, [id])).toEqual(new Map())
  })

  test('an unknown, a malformed and a removed server are 404, another range is 400', async () => {
    const statusOf = async (path: string) => (await api.request(`/api/servers/${path}`)).status
    expect(await statusOf(`${randomUUID()}/player-history`)).toBe(404)
    expect(await statusOf('nonsense/player-history?range=7d')).toBe(404)
    const gone = await insertServer(pool)
    await setDeleted(pool, gone, true)
    await api.directory.refresh()
    expect(await statusOf(`${gone}/player-history`)).toBe(404)
    for (const range of ['1h', '24H', '', '365d']) expect((await get(`?range=${range}`)).status).toBe(400)
    expect((await api.request(`/api/v1/servers/${id.toUpperCase()}/player-history?range=30d`)).status).toBe(200)
  })
})

describe('against polls counted one by one', () => {
  const START = new Date('2031-05-10T00:00:00Z')
  const since = (ms: number) => new Date(START.getTime() + ms)
  let now = START
  const history = async (range: keyof typeof RANGES) =>
    PlayerHistory.encode(
      await readPlayerHistory({ db: pool, directory: api.directory, settings, now: () => now }, id, range),
    )

  const expectHistory = async (samples: readonly Sample[]) => {
    const own = samples.filter(({ serverId, at }) => serverId === id && at <= now)
    for (const [range, [rangeMs, bucketMs]] of Object.entries(RANGES)) {
      const expected = historyOf(own, rangeMs, bucketMs, now)
      if (!own.length) for (const point of expected.points) point.maxPlayers = 55
      const shown = await history(range as keyof typeof RANGES)
      expect(shown, `${range} at ${now.toISOString()}`).toEqual(
        expected.uptime === null ? { ...expected, points: expect.any(Array) } : expected,
      )
      if (expected.uptime === null) expect(shown.points.every(({ players }) => players === null)).toBe(true)
    }
  }

  test('days with gaps are equal before, between and after roll-ups, and after samples and hours are dropped', async () => {
    const sample = fc.record({
      serverId: fc.constantFrom(id, id, id, other),
      at: fc.integer({ min: 0, max: 4 * 24 * 60 - 1 }).map((minute) => since(minute * MINUTE + (minute % 7))),
      players: fc.option(fc.integer({ min: 0, max: 200 }), { nil: null }),
      maxPlayers: fc.integer({ min: 0, max: 100 }),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(sample, {
          minLength: 1,
          maxLength: 150,
          selector: ({ serverId, at }) => `${serverId} ${at.getTime()}`,
        }),
        fc.array(fc.integer({ min: 0, max: 5 * 24 * 60 - 1 }), { minLength: 2, maxLength: 3 }),
        async (samples, minutes) => {
          await forgetHistory(pool)
          for (const [turn, minute] of minutes.sort((a, b) => a - b).entries()) {
            const before = now
            now = since(minute * MINUTE)
            // Polls arrive as time passes.
            await insertPolls(
              pool,
              samples.filter(({ at }) => at <= now && (turn === 0 || at > before)),
            )
            await expectHistory(samples)
            await rollUpHours(pool, now)
            await rollUpDays(pool, now)
            await expectHistory(samples)
            await packDays(pool, { until: ALWAYS })
            await expectHistory(samples)
          }
        },
      ),
      { numRuns: 25 },
    )
  })

  test('a month later days show the hours that are stored nowhere else', async () => {
    await forgetHistory(pool)
    now = since(5 * DAY + 10 * MINUTE)
    const samples = Array.from({ length: 600 }, (_, n): Sample => {
      const at = since(n * 12 * MINUTE)
      return { serverId: id, at, players: n % 9 ? n % 70 : null, maxPlayers: 70 }
    })
    await insertPolls(pool, samples)
    await rollUpHours(pool, now)
    await rollUpDays(pool, now)
    now = since(50 * DAY)
    await dropOldPartitions(pool, { retentionDays: 14, now })
    expect(await dropOldHours(pool, now)).toBe(120)
    expect(await history('90d')).toEqual(historyOf(samples, ...RANGES['90d'], now))
    await packDays(pool, { until: ALWAYS })
    expect(await dropOldDays(pool, { hoursKeptDays: 92, daysKeptDays: 92, now })).toBe(5)
    const shown = await history('90d')
    expect(shown).toEqual(historyOf(samples, ...RANGES['90d'], now))
    expect(shown.points.filter(({ players }) => players !== null)).toHaveLength(20)
  })

  test('an hour without an answer counts as much as any other, in each range, though it has fewer polls', async () => {
    await forgetHistory(pool)
    now = since(7 * HOUR)
    const polls = Array.from({ length: 6 }, (_, hour) => {
      const answers = hour < 3
      return Array.from({ length: answers ? 60 : 4 }, (_, n) => ({
        serverId: id,
        at: since(hour * HOUR + n * (answers ? MINUTE : 15 * MINUTE)),
        players: answers ? 5 : null,
        maxPlayers: 10,
      }))
    })
    await insertPolls(pool, polls.flat())
    for (const range of Object.keys(RANGES) as (keyof typeof RANGES)[])
      expect([range, (await history(range)).uptime]).toEqual([range, 0.5])
  })

  test('an hour that is rolled up late is in its day, too', async () => {
    await forgetHistory(pool)
    now = since(2 * DAY)
    const samples = [3, 4, 5].map((hour) => ({ serverId: id, at: since(hour * HOUR), players: hour, maxPlayers: 10 }))
    const [, late] = samples as [Sample, Sample, Sample]
    await insertPolls(
      pool,
      samples.filter((sample) => sample !== late),
    )
    await rollUpHours(pool, now)
    expect(await rollUpDays(pool, now)).toEqual(['2031-05-10'])
    expect((await history('7d')).average).toBe(4) // 3 and 5
    expect((await history('7d')).uptime).toBe(1)
    expect(await packDays(pool, { until: ALWAYS })).toEqual(['2031-05-10'])
    expect(await packDays(pool, { until: ALWAYS })).toEqual([])
    await insertPolls(pool, [late])
    expect(await rollUpHours(pool, now)).toEqual([since(4 * HOUR)])
    expect(await rollUpDays(pool, now)).toEqual(['2031-05-10'])
    await expectHistory(samples)
    expect(await packDays(pool, { until: ALWAYS })).toEqual(['2031-05-10'])
    await expectHistory(samples)
    expect(await rollUpDays(pool, now)).toEqual([])
    await refreshUptime(pool, now)
  })
})
