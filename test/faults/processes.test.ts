// Two API processes of one start: killed and restarted under load on their one port.
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createServers } from '../../src/features/servers/index.ts'
import { createTestDatabase } from '../support/database.ts'
import { startProcess } from '../support/processes.ts'
import { descendants } from '../tools/support/start-launcher.ts'
import { beginFaultRun, FAULT_RUN_TIMEOUT_MS } from './support/run.ts'

const { pool, url } = await createTestDatabase()

const CONNECTIONS = 8
/** Far longer than a reply takes on a busy machine. */
const TIMEOUT_MS = 20_000

/** Votes and reads without a pause on kept connections. */
function createLoad(base: string, serverId: string) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const failures: string[] = []
  let sent = 0
  let votes = 0
  let isStopping = false

  const visit = (n: number) =>
    new Promise<void>((resolve) => {
      const isVote = n % 2 === 0
      const lost = (reason: string) => {
        failures.push(reason)
        resolve()
      }
      const request = http.request(`${base}/api/servers/${serverId}${isVote ? '/vote' : ''}`, {
        agent,
        method: isVote ? 'POST' : 'GET',
        headers: isVote ? { 'content-type': 'application/json' } : {},
        timeout: TIMEOUT_MS,
      })
      request.once('timeout', () => request.destroy(new Error('no reply')))
      request.once('error', ({ message }) => lost(message))
      request.once('response', (reply) => {
        reply.resume().once('error', ({ message }) => lost(message))
        reply.once('end', () => {
          if (reply.statusCode !== 200) return lost(`status ${reply.statusCode}`)
          if (isVote) votes++
          resolve()
        })
      })
      request.end(isVote ? JSON.stringify({ visitorId: `visitor number ${n}` }) : undefined)
    })
  const visitors = Array.from({ length: CONNECTIONS }, async () => {
    while (!isStopping) await visit(sent++)
  })
  return {
    failures,
    sent: () => sent,
    votes: () => votes,
    async stop() {
      isStopping = true
      await Promise.all(visitors)
      agent.destroy()
    },
  }
}

it(
  'processes of one start: a kill fails only the requests of that process, a restart by SIGHUP none',
  async ({ task }) => {
    const run = beginFaultRun({ task })
    const [server] = await createServers({ pool }).addMany([
      { name: 'An island', ipAddress: '192.0.2.1', gamePort: 7777, queryPort: 27015, game: 'protocol-valve' },
    ])
    if (!server || !('id' in server)) throw new Error('the server was not added')
    const api = await startProcess('src/main.ts', url, { API_PROCESSES: '2', DRAIN_SECONDS: '1', LOG_LEVEL: 'warn' })
    const pids = () => descendants(api.child.pid ?? 0).map(({ pid }) => pid)
    /** The processes that listen, as the metrics of both show. */
    const listening = async () => {
      const metrics = await (await fetch(`${api.url}/metrics`)).text()
      return new Set(metrics.match(/process="api \d"/g)).size
    }
    const untilBothListen = () => expect.poll(listening, { timeout: 30_000, interval: 50 }).toBe(2)
    await untilBothListen()
    const load = createLoad(api.url, server.id)
    onTestFinished(() => load.stop())

    const failuresInRestarts: string[] = []
    const manyFailures: string[] = []
    for (const fault of run.deal(['process killed', 'restarted by SIGHUP'] as const, 0.5)) {
      const before = load.failures.length
      await sleep(run.between(200, 1_000))
      const running = pids()
      if (fault === 'process killed') {
        process.kill(running[Math.floor(run.random() * running.length)] ?? 0, 'SIGKILL')
        await untilBothListen()
        const failed = load.failures.slice(before)
        if (failed.length > CONNECTIONS) manyFailures.push(...failed)
      } else {
        api.child.kill('SIGHUP')
        await vi.waitFor(() => expect(pids().filter((pid) => running.includes(pid))).toEqual([]), {
          timeout: 60_000,
          interval: 50,
        })
        await untilBothListen()
        failuresInRestarts.push(...load.failures.slice(before))
      }
      run.tried(fault)
    }
    await load.stop()
    run.worked('requests answered', load.sent() - load.failures.length)
    run.worked('requests of killed processes that failed', load.failures.length)
    const { rows } = await pool.query<{ votes: number }>('select count(*)::integer as votes from votes')
    const [stored] = rows
    run.expectNothingLost({
      'requests in a restart': failuresInRestarts,
      'requests beyond those under way at a kill': manyFailures,
      'requests without any reply': load.failures.filter((reason) => reason === 'no reply'),
      'votes answered and not stored': Array.from({ length: Math.max(0, load.votes() - (stored?.votes ?? 0)) }),
    })
  },
  FAULT_RUN_TIMEOUT_MS,
)
