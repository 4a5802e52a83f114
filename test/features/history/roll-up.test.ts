// Samples become hours, hours become uptimes: equal to a manual count, however often and concurrently they run.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import {
  dropOldHours,
  readPlayerHistory,
  refreshUptime,
  rollUpDays,
  rollUpHours,
  runHistoryRetention,
  runHistoryRollUp,
} from '../../../src/features/history/index.ts'
import { dropOldDays } from '../../../src/features/history/roll-up.service.ts'
import { removeServerAndNotify } from '../../../src/features/server-removal/index.ts'
import { createServers } from '../../../src/features/servers/index.ts'
import { createTestDatabase, emptyTables, testLog } from '../../support/database.ts'
import { insertSamples, storedSamples } from '../../support/stored-samples.ts'
import { forgetHistory, insertPolls } from './samples.ts'

const { pool } = await createTestDatabase()
const HOUR_MS = 3_600_000
const START = new Date('2031-05-10T00:00:00Z')
const at = (ms: number) => new Date(START.getTime() + ms)

interface Sample {
  server: number
  ms: number
  players: number | null
  maxPlayers: number
}

const servers: string[] = []

/** The hours counted sample by sample; only those that ended five minutes before `now`. */
function countByHand(samples: Sample[], now: Date) {
  const hours = new Map<string, Record<string, unknown> & { polls: number }>()
  for (const { server, ms, players, maxPlayers } of samples) {
    const hour = Math.floor(ms / HOUR_MS)
    if (at((hour + 1) * HOUR_MS).getTime() > now.getTime() - 300_000) continue
    const row = hours.get(`${hour} ${server}`) ?? { hour: at(hour * HOUR_MS), server, polls: 0 }
    const before = row as { answered?: number; sum?: number; most?: number; slots?: number }
    hours.set(`${hour} ${server}`, {
      ...row,
      polls: row.polls + 1,
      answered: (before.answered ?? 0) + (players === null ? 0 : 1),
      sum: (before.sum ?? 0) + (players ?? 0),
      most: Math.max(before.most ?? 0, players ?? 0),
      slots: Math.max(before.slots ?? 0, maxPlayers),
    })
  }
  return [...hours.values()].sort((a, b) => Number(a.hour) - Number(b.hour) || Number(a.server) - Number(b.server))
}

async function readHours() {
  const { rows } = await pool.query(
    `select hour, array_position($1::uuid[], server_id) - 1 as server, polls, answered,
       players_sum as sum, players_max as most, max_players as slots
     from player_history_hours order by hour, 2`,
    [servers],
  )
  return rows
}

const insert = (samples: Sample[]) =>
  insertPolls(
    pool,
    samples.map(({ server, ms, ...polled }) => ({ serverId: servers[server] ?? '', at: at(ms), ...polled })),
  )

/** One sample an hour; `answers` says which are answered. */
const hourly = (server: number, fromHour: number, hours: number, answers: (hour: number) => boolean): Sample[] =>
  Array.from({ length: hours }, (_, n) => fromHour + n).map((hour) => ({
    server,
    ms: hour * HOUR_MS + 1,
    players: answers(hour) ? 3 : null,
    maxPlayers: 10,
  }))

async function readUptimes() {
  const { rows } = await pool.query(
    `select array_position($1::uuid[], server_id) - 1 as server, day, week, month from server_uptime order by 1`,
    [servers],
  )
  return rows
}

beforeEach(async () => {
  await forgetHistory(pool)
  await emptyTables(pool, 'servers')
  const added = await createServers({ pool }).addMany(
    [1, 2, 3].map((n) => ({ name: `Server ${n}`, ipAddress: `10.0.0.${n}`, gamePort: 7777 })),
  )
  servers.splice(0, servers.length, ...added.map((server) => ('id' in server ? server.id : '')))
})

