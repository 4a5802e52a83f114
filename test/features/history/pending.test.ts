// The outbox of polls: live data does not wait for history, and history gets each poll once.
import pg from 'pg'
import { afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { movePendingSamples, rollUpHours, runHistoryMove } from '../../../src/features/history/index.ts'
import { applyResults, type PollBatch } from '../../../src/features/polling/index.ts'
import { registry } from '../../../src/platform/observability/metrics.ts'
import { emptyTables, testLog } from '../../support/database.ts'
import { type StoredSample, storedSamples } from '../../support/stored-samples.ts'
import { createTestDirectory, RULES, type TestDirectory } from '../../workers/polling/support.ts'
import { cutAt, type Kill } from './cut.ts'
import { forgetHistory } from './samples.ts'

const ANSWER = {
  answered: true,
  players: 12,
  bots: 0,
  hasPassword: null,
  maxPlayers: 70,
  map: 'TheIsland',
  version: '361.7',
} as const
const SERVERS = 3
const HOUR_MS = 3_600_000

let directory: TestDirectory

beforeAll(async () => {
  directory = await createTestDirectory()
})

afterEach(async () => {
  await forgetHistory(directory.pool)
  await emptyTables(directory.pool, 'servers')
})

const list = () =>
  directory.list(Array.from({ length: SERVERS }, (_, n) => ({ address: `10.1.0.${n + 1}`, port: 27015 })))

/** Polls all servers; the last one does not answer. */
async function pollAll(): Promise<void> {
  await directory.pool.query('update server_polls set next_poll_at = now()')
  const [batch] = (await directory.takeBatches()) as [PollBatch]
  const results = batch.servers.map((server, n) => ({
    ...server,
    ...(n < SERVERS - 1 ? ANSWER : ({ answered: false } as const)),
  }))
  await applyResults(directory, results, RULES)
}

const countRows = async (table: string) =>
  (await directory.pool.query<{ count: number }>(`select count(*) as count from ${table}`)).rows[0]?.count
const playersOf = (samples: StoredSample[]) => samples.map(({ players }) => players).sort()
const metric = async (name: string) => ((await registry.getSingleMetric(name)?.get())?.values[0]?.value as number) ?? 0
/** Makes pending batches older. */
const age = (hours: number) =>
  directory.pool.query(`update player_history_pending set polled_at = polled_at - make_interval(hours => $1)`, [hours])

test('a poll leaves its samples in the outbox, a worker moves them, and charts have them then', async () => {
  await list()
  await pollAll()
  await pollAll()
  expect(await countRows('player_history_pending')).toBe(2)
  expect(await countRows('player_history_recent')).toBe(0)
  await runHistoryMove({ pool: directory.pool, log: testLog })
  expect(await countRows('player_history_pending')).toBe(0)
  expect(playersOf(await storedSamples(directory.pool))).toEqual([12, 12, 12, 12, null, null])
  expect(await movePendingSamples(directory.pool)).toBe(0)
})

describe('while history can’t be written', () => {
  const lock = async () => {
    const locker = new pg.Client({ connectionString: directory.url })
    await locker.connect()
    await locker.query('begin; lock table player_history_recent, player_history_open, player_history_hours')
    const release = () => locker.end()
    onTestFinished(release)
    return release
  }
  const refuse = async () => {
    await directory.pool.query(`
      create function refuse_history() returns trigger language plpgsql as
        $$ begin raise exception 'read-only' using errcode = 'read_only_sql_transaction'; end $$;
      create trigger refuse before insert on player_history_recent execute function refuse_history()`)
    const accept = async () => {
      await directory.pool.query('drop function if exists refuse_history cascade')
    }
    onTestFinished(accept)
    return accept
  }

  for (const [what, obstruct] of [
    ['locked', lock],
    ['read-only', refuse],
  ] as const)
    test(`it is ${what}: polls show servers online at once, and history gets them afterwards`, async () => {
      await list()
      const end = await obstruct()
      await pollAll()
      expect(await directory.count('is_online')).toBe(SERVERS - 1)
      await runHistoryMove({ pool: directory.pool, log: testLog })
      expect(await countRows('player_history_pending')).toBe(1)
      await end()
      await runHistoryMove({ pool: directory.pool, log: testLog })
      expect(playersOf(await storedSamples(directory.pool))).toEqual([12, 12, null])
    })

  test('for a day: older polls are deleted and counted, newer ones stay', async () => {
    await list()
    await pollAll()
    await age(25)
    await pollAll()
    const accept = await refuse()
    const before = await metric('directory_history_dropped_samples_total')
    await runHistoryMove({ pool: directory.pool, log: testLog })
    expect((await metric('directory_history_dropped_samples_total')) - before).toBe(SERVERS)
    await accept()
    expect(await storedSamples(directory.pool)).toHaveLength(SERVERS)
  })

  test('the oldest poll’s wait is a metric', async () => {
    await list()
    await pollAll()
    await age(2)
    const accept = await refuse()
    await runHistoryMove({ pool: directory.pool, log: testLog })
    expect(await metric('directory_history_pending_seconds')).toBeGreaterThanOrEqual(7_200)
    await accept()
    await runHistoryMove({ pool: directory.pool, log: testLog })
    expect(await metric('directory_history_pending_seconds')).toBe(0)
  })

  test('an hour is not rolled up without its polls', async () => {
    await list()
    await pollAll()
    await age(2)
    const accept = await refuse()
    const now = new Date()
    await expect(rollUpHours(directory.pool, now)).rejects.toThrow('read-only')
    const { rows } = await directory.pool.query('select rolled_to from player_history_progress')
    expect(rows).toEqual([{ rolled_to: null }])
    await accept()
    expect(await rollUpHours(directory.pool, now)).toHaveLength(1)
    expect(await countRows('player_history_hours')).toBe(SERVERS)
  })
})

test('polls that waited while all workers were stopped are not deleted', async () => {
  await list()
  await pollAll()
  await age(100)
  await runHistoryMove({ pool: directory.pool, log: testLog })
  expect(await storedSamples(directory.pool)).toHaveLength(SERVERS)
})

test('a worker killed at any statement of the move: the next one completes it, each poll once', async () => {
  await list()
  const seen = new Map<string, number>()
  const moveWith = async (kill: Kill | undefined) => {
    await pollAll()
    await movePendingSamples(cutAt(directory.pool, kill, kill ? undefined : seen)).catch(() => undefined)
    return (await storedSamples(directory.pool)).length
  }
  let polls = await moveWith(undefined)
  expect(seen.size).toBeGreaterThanOrEqual(6)
  for (const text of seen.keys())
    for (const when of ['before', 'after'] as const) {
      polls += SERVERS
      expect(await moveWith({ text, run: 1, when }), `${when} ${text}`).toBe(polls)
    }
})

test('workers that move at once, while an hour is rolled up, move each poll once', async () => {
  await list()
  for (let n = 0; n < 10; n++) await pollAll()
  await age(2)
  const moves = Array.from({ length: 5 }, () => movePendingSamples(directory.pool))
  await Promise.all([...moves, rollUpHours(directory.pool, new Date())])
  await rollUpHours(directory.pool, new Date(Date.now() + HOUR_MS))
  expect(await storedSamples(directory.pool)).toHaveLength(10 * SERVERS)
  const { rows } = await directory.pool.query('select sum(polls)::integer as polls from player_history_hours')
  expect(rows).toEqual([{ polls: 10 * SERVERS }])
})
