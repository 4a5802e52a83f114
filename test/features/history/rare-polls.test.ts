// Charts of a directory that polls less often than their shortest points are long.
import { expect, test } from 'vitest'
import { windowOf } from '../../../src/features/history/points.ts'
import { startTestApi } from '../../support/api.ts'
import { insertServer } from '../directory/rows-in-database.ts'
import { DAY, HOUR, insertPolls, MINUTE } from './samples.ts'

const TEN_MINUTES = '600'
const api = await startTestApi({ settings: { POLL_INTERVAL_SECONDS: TEN_MINUTES } })
const { pool } = api.database
const id = await insertServer(pool)
await api.directory.refresh()

test('a server that answered all polls has no gaps, and none in its image', async () => {
  const { rows } = await pool.query<{ now: Date }>('select now()')
  const now = rows[0]?.now.getTime() ?? 0
  // Early and late by a tenth in turn, as polls are.
  const polls = Array.from({ length: 150 }, (_, n) => now - (n * 10 + (n % 2)) * MINUTE)
  await insertPolls(
    pool,
    polls.map((at) => ({ serverId: id, at: new Date(at), players: 20, maxPlayers: 70 })),
  )
  const reply = await api.request(`/api/servers/${id}/player-history`)
  const { points, uptime } = (await reply.json()) as { points: { players: number | null }[]; uptime: number }
  expect(uptime).toBe(1)
  expect(points.filter(({ players }) => players === null)).toEqual([])
  expect(await (await api.request(`/api/servers/${id}/chart.svg`)).text()).not.toContain('no answer')
})

test('points are as long as documented, unless polls are further apart', () => {
  const lengthOf = (shape: Parameters<typeof windowOf>[0], pollMs: number) =>
    windowOf(shape, new Date(), pollMs).bucketMs / MINUTE
  expect([1, 4, 5, 10, 60, 1440].map((minutes) => lengthOf('24h', minutes * MINUTE))).toEqual([5, 5, 10, 15, 120, 1440])
  expect(['7d', '30d', '90d'].map((range) => lengthOf(range as '7d', 10 * MINUTE))).toEqual([60, 120, 360])
  expect(lengthOf('7d', HOUR)).toBe(120)
  expect(lengthOf('90d', DAY)).toBe(1440)
})