describe('roll-up', () => {
  test('three days with gaps equal a manual count at any moment, run twice, and run five times at once', async () => {
    const sample = fc.record({
      server: fc.integer({ min: 0, max: 2 }),
      ms: fc.integer({ min: 0, max: 72 * 4 - 1 }).map((quarter) => quarter * (HOUR_MS / 4) + (quarter % 3)),
      players: fc.option(fc.integer({ min: 0, max: 100 }), { nil: null }),
      maxPlayers: fc.integer({ min: 0, max: 100 }),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(sample, { maxLength: 120, selector: ({ server, ms }) => `${server} ${ms}` }),
        fc.array(fc.integer({ min: 0, max: 75 * 60 }), { minLength: 1, maxLength: 2 }),
        async (samples, minutes) => {
          await forgetHistory(pool)
          await insert(samples)
          for (const minute of minutes.sort((a, b) => a - b)) {
            const now = at(minute * 60_000)
            await Promise.all(Array.from({ length: 5 }, () => rollUpHours(pool, now)))
            expect(await readHours()).toEqual(countByHand(samples, now))
            expect(await rollUpHours(pool, now)).toEqual([])
          }
        },
      ),
      { numRuns: 10 },
    )
  })

  test('an hour stays open for five minutes, to include its last samples', async () => {
    await insert([{ server: 0, ms: 1, players: 1, maxPlayers: 8 }])
    expect(await rollUpHours(pool, at(HOUR_MS + 299_999))).toEqual([])
    await insert([{ server: 0, ms: HOUR_MS - 1, players: 5, maxPlayers: 8 }])
    expect(await rollUpHours(pool, at(HOUR_MS + 300_000))).toEqual([START])
    expect(await readHours()).toEqual([{ hour: START, server: 0, polls: 2, answered: 2, sum: 6, most: 5, slots: 8 }])
  })

  test('samples of an hour that is rolled up already are added to it', async () => {
    await insert(hourly(0, 0, 6, () => true))
    const now = at(7 * HOUR_MS)
    await rollUpHours(pool, now)
    await insert([{ server: 0, ms: HOUR_MS + 5_000, players: 9, maxPlayers: 12 }])
    expect(await rollUpHours(pool, now)).toEqual([at(HOUR_MS)])
    const hours = await readHours()
    expect(hours).toHaveLength(6)
    expect(hours[1]).toEqual({ hour: at(HOUR_MS), server: 0, polls: 2, answered: 2, sum: 12, most: 9, slots: 12 })
  })

  test('servers that report absurd numbers of players do not stop the roll-up of others', async () => {
    const absurd = 2_147_483_647
    await insert([0, 1, 2].map((ms) => ({ server: 0, ms, players: absurd, maxPlayers: absurd })))
    await insert([{ server: 1, ms: 5, players: 2, maxPlayers: 8 }])
    await rollUpHours(pool, at(2 * HOUR_MS))
    expect(await readHours()).toMatchObject([{ sum: absurd, most: absurd }, { sum: 2 }])
  })
})

