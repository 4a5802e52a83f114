// Two API processes of one start: killed and restarted under load on their one port.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createServers } from '../../src/features/servers/index.ts'
import { descendants } from '../commands/support/start-launcher.ts'
import { createTestDatabase } from '../support/database.ts'
import { startProcess } from '../support/processes.ts'
import { beginFaultRun, FAULT_RUN_TIMEOUT_MS } from './support/run.ts'
import { CONNECTIONS, type Failure, startVisitors } from './support/visitors.ts'

const { pool, url } = await createTestDatabase()

it(
  'processes of one start: a kill fails only the requests of that process, a restart by SIGHUP none',
  async ({ task }) => {
    const run = beginFaultRun({ task })
    const [server] = await createServers({ pool }).addMany([
      { name: 'An island', ipAddress: '192.0.2.1', gamePort: 7777, queryPort: 27015, game: 'protocol-valve' },
    ])
    if (!server || !('id' in server)) throw new Error('the server was not added')
    // A client learns from its next reply that its connection ends, and on a busy machine takes more
    // than a second for it.
    const api = await startProcess('src/main.ts', url, { API_PROCESSES: '2', DRAIN_SECONDS: '3', LOG_LEVEL: 'warn' })
    const pids = () => descendants(api.child.pid ?? 0).map(({ pid }) => pid)
    /** The processes that listen, as the metrics of both show. */
    const listening = async () => {
      const metrics = await (await fetch(`${api.url}/metrics`)).text()
      return new Set(metrics.match(/process="api \d"/g)).size
    }
    const untilBothListen = () => expect.poll(listening, { timeout: 30_000, interval: 50 }).toBe(2)
    await untilBothListen()
    const load = startVisitors(api.url, { serverId: server.id, name: 'a', voteOneIn: 2 })
    onTestFinished(() => load.stop())

    const restarts: { from: number; to: number }[] = []
    const manyFailures: Failure[] = []
    let kills = 0
    for (const fault of run.deal(['process killed', 'restarted by SIGHUP'] as const, 0.5)) {
      const [before, from] = [load.failures.length, performance.now()]
      await sleep(run.between(200, 1_000))
      const running = pids()
      if (fault === 'process killed') {
        process.kill(running[Math.floor(run.random() * running.length)] ?? 0, 'SIGKILL')
        await untilBothListen()
        const failed = load.failures.slice(before)
        kills++
        if (failed.length > CONNECTIONS) manyFailures.push(...failed)
      } else {
        api.child.kill('SIGHUP')
        await vi.waitFor(() => expect(pids().filter((pid) => running.includes(pid))).toEqual([]), {
          timeout: 60_000,
          interval: 50,
        })
        await untilBothListen()
        restarts.push({ from, to: performance.now() })
      }
      run.tried(fault)
    }
    await load.stop()
    const noReply = load.failures.filter(({ what }) => what.endsWith('no reply'))
    run.worked('requests answered', load.sent() - load.failures.length)
    run.worked('requests of killed processes that failed', load.failures.length)
    const { rows } = await pool.query<{ votes: number }>('select count(*)::integer as votes from votes')
    const [stored] = rows
    run.expectNothingLost({
      // By the time of sending: a request of a killed process may end without a reply only in a later restart.
      'requests in a restart': load.failures.filter(({ sentAt }) =>
        restarts.some(({ from, to }) => from <= sentAt && sentAt <= to),
      ),
      'requests beyond those under way at a kill': manyFailures,
      // At most one for each kill: the one whose connection was being handed to the process (docs/decisions/0037).
      'requests without any reply': noReply.slice(kills),
      'votes answered and not stored': Array.from({ length: Math.max(0, load.votes() - (stored?.votes ?? 0)) }),
    })
  },
  FAULT_RUN_TIMEOUT_MS,
)
