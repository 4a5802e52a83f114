// `npm start` restarts its API process, worker and database when they are killed while visitors vote.
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createPool } from '../../src/platform/db/pool.ts'
import { descendant, postmasterPid, startLauncher } from '../commands/support/start-launcher.ts'
import { addServer, newVisitor } from '../features/votes/support.ts'
import { testLog } from '../support/database.ts'
import { beginFaultRun, FAULT_RUN_TIMEOUT_MS } from './support/run.ts'

const KINDS = ['worker', 'database', 'API process'] as const

it(
  'npm start under kills: what is killed is started again, and each vote that was answered is there',
  async ({ task }) => {
    const run = beginFaultRun({ task })
    const launcher = await startLauncher({
      RATE_LIMIT_IP_PER_MINUTE: '0',
      RATE_LIMIT_IP_PER_HOUR: '0',
      VOTES_PER_ADDRESS_PER_DAY: '0',
    })
    const folder = launcher.env.DATA_DIR ?? ''
    const printed = (line: string, times = 1) =>
      vi.waitFor(() => expect(launcher.output().split(line).length - 1, line).toBeGreaterThanOrEqual(times), {
        timeout: 60_000,
        interval: 100,
      })
    await printed('The server directory is running.')
    const url = fs.readFileSync(path.join(folder, 'database-url'), 'utf8').trim()
    const pool = createPool({ url, max: 2, applicationName: 'test', log: testLog })
    onTestFinished(() => pool.end())
    const serverId = await addServer(pool)

    let going = true
    let unanswered = 0
    const answered: string[] = []
    const voting = (async () => {
      while (going) {
        const visitorId = newVisitor()
        const status = await fetch(`${launcher.apiUrl}/api/servers/${serverId}/vote`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ visitorId }),
          signal: AbortSignal.timeout(15_000),
        }).then(
          (response) => response.status,
          () => 0,
        )
        if (status === 200) answered.push(visitorId)
        else {
          expect([0, 404, 503]).toContain(status) // 404 until a new process' directory has the server
          unanswered++
        }
        await sleep(50)
      }
    })()
    const times = { worker: 0, database: 0, 'API process': 0 }
    const harming = (async () => {
      // Each kind at least once.
      for (const kind of run.deal(KINDS, Math.max(0.375, KINDS.length / run.rounds))) {
        await sleep(run.between(200, 1_500))
        const pid = {
          worker: () => descendant(launcher.pid, 'workers/main.ts')?.pid,
          'API process': () => descendant(launcher.pid, 'src/main.ts')?.pid,
          database: () => postmasterPid(folder),
        }[kind]()
        expect(pid, kind).toBeDefined()
        process.kill(pid ?? 0, 'SIGKILL')
        run.tried(`${kind} killed`)
        times[kind]++
        if (kind === 'database') await printed('the database is running again', times[kind])
        else await printed(`${kind === 'worker' ? 'worker' : 'api'} is ready again`, times[kind])
      }
    })().finally(() => {
      going = false
    })
    await Promise.all([voting, harming])

    for (const ready of [`${launcher.apiUrl}/readyz`, `${launcher.workerUrl}/readyz`])
      await expect.poll(() => fetch(ready).then((reply) => reply.status), { timeout: 30_000 }).toBe(200)
    const { rows } = await pool.query<{ visitorId: string }>('select visitor_id as "visitorId" from votes')
    const stored = new Set(rows.map(({ visitorId }) => visitorId))
    run.worked('votes answered', answered.length)
    run.worked('requests without an answer', unanswered)
    expect(answered.length).toBeGreaterThan(0)
    expect(unanswered).toBeGreaterThan(0)
    run.expectNothingLost({ votes: answered.filter((visitorId) => !stored.has(visitorId)) })
  },
  FAULT_RUN_TIMEOUT_MS,
)