describe('uptime', () => {
  const unknown = [0, 1, 2].map((server) => ({ server, day: null, week: null, month: null }))

  test('is unknown before the first rolled-up hour, and then each window’s share of answered polls', async () => {
    await insert([...hourly(0, 0, 48, (hour) => hour >= 12), ...hourly(1, 0, 48, () => true)])
    const now = at(48 * HOUR_MS + 600_000)
    expect(await refreshUptime(pool, now)).toBe(0)
    expect(await readUptimes()).toEqual(unknown)
    await rollUpHours(pool, now)
    expect(await refreshUptime(pool, now)).toBe(2)
    expect(await readUptimes()).toEqual([
      { server: 0, day: 1, week: 0.75, month: 0.75 },
      { server: 1, day: 1, week: 1, month: 1 },
      unknown[2],
    ])
  })

  test('is below 1 if a single poll of thousands was not answered', async () => {
    const polls = Array.from({ length: 1_000 }, (_, n) => ({
      server: 0,
      ms: n * 3_000,
      players: n ? 3 : null,
      maxPlayers: 10,
    }))
    await insert([...polls, ...hourly(0, 1, 23, () => true)])
    const now = at(24 * HOUR_MS + 600_000)
    await rollUpHours(pool, now)
    await refreshUptime(pool, now)
    expect((await readUptimes())[0]).toEqual({ server: 0, day: 0.9999, week: 0.9999, month: 0.9999 })
    const directory = { lookup: { maxPlayersOf: () => 10 } }
    const history = await readPlayerHistory(
      { db: pool, directory, settings: { POLL_INTERVAL_SECONDS: 60 }, now: () => now },
      servers[0] ?? '',
      '7d',
    )
    expect(history.uptime).toBe(0.9999)
  })

  test('windows end: samples older than a day, a week and a month are excluded', async () => {
    await insert(hourly(0, 0, 1, () => false))
    await rollUpHours(pool, at(2 * HOUR_MS))
    const shown = async (hours: number) => {
      await refreshUptime(pool, at(hours * HOUR_MS + 600_000))
      return (await readUptimes())[0]
    }
    expect(await shown(24)).toEqual({ server: 0, day: 0, week: 0, month: 0 })
    expect(await shown(25)).toEqual({ server: 0, day: null, week: 0, month: 0 })
    expect(await shown(7 * 24 + 1)).toEqual({ server: 0, day: null, week: null, month: 0 })
    expect(await shown(30 * 24 + 1)).toEqual(unknown[0])
  })

  test('is the same when days are rolled up and their hours dropped', async () => {
    const random = fc.sample(fc.boolean(), { numRuns: 31 * 24, seed: 7 })
    for (const hour of [31 * 24, 30 * 24 + 17, 8 * 24 + 5, 5 * 24 + 1]) {
      const now = at(hour * HOUR_MS + 600_000)
      const shares = [24, 7 * 24, 30 * 24].map((hours) => {
        const within = random.slice(Math.max(0, hour - hours), hour)
        return Number((within.filter(Boolean).length / within.length).toFixed(4))
      })
      await forgetHistory(pool)
      await insert(hourly(0, 0, hour, (n) => random[n] ?? true))
      await rollUpHours(pool, now)
      await rollUpDays(pool, now)
      for (const drop of [false, true]) {
        if (drop) expect(await dropOldHours(pool, now)).toBeGreaterThan(0)
        await pool.query('update server_uptime set day = null, week = null, month = null')
        await refreshUptime(pool, now)
        const [day, week, month] = shares
        expect((await readUptimes())[0], `${hour} ${drop}`).toEqual({ server: 0, day, week, month })
      }
    }
  })

  test('a row with unchanged shares is not written, so that the change feed stays quiet', async () => {
    const versions = async () => (await pool.query('select xmin, server_id from server_uptime order by 2')).rows
    await insert([...hourly(0, 0, 2, () => true), ...hourly(1, 0, 2, (hour) => hour > 0)])
    await rollUpHours(pool, at(1.5 * HOUR_MS))
    expect(await refreshUptime(pool, at(1.5 * HOUR_MS))).toBe(2)
    const before = await versions()
    await rollUpHours(pool, at(2.5 * HOUR_MS))
    expect(await refreshUptime(pool, at(2.5 * HOUR_MS))).toBe(1)
    const after = await versions()
    expect(after.filter((row, index) => row.xmin !== before[index]?.xmin)).toHaveLength(1)
  })

  test('refreshed by five processes at once it is written once', async () => {
    await insert(hourly(0, 0, 3, (hour) => hour > 0))
    await rollUpHours(pool, at(4 * HOUR_MS))
    const changed = await Promise.all(Array.from({ length: 5 }, () => refreshUptime(pool, at(4 * HOUR_MS))))
    expect(changed.sort()).toEqual([0, 0, 0, 0, 1])
    expect((await readUptimes())[0]).toMatchObject({ day: 0.6667 })
  })

  test('a removed server’s uptime does not change', async () => {
    await removeServerAndNotify(pool, servers[0] ?? '')
    await insert(hourly(0, 0, 1, () => true))
    await rollUpHours(pool, at(2 * HOUR_MS))
    expect(await refreshUptime(pool, at(2 * HOUR_MS))).toBe(0)
  })
})

