// A highly available PostgreSQL changes its leader while API processes, workers and voters are at work.
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { prepareDatabase } from '../../src/migrate.ts'
import { isUnadoptedCopy } from '../../src/platform/db/installation.ts'
import { createPool, type Pool } from '../../src/platform/db/pool.ts'
import { startProvider } from '../features/billing/support.ts'
import { atFileEnd } from '../support/at-file-end.ts'
import { testLog } from '../support/database.ts'
import { isMissing } from '../support/installed.ts'
import { findPostgres } from '../support/installed-postgres.ts'
import { createFollowers } from './support/followers.ts'
import { harmUnder } from './support/load.ts'
import type { Members } from './support/members.ts'
import {
  LEADER_EXPIRES_AFTER_SECONDS,
  PATRONI_PROGRAMS,
  PATRONI_VERSIONS,
  type PatroniCluster,
  startPatroniCluster,
} from './support/patroni.ts'
import { createAuctions, createBuyers } from './support/payments.ts'
import { beginFaultRun, FAULT_RUN_TIMEOUT_MS } from './support/run.ts'
import { createVoters } from './support/votes.ts'

const FAULTS = {
  'leader killed': (cluster) => cluster.killLeader(),
  'leader frozen and reset': (cluster) => cluster.freezeLeader(),
  'leader paused': (cluster) => cluster.pauseLeader(),
  'leader partitioned': (cluster) => cluster.partitionLeader(),
  'leader switched over': (cluster) => cluster.switchOver(),
} satisfies Record<string, (cluster: PatroniCluster) => Promise<void>>
const KINDS = Object.keys(FAULTS) as (keyof typeof FAULTS)[]

const provider = await startProvider()
/** Besides the time until a frozen leader is replaced: promotion, haproxy's checks, and a busy machine. */
const SLACK_SECONDS = 15
const MAX_SECONDS_AWAY = LEADER_EXPIRES_AFTER_SECONDS + SLACK_SECONDS

describe.skipIf(isMissing(...PATRONI_PROGRAMS) || !findPostgres(PATRONI_VERSIONS, ['pg_rewind']))('Patroni', () => {
  let cluster: PatroniCluster
  let pool: Pool
  beforeAll(async () => {
    cluster = await startPatroniCluster()
    await prepareDatabase({ DATABASE_URL: cluster.url }, testLog)
    pool = createPool({ url: cluster.url, max: 5, applicationName: 'test', log: testLog })
    atFileEnd(() => pool.end())
  }, 180_000)

  it(
    'no vote, bid, payment or change is lost by a change of the leader, lists are answered throughout, and writes return by themselves',
    async ({ task }) => {
      const run = beginFaultRun({ task })
      const refused: number[] = []
      let awaySeconds = 0
      const harm = async (kind: keyof typeof FAULTS, members: Members) => {
        const isOver = { value: false }
        const reading = readLists(members.url('api 0'), isOver, refused)
        const writing = longestWait(pool, isOver)
        await FAULTS[kind](cluster)
        isOver.value = true
        await reading
        awaySeconds = Math.max(awaySeconds, await writing)
      }
      const loads = [
        await createVoters(pool),
        await createAuctions(pool, provider),
        await createBuyers(pool, provider),
        await createFollowers(pool),
      ]
      // Each kind once, however long other runs are: a fault takes up to a minute.
      const faults = run.deal(KINDS, KINDS.length / run.rounds)
      // The default, 30 seconds, is less than a change of the leader may take here.
      const settings = { DIRECTORY_MAX_STALENESS_SECONDS: String(2 * MAX_SECONDS_AWAY) }
      await harmUnder(run, { url: cluster.url, settings, loads, faults, harm })
      run.worked('seconds without writes, at most', Math.round(awaySeconds))
      expect(refused).toEqual([])
      expect(awaySeconds).toBeLessThan(MAX_SECONDS_AWAY)
      expect(await isUnadoptedCopy(pool)).toBe(false)
    },
    FAULT_RUN_TIMEOUT_MS + 180_000,
  )
})

/** Requests the list until `isOver`. Adds each status but 200. */
async function readLists(url: string, isOver: { value: boolean }, refused: number[]): Promise<void> {
  while (!isOver.value) {
    const { status } = await fetch(`${url}/api/public/servers`)
    if (status !== 200) refused.push(status)
    await sleep(50)
  }
}

/** @returns the seconds of the longest time in which no write succeeded, until `isOver` and a write succeeds */
async function longestWait(pool: Pool, isOver: { value: boolean }): Promise<number> {
  let last = performance.now()
  let longest = 0
  for (let isOpen = true; isOpen; await sleep(100)) {
    try {
      await pool.query('select pg_notify($1, $2)', ['test', ''])
      await pool.query('update installation set adopted_at = adopted_at')
      longest = Math.max(longest, performance.now() - last)
      last = performance.now()
      isOpen = !isOver.value
    } catch {
      // no leader at this moment
    }
  }
  return longest / 1000
}
