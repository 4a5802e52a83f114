// Days of history: their content, their retention, recovery after a kill, and the cost of reads.
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { dropOldDays } from '../../../src/features/history/daily.service.ts'
import { closeDays, foldRecent } from '../../../src/features/history/fold.service.ts'
import { dropOldHours, dropOldPartitions, rollUpDays, rollUpHours } from '../../../src/features/history/index.ts'
import { FIND_BUCKETS } from '../../../src/features/history/player-history.sql.ts'
import { FIND_SAMPLES, findSamples } from '../../../src/features/history/samples.sql.ts'
import type { Pool } from '../../../src/platform/db/pool.ts'
import { createTestDatabase } from '../../support/database.ts'
import { storedSamples } from '../../support/stored-samples.ts'
import { cutAt } from './cut.ts'
import { DAY, forgetHistory, HOUR, insertPolls, MINUTE, type Sample } from './samples.ts'

const { pool } = await createTestDatabase()
const START = new Date('2031-05-10T00:00:00Z')
const since = (ms: number) => new Date(START.getTime() + ms)
const [a, b] = [randomUUID(), randomUUID()].sort() as [string, string]
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
const rolledDays = async () =>
  (
    await pool.query(
      `select to_char(day, 'YYYY-MM-DD') as day, servers, has_hours as hours from player_history_rolled_days`,
    )
  ).rows

describe('a day', () => {
  test('is rolled up five minutes after its end, a row a server, with its hours in order', async () => {
    await insertPolls(pool, SAMPLES)
    await rollUpHours(pool, { now: since(DAY + 4 * MINUTE) })
    expect(await rollUpDays(pool, { now: since(DAY + 4 * MINUTE) })).toEqual([])
    await rollUpHours(pool, { now: DAY_IS_OVER })
    expect(await rollUpDays(pool, { now: DAY_IS_OVER })).toEqual(['2031-05-10'])
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
    await rollUpHours(pool, { now: DAY_IS_OVER })
    const done = await Promise.all(Array.from({ length: 5 }, () => rollUpDays(pool, { now: DAY_IS_OVER })))
    expect(done.flat()).toEqual(['2031-05-10'])
    expect(await readDays()).toHaveLength(2)
  })

  test('loses its hours, then its row, each after its retention', async () => {
    await insertPolls(pool, SAMPLES)
    await rollUpHours(pool, { now: DAY_IS_OVER })
    await rollUpDays(pool, { now: DAY_IS_OVER })
    const drop = (days: number) => dropOldDays(pool, { hoursDays: 400, daysDays: 1826, now: since(days * DAY) })
    expect(await drop(400)).toBe(0)
    expect(await drop(401)).toBe(1)
    expect(await drop(402)).toBe(0)
    expect(await readDays()).toMatchObject([
      { polls: 18, hourPolls: null, hourMost: null },
      { polls: 1, hourPolls: null },
    ])
    expect(await drop(1_826)).toBe(0)
    expect(await drop(1_827)).toBe(1)
    expect([await readDays(), await rolledDays()]).toEqual([[], []])
  })
})

describe('history upkeep', () => {
  const rollUp = async (db: Pool) => {
    await rollUpHours(db, { now: DAY_IS_OVER })
    await rollUpDays(db, { now: DAY_IS_OVER })
  }
  const much = { retentionDays: 14, now: since(500 * DAY) }
  const drop = async (db: Pool) => {
    await dropOldHours(db, { now: much.now })
    await dropOldDays(db, { hoursDays: 400, daysDays: 1826, now: much.now })
  }
  const everything = async () => [
    await storedSamples(pool),
    await readDays(),
    await rolledDays(),
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
  }, 60_000)
})

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Heap Fetches'?: number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: PlanNode[]
}

const pagesOf = (node: PlanNode) => node['Shared Hit Blocks'] + node['Shared Read Blocks']
const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

test('90 days of one server are read from indexes only, and its last day from chunks, each in a few pages', async () => {
  const servers = Array.from({ length: 250 }, () => randomUUID())
  const hours = Array.from({ length: 24 }, (_, hour) => hour)
  // Written as the jobs do: a day at a time for all servers, an hour at a time.
  await pool.query(
    `insert into player_history_daily
     select server_id, day, 1440, 1440, 40000, 70, 70, $2::smallint[], $2::smallint[], $2::integer[], $2::integer[], $2::integer[]
     from generate_series($3::date - 91, $3::date - 1, interval '1 day') as day, unnest($1::uuid[]) as server_id
     order by day, random()`,
    [servers, hours, START],
  )
  await pool.query(
    `insert into player_history_hours
     select server_id, hour, 60, 60, 1800, 40, 70
     from generate_series($2::timestamptz, $2::timestamptz + interval '22 hours', interval '1 hour') as hour, unnest($1::uuid[]) as server_id
     order by hour, random()`,
    [servers, START],
  )
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
  await foldRecent(pool, since(23 * HOUR))
  await closeDays(pool, since(23 * HOUR))
  // The tests' PostgreSQL commits asynchronously, and vacuum marks a page all-visible only once its commit is written.
  await expect
    .poll(
      async () => {
        await pool.query('vacuum analyze')
        const { rows } = await pool.query<{ done: boolean }>(
          `select bool_and(relallvisible = relpages) as done from pg_class
           where oid in ('player_history_daily'::regclass, 'player_history_hours'::regclass)`,
        )
        return rows[0]?.done
      },
      { timeout: 10_000, interval: 200 },
    )
    .toBe(true)
  const planOf = async (statement: string, values: unknown[]) => {
    const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (analyze, buffers, format json) ${statement}`,
      values,
    )
    const plan = rows[0]?.['QUERY PLAN'][0].Plan
    if (!plan) throw new Error('no plan')
    return plan
  }
  const buckets = await planOf(FIND_BUCKETS, [servers[77], since(-89 * DAY), START, since(23 * HOUR), 6 * 3_600])
  for (const [table, most] of [
    ['player_history_daily', 16],
    ['player_history_hours', 6],
  ] as const) {
    const scan = nodesOf(buckets).find((node) => node['Relation Name'] === table)
    expect(scan?.['Node Type'], table).toBe('Index Only Scan')
    expect(scan?.['Heap Fetches'], table).toBe(0)
    expect(scan ? pagesOf(scan) : Number.NaN, table).toBeLessThanOrEqual(most)
  }
  expect(pagesOf(buckets)).toBeLessThanOrEqual(16 + 6)
  const [server = ''] = servers
  expect((await findSamples(pool, [server], START, since(DAY))).get(server)).toHaveLength(1_440)
  expect((await findSamples(pool, [server], since(-DAY), since(DAY))).get(server)).toHaveLength(2_880)
  const samplesFrom = async (from: Date) => pagesOf(await planOf(FIND_SAMPLES, [[server], from, since(DAY)]))
  expect(await samplesFrom(since(-30 * MINUTE)), 'of 24 hours').toBeLessThanOrEqual(14)
  expect(await samplesFrom(since(23 * HOUR)), 'that are not rolled up').toBeLessThanOrEqual(8)
})
