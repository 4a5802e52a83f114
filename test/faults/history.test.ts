// A worker killed while it rolls polls up, moves them to chunks or converts the rows of an earlier release.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import {
  historyPartitions,
  historyRollUp,
  insertSamples,
  runHistoryPartitions,
  runHistoryRollUp,
} from '../../src/features/history/index.ts'
import { openJobs } from '../../src/platform/queue/jobs.ts'
import { createTestDatabase, testLog } from '../support/database.ts'
import { startProcess } from '../support/processes.ts'
import { storedSamples } from '../support/stored-samples.ts'
import { beginFaultRun, FAULT_RUN_TIMEOUT_MS } from './support/run.ts'

const { pool, url } = await createTestDatabase()
const SERVERS = 3_000
const HOUR_MS = 3_600_000
const PATIENCE = { timeout: 90_000 }

test(
  'history under kills: every poll is stored once and counted once, those of earlier releases included',
  async ({ task }) => {
    const run = beginFaultRun({ task })
    const jobs = await openJobs({ url, log: testLog, applicationName: 'test' })
    const ids = Array.from({ length: SERVERS }, () => randomUUID())
    const today = Math.floor(Date.now() / (24 * HOUR_MS)) * 24 * HOUR_MS
    // A day of rows of an earlier release, twice an hour, and polls that are not rolled up.
    const day = new Date(today - 48 * HOUR_MS).toISOString().slice(0, 10)
    await pool.query(`create table player_history_days.d${day.replaceAll('-', '')} (like player_history including all)`)
    await pool.query(
      `alter table player_history attach partition player_history_days.d${day.replaceAll('-', '')}
       for values from ('${day}T00:00Z') to (timestamptz '${day}T00:00Z' + interval '1 day')`,
    )
    await pool.query(
      `insert into player_history
       select server_id, at, extract(minute from at), 70
       from unnest($1::uuid[]) as server_id,
         generate_series($2::timestamptz, $2::timestamptz + interval '23 hours 59 minutes', interval '30 minutes') as at`,
      [ids, day],
    )
    let polls = SERVERS * 48
    const poll = async (at: number) => {
      const players = ids.map((_, n) => (n % 9 ? n % 70 : null))
      await insertSamples(pool, { serverIds: ids, polledAt: new Date(at), players, maxPlayers: ids.map(() => 70) })
      polls += SERVERS
    }
    const start = Math.min(today, Date.now() - 3 * HOUR_MS)
    for (let minute = 0; minute < 60; minute += 2) await poll(start - HOUR_MS + minute * 60_000)

    const progress = async () => {
      const { rows } = await pool.query<{ rolled: number; converted: number }>(
        `select (select count(*) from player_history_hours) as rolled,
           (select count(*) from player_history_open) + (select count(*) from player_history_chunks) as converted`,
      )
      return rows[0] ?? { rolled: 0, converted: 0 }
    }
    for (const kind of run.deal(['rolling up', 'converting'] as const)) {
      const contract = kind === 'rolling up' ? historyRollUp : historyPartitions
      await poll(Date.now() - 2 * HOUR_MS)
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
            return rows[0]?.ended || Math.abs(now.converted - before.converted) + now.rolled - before.rolled > most
          },
          { ...PATIENCE, interval: 5 },
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
        }, PATIENCE)
        .toBe(0)
      const { rows } = await pool.query<{ id: string }>(
        `select id from pgboss.job where name = $1 and state <= 'active'`,
        [contract.queue],
      )
      // The queue would give it to another worker only once its heartbeat is missed.
      for (const { id } of rows) await jobs.boss.cancel(contract.queue, id)
      expect(await storedSamples(pool)).toHaveLength(polls)
    }

    const deps = { pool, log: testLog, settings: {} as never }
    await runHistoryPartitions(deps)
    await runHistoryRollUp(deps)
    const samples = await storedSamples(pool)
    const { rows: days } = await pool.query<{ polls: number }>(
      `select sum(polls)::integer as polls from player_history_hours`,
    )
    const { rows: left } = await pool.query(
      `select relname from pg_class where relname = 'd${day.replaceAll('-', '')}'`,
    )
    run.worked('polls', polls)
    run.expectNothingLost({
      'polls missing or twice': samples.length === polls ? [] : [samples.length],
      'polls not counted, or twice': days[0]?.polls === polls ? [] : days,
      'rows not converted': left,
    })
    await jobs.boss.stop({ graceful: false })
  },
  FAULT_RUN_TIMEOUT_MS,
)
