// Days of history: their content, their retention, recovery after a kill, and the cost of reads.
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { decodeHours } from '../../../src/features/history/hour-bytes.ts'
import {
  dropOldHours,
  dropOldPartitions,
  packDays,
  rollUpDays,
  rollUpHours,
} from '../../../src/features/history/index.ts'
import { findUnpackedDays, markPacked } from '../../../src/features/history/months.sql.ts'
import { FIND_HOURS, FIND_SAMPLES, findSamples } from '../../../src/features/history/player-history.sql.ts'
import { closeDays, rollUpRecent } from '../../../src/features/history/recent-samples.service.ts'
import { dropOldDays } from '../../../src/features/history/roll-up.service.ts'
import type { Pool } from '../../../src/platform/db/pool.ts'
import { createTestDatabase } from '../../support/database.ts'
import { storedSamples } from '../../support/stored-samples.ts'
import { cutAt } from './cut.ts'
import { DAY, forgetHistory, HOUR, insertPolls, MINUTE, type Sample } from './samples.ts'

const { pool } = await createTestDatabase()
const START = new Date('2031-05-10T00:00:00Z')
const since = (ms: number) => new Date(START.getTime() + ms)
const [a, b] = [randomUUID(), randomUUID()].sort() as [string, string]
const ALWAYS = Number.POSITIVE_INFINITY
const DAY_IS_OVER = since(DAY + 10 * MINUTE)

beforeEach(() => forgetHistory(pool))

/** Two servers: one polled occasionally all day, one only in its last hour. */
const SAMPLES: Sample[] = [
  ...Array.from({ length: 18 }, (_, n) => ({
    serverId: a,
    at: since(n * 70 * MINUTE),
    players: n % 4 ? n : null,
    maxPlayers: 20,
  })),
  { serverId: b, at: since(23 * HOUR + 1), players: 60, maxPlayers: 64 },
]

async function readDays() {
  const { rows } = await pool.query(
    `select server_id as server, to_char(day, 'YYYY-MM-DD') as day, polls, answered, players_sum as sum, players_max as most,
       max_players as slots, hour_polls as "hourPolls", hour_players_max as "hourMost"
     from player_history_daily order by 1, 2`,
  )
  return rows
}
async function readMonths() {
  const { rows } = await pool.query<{ server: string; month: string; hours: Buffer }>(
    `select server_id as server, to_char(month, 'YYYY-MM-DD') as month, hours from player_history_months order by 1, 2`,
  )
  return rows.map((row) => ({ ...row, hours: decodeHours(row.hours) }))
}
const rolledDays = async () =>
  (
    await pool.query(
      `select to_char(day, 'YYYY-MM-DD') as day, servers, has_hours as hours from player_history_rolled_days`,
    )
  ).rows

