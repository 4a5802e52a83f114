// Bytes of history that a damaged disk or a mistake has changed: set aside and reported, and everything else continues.
import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { beforeEach, expect, test } from 'vitest'
import { unreadableTotal } from '../../../src/features/history/history.service.ts'
import { packDays, rollUpDays, rollUpHours, runHistoryRollUp } from '../../../src/features/history/index.ts'
import { readPlayerHistory } from '../../../src/features/history/player-history.service.ts'
import { readUnreadable } from '../../../src/features/history/unreadable.sql.ts'
import { createTestDatabase } from '../../support/database.ts'
import { storedSamples } from '../../support/stored-samples.ts'
import { DAY, forgetHistory, HOUR, insertPolls, MINUTE, type Sample } from './samples.ts'

const { pool } = await createTestDatabase()
const START = new Date('2031-05-10T00:00:00Z')
const since = (ms: number) => new Date(START.getTime() + ms)
const [damaged, intact] = [randomUUID(), randomUUID()]
const ALWAYS = Number.POSITIVE_INFINITY

const polls = (from: number, to: number): Sample[] =>
  [damaged, intact].flatMap((serverId) =>
    Array.from({ length: (to - from) / (10 * MINUTE) }, (_, n) => ({
      serverId,
      at: since(from + n * 10 * MINUTE),
      players: 5,
      maxPlayers: 10,
    })),
  )
/** Cuts the stored bytes of a server, so that they end within an item. */
const damage = (table: string, column = 'samples') =>
  pool.query(
    `update player_history_${table} set ${column} = substring(${column} from 1 for length(${column}) - 3) where server_id = $1`,
    [damaged],
  )
const insertUnreadable = async () =>
  (
    await pool.query(
      `select server_id as server, source, to_char(day, 'YYYY-MM-DD') as day, length(bytes) > 0 as kept from player_history_unreadable`,
    )
  ).rows
const stored = async (server: string) => (await storedSamples(pool, [server])).length
const chart = async (server: string, now: Date) => {
  const directory = { lookup: { maxPlayersOf: () => 10 } }
  const { points } = await readPlayerHistory(
    { db: pool, directory, settings: { POLL_INTERVAL_SECONDS: 60 }, now: () => now },
    server,
    '7d',
  )
  return points.filter(({ players }) => players !== null).length
}

beforeEach(() => forgetHistory(pool))

test('polls that are not rolled up', async () => {
  await insertPolls(pool, polls(0, 2 * HOUR))
  await damage('recent')
  expect([await stored(damaged), await stored(intact)]).toEqual([0, 12])
  await rollUpHours(pool, since(3 * HOUR))
  expect(await insertUnreadable()).toEqual([{ server: damaged, source: 'recent', day: null, kept: true }])
  await insertPolls(pool, polls(3 * HOUR, 4 * HOUR))
  await rollUpHours(pool, since(5 * HOUR))
  expect(await insertUnreadable()).toHaveLength(1)
  expect([await stored(damaged), await stored(intact)]).toEqual([6, 18])
  expect([await chart(damaged, since(5 * HOUR)), await chart(intact, since(5 * HOUR))]).toEqual([1, 3])
})

test('the day that runs', async () => {
  await insertPolls(pool, polls(0, 2 * HOUR))
  await rollUpHours(pool, since(2.5 * HOUR))
  await damage('open')
  expect(await chart(damaged, since(2.5 * HOUR))).toBe(0)
  await insertPolls(pool, polls(3 * HOUR, 4 * HOUR))
  await rollUpHours(pool, since(5 * HOUR))
  expect(await insertUnreadable()).toEqual([{ server: damaged, source: 'open', day: '2031-05-10', kept: true }])
  expect([await stored(damaged), await stored(intact)]).toEqual([6, 18])
  const { rows } = await pool.query('select sum(polls)::integer as polls from player_history_hours')
  expect(rows).toEqual([{ polls: 36 }])
})

test('a day that has ended, and a month', async () => {
  await insertPolls(pool, polls(0, 2 * HOUR))
  const now = since(DAY + HOUR)
  await rollUpHours(pool, now)
  await damage('chunks')
  expect([await stored(damaged), await stored(intact)]).toEqual([0, 12])
  expect([await chart(damaged, now), await chart(intact, now)]).toEqual([0, 2])
  await rollUpDays(pool, now)
  await packDays(pool, { until: ALWAYS })
  expect(await chart(damaged, now)).toBe(2)
  await damage('months', 'hours')
  expect([await chart(damaged, now), await chart(intact, now)]).toEqual([0, 2])
  await insertPolls(pool, polls(DAY, DAY + HOUR))
  await rollUpHours(pool, since(2 * DAY + HOUR))
  await rollUpDays(pool, since(2 * DAY + HOUR))
  await packDays(pool, { until: ALWAYS })
  expect(await insertUnreadable()).toEqual([{ server: damaged, source: 'months', day: '2031-05-01', kept: true }])
  const later = since(2 * DAY + HOUR)
  expect([await chart(damaged, later), await chart(intact, later)]).toEqual([1, 3])
})

test('each is logged and counted once, and stays', async () => {
  const lines: string[] = []
  const log = pino({ level: 'error' }, { write: (line) => void lines.push(line) })
  const counted = async () =>
    (await unreadableTotal.get()).values.reduce(
      (sum, { value, labels }) => sum + (labels.source === 'recent' ? value : 0),
      0,
    )
  const before = await counted()
  expect(await readUnreadable(pool)).toBeNull()
  const { rows } = await pool.query<{ now: Date }>('select now() as now')
  const ago = (rows[0]?.now.getTime() ?? 0) - START.getTime() - 3 * HOUR
  await insertPolls(pool, polls(ago, ago + HOUR))
  await damage('recent')
  for (let run = 0; run < 2; run++) await runHistoryRollUp({ pool, log })
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain(damaged)
  expect((await counted()) - before).toBe(1)
  expect(await readUnreadable(pool)).toMatchObject({ chunks: 1, servers: 1 })
})
