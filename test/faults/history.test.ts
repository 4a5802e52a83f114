// A worker killed while it rolls polls up and moves them to chunks, or packs days into months.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { decodeHours } from '../../src/features/history/hour-bytes.ts'
import {
  historyPartitions,
  historyRollUp,
  runHistoryPartitions,
  runHistoryRollUp,
} from '../../src/features/history/index.ts'
import { openJobs } from '../../src/platform/queue/jobs.ts'
import { createTestDatabase, testLog } from '../support/database.ts'
import { startProcess } from '../support/processes.ts'
import { insertSamples, storedSamples } from '../support/stored-samples.ts'
import { beginFaultRun, FAULT_RUN_TIMEOUT_MS } from './support/run.ts'

const { pool, url } = await createTestDatabase()
const SERVERS = 3_000
const HOUR_MS = 3_600_000
const WAIT_OPTIONS = { timeout: 90_000 }

test(
  'history under kills: every poll is stored once and counted once, in hours, days and months',
  async ({ task }) => {
    const run = beginFaultRun({ task })
    const jobs = await openJobs({ url, log: testLog, applicationName: 'test' })
    const ids = Array.from({ length: SERVERS }, () => randomUUID())
    const today = Math.floor(Date.now() / (24 * HOUR_MS)) * 24 * HOUR_MS
    let polls = 0
    const poll = async (at: number) => {
      const players = ids.map((_, n) => (n % 9 ? n % 70 : null))
      await insertSamples(pool, { serverIds: ids, polledAt: new Date(at), players, maxPlayers: ids.map(() => 70) })
      polls += SERVERS
    }
    // A day that has ended, and an hour.
    for (let half = 0; half < 48; half++) await poll(today - 48 * HOUR_MS + (half * HOUR_MS) / 2)
    const start = Math.min(today, Date.now() - 3 * HOUR_MS)
    for (let minute = 0; minute < 60; minute += 2) await poll(start - HOUR_MS + minute * 60_000)

    const progress = async () => {
      const { rows } = await pool.query<{ rolled: number; moved: number }>(
        `select (select count(*) from player_history_hours) as rolled, (select count(*) from player_history_open)
           + (select count(*) from player_history_chunks) + (select count(*) from player_history_months) as moved`,
      )
      return rows[0] ?? { rolled: 0, moved: 0 }
    }
    const deps = { pool, log: testLog, settings: {} as never }
    for (const kind of run.deal(['rolling up', 'packing'] as const, 0.5)) {
      const contract = kind === 'rolling up' ? historyRollUp : historyPartitions
      await poll(Date.now() - 2 * HOUR_MS)
      if (kind === 'packing') await runHistoryRollUp(deps)
      await jobs.enqueue(pool, contract, [{}])
      const before = await progress()
      const worker = await startProcess('workers/main.ts', url)
      // Somewhere in the batches of 500 servers, or when everything is done.
      const most = Math.floor(run.between(0, 2_000))
      await expect
        .poll(
          async () => {
            const now = await progress()
            const { rows } = await pool.query<{ ended: boolean }>(
              `select bool_and(state > 'active') as ended from pgboss.job where name = $1`,
              [contract.queue],
            )
            return rows[0]?.ended || Math.abs(now.moved - before.moved) + now.rolled - before.rolled > most
          },
          { ...WAIT_OPTIONS, interval: 5 },
        )
        .toBe(true)
      worker.child.kill('SIGKILL')
      await once(worker.child, 'exit')
      run.tried(`worker killed while ${kind}`)
      // PostgreSQL ends the worker's connections once their statements are done.
      await expect
        .poll(async () => {
          const connected = `select from pg_stat_activity where datname = current_database() and application_name like 'worker%'`
          return (await pool.query(connected)).rowCount
        }, WAIT_OPTIONS)
        .toBe(0)
      const { rows } = await pool.query<{ id: string }>(
        `select id from pgboss.job where name = $1 and state <= 'active'`,
        [contract.queue],
      )
      // The queue would give it to another worker only once its heartbeat is missed.
      for (const { id } of rows) await jobs.boss.cancel(contract.queue, id)
      expect(await storedSamples(pool)).toHaveLength(polls)
    }

    await runHistoryRollUp(deps)
    await runHistoryPartitions(deps)
    const samples = await storedSamples(pool)
    const { rows: days } = await pool.query<{ polls: number }>(
      `select sum(polls)::integer as polls from player_history_hours`,
    )
    const { rows: ofDays } = await pool.query<{ polls: number }>(
      'select sum(polls)::integer as polls from player_history_daily',
    )
    const { rows: months } = await pool.query<{ hours: Buffer }>('select hours from player_history_months')
    const packed = months.flatMap(({ hours }) => decodeHours(hours)).reduce((sum, hour) => sum + hour.polls, 0)
    run.worked('polls', polls)
    run.expectNothingLost({
      'polls missing or twice': samples.length === polls ? [] : [samples.length],
      'polls not counted, or twice': days[0]?.polls === polls ? [] : days,
      'polls of days not packed, or twice': packed === ofDays[0]?.polls ? [] : [packed, ofDays],
    })
    await jobs.boss.stop({ graceful: false })
  },
  FAULT_RUN_TIMEOUT_MS,
)
