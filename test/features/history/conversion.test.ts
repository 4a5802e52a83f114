// Rows per poll of earlier releases become chunks: nothing lost or doubled, by whomever it is interrupted.
import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { convertRows } from '../../../src/features/history/conversion.service.ts'
import { insertSamples, rollUpDays, rollUpHours } from '../../../src/features/history/index.ts'
import type { Pool } from '../../../src/platform/db/pool.ts'
import { createTestDatabase } from '../../support/database.ts'
import { storedSamples } from '../../support/stored-samples.ts'
import { cutAt } from './cut.ts'
import { DAY, forgetHistory, HOUR, MINUTE } from './samples.ts'

const { pool } = await createTestDatabase()
const START = new Date('2031-05-10T00:00:00Z')
const since = (ms: number) => new Date(START.getTime() + ms)
const servers = Array.from({ length: 3 }, () => randomUUID()).sort()
const ALWAYS = Number.POSITIVE_INFINITY

/** Inserts as the previous release does. */
async function insertRows(from: number, to: number): Promise<void> {
  await pool.query(
    `insert into player_history (server_id, polled_at, players, max_players)
     select server_id, at, case when extract(minute from at)::integer % 10 > 0 then extract(minute from at) end, 70
     from unnest($1::uuid[]) as server_id, generate_series($2::timestamptz, $3::timestamptz - interval '1 ms', interval '9 minutes') as at`,
    [servers, since(from), since(to)],
  )
}

async function startDays(): Promise<void> {
  await pool.query('drop schema player_history_days cascade; create schema player_history_days')
  for (const day of ['2031-05-10', '2031-05-11', '2031-05-12']) {
    const table = `player_history_days.d${day.replaceAll('-', '')}`
    await pool.query(`create table ${table} (like player_history including all)`)
    await pool.query(
      `alter table player_history attach partition ${table} for values from ('${day}T00:00Z') to (timestamptz '${day}T00:00Z' + interval '1 day')`,
    )
  }
  await forgetHistory(pool)
}

beforeEach(startDays)

const rowTables = async () =>
  (
    await pool.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'player_history_days'::regnamespace and relname like 'd%' and relkind = 'r' order by 1`,
    )
  ).rows.map(({ name }) => name)

const hours = async () => (await pool.query('select * from player_history_hours order by hour, server_id')).rows

test('all rows are found before, during and after, and counted once, beside polls of both releases', async () => {
  await insertRows(0, DAY + 5 * HOUR)
  const now = since(DAY + 6 * HOUR)
  const before = await storedSamples(pool)
  expect(before).toHaveLength(3 * 194)
  await rollUpHours(pool, now)
  const rolled = await hours()
  expect(rolled).toHaveLength(3 * 29)
  expect(await convertRows(pool, { now, until: ALWAYS })).toEqual(['d20310510'])
  expect(await storedSamples(pool)).toEqual(before)
  expect(await rowTables()).toEqual(['d20310511', 'd20310512'])
  const { rows: stored } = await pool.query(
    `select to_char(day, 'DD') as day, count(*) as servers from player_history_chunks group by day`,
  )
  expect(stored).toEqual([{ day: '10', servers: 3 }])

  // A worker of the previous release polls on, and rolls up nothing twice.
  await insertRows(DAY + 6 * HOUR, DAY + 8 * HOUR)
  for (const [n, id] of servers.entries())
    await insertSamples(pool, { serverIds: [id], polledAt: since(DAY + 7 * HOUR + n), players: [5], maxPlayers: [70] })
  const later = since(2 * DAY + 2 * HOUR)
  const all = await storedSamples(pool)
  expect(all).toHaveLength(before.length + 3 * 14 + 3)
  await rollUpHours(pool, later)
  await rollUpDays(pool, later)
  expect(await convertRows(pool, { now: later, until: ALWAYS })).toEqual(['d20310511'])
  expect(await storedSamples(pool)).toEqual(all)
  await rollUpHours(pool, later)
  expect((await hours()).reduce((sum, { polls }) => sum + polls, 0)).toBe(all.length)
  const { rows } = await pool.query('select sum(polls)::integer as polls from player_history_daily')
  expect(rows).toEqual([{ polls: all.length }])
})

test('an hour is converted only an hour after its end, and once it is rolled up', async () => {
  await insertRows(0, 2 * HOUR)
  await convertRows(pool, { now: since(3 * HOUR), until: ALWAYS })
  const convertedTo = async () => (await pool.query('select converted_to as at from player_history_progress')).rows
  expect(await convertedTo()).toEqual([{ at: null }])
  await rollUpHours(pool, since(3 * HOUR - MINUTE))
  await convertRows(pool, { now: since(3 * HOUR - MINUTE), until: ALWAYS })
  expect(await convertedTo()).toEqual([{ at: since(HOUR) }])
  await convertRows(pool, { now: since(3 * HOUR), until: 0 })
  expect(await convertedTo()).toEqual([{ at: since(HOUR) }])
})

test('three at once convert each row once', async () => {
  await insertRows(0, DAY)
  const now = since(DAY + 2 * HOUR)
  const before = await storedSamples(pool)
  await rollUpHours(pool, now)
  await Promise.all([1, 2, 3].map(() => convertRows(pool, { now, until: ALWAYS })))
  await convertRows(pool, { now, until: ALWAYS })
  expect(await storedSamples(pool)).toEqual(before)
  expect(await rowTables()).toEqual(['d20310511', 'd20310512'])
})

test('killed before or after any statement, the next run completes it', async () => {
  const now = since(DAY + 2 * HOUR)
  const live = async (db?: Pool) => {
    await startDays()
    await insertRows(22 * HOUR, DAY)
    await rollUpHours(pool, now)
    await pool.query('update player_history_progress set converted_to = $1', [since(22 * HOUR)])
    if (db) await convertRows(db, { now, until: ALWAYS }).catch(() => undefined)
    const between = await storedSamples(pool)
    await convertRows(pool, { now, until: ALWAYS })
    return [between, await storedSamples(pool), await hours(), await rowTables()]
  }
  const seen = new Map<string, number>()
  const expected = await live(cutAt(pool, undefined, seen))
  expect(expected[0]).toHaveLength(3 * 14)
  let kills = 0
  for (const [text, runs] of seen)
    for (const kill of [
      { text, run: 1, when: 'before' },
      { text, run: runs, when: 'after' },
    ] as const) {
      expect(await live(cutAt(pool, kill)), `${kill.when} run ${kill.run} of ${text}`).toEqual(expected)
      kills++
    }
  expect(kills).toBeGreaterThan(25)
}, 180_000)