describe('jobs, by the database’s clock', () => {
  const deps = {
    pool,
    log: testLog,
    settings: { HISTORY_RETENTION_DAYS: 1, HISTORY_HOURLY_DAYS: 92, HISTORY_DAILY_DAYS: 92 } as never,
  }
  const hoursAgo = async (hours: number) => {
    const { rows } = await pool.query<{ at: Date }>('select now() - make_interval(hours => $1) as at', [hours])
    return rows[0]?.at ?? new Date(0)
  }

  beforeEach(async () => {
    await insertSamples(pool, {
      serverIds: servers,
      polledAt: await hoursAgo(60),
      players: [1, null, 3],
      maxPlayers: [8, 8, 8],
    })
    await insertSamples(pool, {
      serverIds: servers,
      polledAt: await hoursAgo(2),
      players: [1, 2, null],
      maxPlayers: [8, 8, 8],
    })
  })

  test('the hourly job rolls up and refreshes the uptime', async () => {
    await runHistoryRollUp(deps)
    await runHistoryRollUp(deps)
    expect(await readHours()).toHaveLength(6)
    expect(await readUptimes()).toEqual([
      { server: 0, day: 1, week: 1, month: 1 },
      { server: 1, day: 1, week: 0.5, month: 0.5 },
      { server: 2, day: 0, week: 0.5, month: 0.5 },
    ])
  })

  test('the daily job drops old days only after they were rolled up', async () => {
    await runHistoryRetention(deps)
    expect(await readHours()).toHaveLength(6)
    expect(await storedSamples(pool)).toHaveLength(3)
  })
})

test('PostgreSQL ends a statement of a roll-up that takes longer than the process waits for it', async () => {
  await pool.query(`
    create table limits (operation text, timeout text);
    create function record_limit() returns trigger language plpgsql as
      $$ begin insert into limits values (tg_op, current_setting('statement_timeout')); return null; end $$;
    create trigger record_limit after insert or delete on player_history_rolled_days
      for each statement execute function record_limit();
    create trigger record_limit after update on server_uptime for each statement execute function record_limit()`)
  onTestFinished(async () => {
    await pool.query('drop function record_limit cascade; drop table limits')
  })
  await insert(hourly(0, 0, 24, () => true))
  const now = at(24 * HOUR_MS + 600_000)
  await rollUpHours(pool, now)
  await rollUpDays(pool, now)
  await refreshUptime(pool, now)
  const later = at(40 * 24 * HOUR_MS)
  expect(await dropOldDays(pool, { hoursKeptDays: 30, daysKeptDays: 30, now: later })).toBe(1)
  const { rows } = await pool.query('select distinct operation, timeout from limits order by 1')
  expect(rows).toEqual(['DELETE', 'INSERT', 'UPDATE'].map((operation) => ({ operation, timeout: '590s' })))
})

test('hours are dropped after four days, once they are in their day', async () => {
  await pool.query(
    `insert into player_history_hours select $1, $2::timestamptz - n * interval '1 day', 1, 1, 1, 1, 1
     from generate_series(25, 45) as n`,
    [randomUUID(), START],
  )
  expect(await dropOldHours(pool, START)).toBe(0)
  await rollUpHours(pool, START)
  await rollUpDays(pool, START)
  expect(await dropOldHours(pool, START)).toBe(21)
  expect(await dropOldHours(pool, START)).toBe(0)
})
