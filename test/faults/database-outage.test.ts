// PostgreSQL restarted and frozen while an API, a worker and clients are at work.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFailed, onTestFinished } from 'vitest'
import { createServers } from '../../src/features/servers/index.ts'
import { prepareDatabase } from '../../src/migrate.ts'
import { createPool } from '../../src/platform/db/pool.ts'
import { type EmbeddedPostgres, startPostgres } from '../../tools/launcher/embedded-postgres.ts'
import { freePort } from '../../tools/launcher/ports.ts'
import { type Fleet, startFleet } from '../../tools/simulator/fleet.ts'
import { testLog } from '../support/database.ts'
import { type RunningProcess, startProcess } from '../support/processes.ts'

const SERVERS = 30
const STALE_AFTER_SECONDS = 4
/** A request under way and a scheduler that is late may add this to a bound. */
const SLACK_MS = 1_500

let folder: string
let postgres: EmbeddedPostgres
let fleet: Fleet
let startAgain: () => Promise<EmbeddedPostgres>

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'server-directory-outage-'))
  const port = await freePort()
  startAgain = () => startPostgres({ folder, database: 'outage', port })
  postgres = await startAgain()
  await prepareDatabase({ DATABASE_URL: postgres.url() }, testLog)
  fleet = await startFleet({
    count: SERVERS,
    first: 700_000,
    each: (index) => ({ info: { players: 1 + (index % 50) } }),
  })
  const pool = createPool({ url: postgres.url(), max: 2, applicationName: 'test', log: testLog })
  await createServers({ pool }).addMany(
    fleet.servers.map(({ address, port: queryPort }, index) => ({
      name: `Server ${index}`,
      game: 'ase',
      ipAddress: address,
      queryPort,
      gamePort: 7777,
    })),
  )
  await pool.end()
})

afterAll(async () => {
  await postgres?.stop()
  await fleet?.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

/** Signals the server and its backends, each of which has a process group of its own; the parent first, so that none is added. */
function signalAll(pid: number, signal: 'SIGSTOP' | 'SIGCONT'): void {
  process.kill(pid, signal)
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  for (const line of processes) {
    const [child, parent] = line.trim().split(/\s+/).map(Number)
    if (child && parent === pid) process.kill(child, signal)
  }
}

interface Answer {
  at: number
  status: number
  servers: number | undefined
  players: number | undefined
}

/** Four clients that ask for the list without a pause, and remember every answer. */
function load(api: RunningProcess) {
  const answers: Answer[] = []
  let going = true
  const client = async () => {
    while (going) {
      const response = await fetch(`${api.url}/api/public/servers?limit=100`)
      const body = (await response.json()) as { servers?: { currentPlayers: number }[] }
      answers.push({
        at: performance.now(),
        status: response.status,
        servers: body.servers?.length,
        players: body.servers?.reduce((sum, server) => sum + server.currentPlayers, 0),
      })
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  const clients = Array.from({ length: 4 }, client)
  const stop = async () => {
    going = false
    await Promise.all(clients)
  }
  onTestFinished(stop)
  return { answers, stop }
}

/** @param players shown once this worker has polled, so that nothing is left to chance of what was polled before */
async function startBoth(players: number) {
  const api = await startProcess('src/main.ts', postgres.url(), {
    DIRECTORY_MAX_STALENESS_SECONDS: String(STALE_AFTER_SECONDS),
  })
  const worker = await startProcess('workers/main.ts', postgres.url(), { POLL_INTERVAL_SECONDS: '2' })
  onTestFailed(() => console.log(worker.output().slice(-5_000)))
  await servesFreshPolls(api, players)
  return { api, worker }
}

/** Waits until polls made from now on are served: a changed player count on the wire appears in the API. */
async function servesFreshPolls(api: RunningProcess, players: number): Promise<void> {
  for (const server of fleet.servers) server.info.players = players
  const shown = async () => {
    const response = await fetch(`${api.url}/api/public/stats`)
    if (!response.ok) return response.status
    const { onlineServers, totalPlayers } = (await response.json()) as Record<string, number>
    return { onlineServers, totalPlayers }
  }
  await expect.poll(shown, { timeout: 60_000 }).toEqual({ onlineServers: SERVERS, totalPlayers: players * SERVERS })
}

describe('when PostgreSQL', { timeout: 180_000 }, () => {
  it('is restarted under load, answers go on from memory, no process ends, and polls are served again', async () => {
    const { api, worker } = await startBoth(5)
    const clients = load(api)
    for (let restart = 0; restart < 2; restart++) {
      await postgres.stop()
      postgres = await startAgain()
      const back = performance.now()
      await expect.poll(() => fetch(`${api.url}/readyz`).then((r) => r.status), { timeout: 10_000 }).toBe(200)
      expect(performance.now() - back).toBeLessThan(5_000 + SLACK_MS)
      await servesFreshPolls(api, 10 + restart)
    }
    await clients.stop()
    const lists = clients.answers.filter((answer) => answer.status === 200)
    expect(lists.length).toBeGreaterThan(50)
    expect(lists.filter((answer) => answer.servers !== SERVERS || !answer.players)).toEqual([])
    expect(clients.answers.filter((answer) => answer.status !== 200 && answer.status !== 503)).toEqual([])
    expect([api.running(), worker.running()]).toEqual([true, true])
  })

  it('is frozen under load, the list is served up to the staleness bound, then 503, then healthy within 5 s', async () => {
    const { api, worker } = await startBoth(7)
    const clients = load(api)
    const frozenAt = performance.now()
    signalAll(postgres.pid, 'SIGSTOP')
    try {
      await expect
        .poll(() => clients.answers.at(-1)?.status, { timeout: STALE_AFTER_SECONDS * 1000 + 10_000 })
        .toBe(503)
      // Long enough for every query and connection in flight to have been given up on.
      await expect.poll(() => performance.now() - frozenAt, { timeout: 20_000 }).toBeGreaterThan(10_000)
    } finally {
      signalAll(postgres.pid, 'SIGCONT')
    }
    const thawedAt = performance.now()
    await expect.poll(() => clients.answers.at(-1)?.status, { timeout: 15_000 }).toBe(200)
    const healthyAfterMs = performance.now() - thawedAt
    expect(healthyAfterMs).toBeLessThan(5_000 + SLACK_MS)
    await servesFreshPolls(api, 33)
    await clients.stop()

    const frozen = clients.answers.filter((answer) => answer.at > frozenAt && answer.at < thawedAt)
    const served = frozen.filter((answer) => answer.status === 200)
    const refused = frozen.filter((answer) => answer.status === 503)
    expect(served.length).toBeGreaterThan(10)
    expect(refused.length).toBeGreaterThan(10)
    expect(served.filter((answer) => answer.at - frozenAt > STALE_AFTER_SECONDS * 1000 + SLACK_MS)).toEqual([])
    expect(clients.answers.filter((answer) => answer.status === 200 && answer.servers !== SERVERS)).toEqual([])
    expect(clients.answers.filter((answer) => answer.status !== 200 && answer.status !== 503)).toEqual([])
    expect([api.running(), worker.running()]).toEqual([true, true])
  })
})