describe('a day', () => {
  test('is rolled up five minutes after its end, a row a server, with its hours in order', async () => {
    await insertPolls(pool, SAMPLES)
    await rollUpHours(pool, since(DAY + 4 * MINUTE))
    expect(await rollUpDays(pool, since(DAY + 4 * MINUTE))).toEqual([])
    await rollUpHours(pool, DAY_IS_OVER)
    expect(await rollUpDays(pool, DAY_IS_OVER)).toEqual(['2031-05-10'])
    const own = SAMPLES.filter(({ serverId }) => serverId === a)
    const perHour = (value: (samples: Sample[]) => number) =>
      Array.from({ length: 24 }, (_, hour) =>
        value(own.filter(({ at }) => Math.floor((at.getTime() - START.getTime()) / HOUR) === hour)),
      )
    const answered = own.flatMap(({ players }) => players ?? [])
    expect(await readDays()).toEqual([
      {
        server: a,
        day: '2031-05-10',
        polls: 18,
        answered: answered.length,
        sum: answered.reduce((sum, players) => sum + players, 0),
        most: Math.max(...answered),
        slots: 20,
        hourPolls: perHour(({ length }) => length),
        hourMost: perHour((samples) => Math.max(0, ...samples.map(({ players }) => players ?? 0))),
      },
      expect.objectContaining({ server: b, polls: 1, sum: 60, most: 60, slots: 64 }),
    ])
    expect(await rolledDays()).toEqual([{ day: '2031-05-10', servers: 2, hours: true }])
  })

  test('rolled up by five processes at once exists once', async () => {
    await insertPolls(pool, SAMPLES)
    await rollUpHours(pool, DAY_IS_OVER)
    const done = await Promise.all(Array.from({ length: 5 }, () => rollUpDays(pool, DAY_IS_OVER)))
    expect(done.flat()).toEqual(['2031-05-10'])
    expect(await readDays()).toHaveLength(2)
  })

  test('is packed into its month; loses its hours after a month, and these and its row each after its retention', async () => {
    await insertPolls(pool, SAMPLES)
    await rollUpHours(pool, DAY_IS_OVER)
    await rollUpDays(pool, DAY_IS_OVER)
    const drop = (days: number) => dropOldDays(pool, { hoursKeptDays: 400, daysKeptDays: 1826, now: since(days * DAY) })
    expect(await drop(33)).toBe(0)
    expect(await packDays(pool, { until: ALWAYS })).toEqual(['2031-05-10'])
    const packed = await readMonths()
    expect(packed.map(({ server, month, hours }) => [server, month, hours.length])).toEqual([
      [a, '2031-05-01', 18],
      [b, '2031-05-01', 1],
    ])
    expect(packed[1]?.hours).toEqual([
      { at: since(23 * HOUR), polls: 1, answered: 1, playersSum: 60, playersMax: 60, maxPlayers: 64 },
    ])
    expect(await drop(32)).toBe(0)
    expect(await drop(33)).toBe(1)
    expect(await drop(34)).toBe(0)
    expect(await readDays()).toMatchObject([
      { polls: 18, hourPolls: null, hourMost: null },
      { polls: 1, hourPolls: null },
    ])
    await drop(22 + 399)
    expect(await readMonths()).toEqual(packed)
    await drop(22 + 400)
    expect(await readMonths()).toEqual([])
    expect(await drop(1_826)).toBe(0)
    expect(await drop(1_827)).toBe(1)
    expect([await readDays(), await rolledDays()]).toEqual([[], []])
  })

  test('that is rolled up again while it is packed is packed again', async () => {
    await insertPolls(pool, SAMPLES)
    await rollUpHours(pool, DAY_IS_OVER)
    await rollUpDays(pool, DAY_IS_OVER)
    const late = { serverId: b, at: since(5 * HOUR), players: 7, maxPlayers: 64 }
    const [read] = await findUnpackedDays(pool)
    await insertPolls(pool, [late])
    await rollUpHours(pool, DAY_IS_OVER)
    await rollUpDays(pool, DAY_IS_OVER)
    await markPacked(pool, read ? [read] : [])
    expect(await packDays(pool, { until: ALWAYS })).toEqual(['2031-05-10'])
    expect((await readMonths())[1]?.hours.map(({ playersSum }) => playersSum)).toEqual([7, 60])
  })
})

describe('history upkeep', () => {
  const rollUp = async (db: Pool) => {
    await rollUpHours(db, DAY_IS_OVER)
    await rollUpDays(db, DAY_IS_OVER)
    await packDays(db, { until: ALWAYS })
  }
  const much = { retentionDays: 14, now: since(500 * DAY) }
  const drop = async (db: Pool) => {
    await dropOldHours(db, much.now)
    await dropOldDays(db, { hoursKeptDays: 400, daysKeptDays: 1826, now: much.now })
  }
  const everything = async () => [
    await storedSamples(pool),
    await readDays(),
    await rolledDays(),
    await readMonths(),
    (await pool.query('select * from player_history_hours order by hour, server_id')).rows,
  ]

  test('may be killed before or after any statement: the next run gives the result of an undisturbed one', async () => {
    const live = async (db: { rolls?: Pool; drops?: Pool }) => {
      await forgetHistory(pool)
      await insertPolls(pool, SAMPLES)
      if (db.rolls) await rollUp(db.rolls).catch(() => undefined)
      await rollUp(pool)
      const rolled = await everything()
      await dropOldPartitions(pool, much)
      if (db.drops) await drop(db.drops).catch(() => undefined)
      await drop(pool)
      return [rolled, await everything()]
    }
    const seen = { rolls: new Map<string, number>(), drops: new Map<string, number>() }
    const expected = await live({
      rolls: cutAt(pool, undefined, seen.rolls),
      drops: cutAt(pool, undefined, seen.drops),
    })
    expect(seen.rolls.size).toBeGreaterThanOrEqual(8)
    let kills = 0
    for (const phase of ['rolls', 'drops'] as const)
      for (const [text, runs] of seen[phase])
        for (const kill of [
          { text, run: 1, when: 'before' },
          { text, run: runs, when: 'after' },
        ] as const) {
          expect(await live({ [phase]: cutAt(pool, kill) }), `${kill.when} run ${kill.run} of ${text}`).toEqual(
            expected,
          )
          kills++
        }
    expect(kills).toBeGreaterThan(25)
  }, 120_000)
})

interface PlanNode {
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
}

test('90 days of one server are read in at most 20 pages, its last day in 14', async () => {
  const servers = Array.from({ length: 120 }, () => randomUUID())
  // Written as the jobs do: a day at a time for all servers, an hour at a time.
  await pool.query(
    `insert into player_history_daily
     select server_id, day, 1440, 1440, 40000, 70, 70, polls::smallint[], polls::smallint[], sums::integer[], peaks::integer[], array_fill(70, array[24])
     from generate_series($2::date - 91, $2::date - 1, interval '1 day') as day, unnest($1::uuid[]) as server_id,
       lateral (
         select array(select 57 + 6 * random() from generate_series(1, 24) where server_id is not null) as polls,
           array(select 4000 * random() from generate_series(1, 24) where server_id is not null) as sums,
           array(select 70 * random() from generate_series(1, 24) where server_id is not null) as peaks) as hours
     order by day, random()`,
    [servers, START],
  )
  await pool.query(
    `insert into player_history_rolled_days (day, servers) select distinct day, 120 from player_history_daily`,
  )
  await packDays(pool, { until: ALWAYS })
  const poll = (serverId: string, minute: number): Sample => ({
    serverId,
    at: since(minute * MINUTE + (Math.abs(minute) % 7) * 1_000),
    players: minute % 5,
    maxPlayers: 70,
  })
  for (let hour = -24; hour < 24; hour++)
    await insertPolls(
      pool,
      servers.flatMap((id) => Array.from({ length: 60 }, (_, minute) => poll(id, hour * 60 + minute))),
    )
  await rollUpRecent(pool, since(23 * HOUR))
  await closeDays(pool, since(23 * HOUR))
  await pool.query('vacuum analyze')
  const pagesOf = async (statement: string, values: unknown[]) => {
    const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (analyze, buffers, format json) ${statement}`,
      values,
    )
    const plan = rows[0]?.['QUERY PLAN'][0].Plan
    return plan ? plan['Shared Hit Blocks'] + plan['Shared Read Blocks'] : Number.NaN
  }
  const [server = ''] = servers
  expect((await findSamples(pool, [server], START, since(DAY))).get(server)).toHaveLength(1_440)
  expect((await findSamples(pool, [server], since(-DAY), since(DAY))).get(server)).toHaveLength(2_880)
  const samplesFrom = (from: Date) => pagesOf(FIND_SAMPLES, [[server], from, since(DAY)])
  expect(await samplesFrom(since(-30 * MINUTE)), 'of 24 hours').toBeLessThanOrEqual(14)
  const ofMonths = await pagesOf(FIND_HOURS, [server, since(-89 * DAY), START])
  expect(ofMonths, 'of four months').toBeLessThanOrEqual(10)
  expect(ofMonths + (await samplesFrom(START))).toBeLessThanOrEqual(20)
})
