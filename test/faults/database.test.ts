// PostgreSQL is restarted, crashed and frozen while an API process, a worker and clients are at work.
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Fleet, startFleet } from '../../dev/simulator/fleet.ts'
import { createServers } from '../../src/features/servers/index.ts'
import { createMembers, type Members } from './support/members.ts'
import { startHarmedPostgres } from './support/postgres.ts'
import { beginFaultRun, FAULT_RUN_TIMEOUT_MS } from './support/run.ts'

const SERVERS = 30
const STALE_AFTER_SECONDS = 4
/** Added to bounds for a request in progress and a late scheduler. */
const SLACK_MS = 1_500

const postgres = await startHarmedPostgres()
let fleet: Fleet

beforeAll(async () => {
  fleet = await startFleet({ count: SERVERS, first: 700_000 })
  await createServers({ pool: postgres.pool }).addMany(
    fleet.servers.map(({ address, port: queryPort }, index) => ({
      name: `Server ${index}`,
      game: 'ase',
      ipAddress: address,
      queryPort,
      gamePort: 7777,
    })),
  )
})
afterAll(() => fleet?.close())

interface Answer {
  at: number
  status: number
  servers: number | undefined
  players: number | undefined
}

/** Four clients that request the list without a pause and record every answer. */
function load(url: string) {
  const answers: Answer[] = []
  let going = true
  const client = async () => {
    while (going) {
      const response = await fetch(`${url}/api/public/servers?limit=100`)
      const body = (await response.json()) as { servers?: { currentPlayers: number }[] }
      answers.push({
        at: performance.now(),
        status: response.status,
        servers: body.servers?.length,
        players: body.servers?.reduce((sum, server) => sum + server.currentPlayers, 0),
      })
      await setTimeout(10)
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

/** The reported player count. It differs each time, so that earlier polls can't match it. */
let players = 5

/** Waits for new polls: a changed player count of a game server appears in the API. */
async function servesFreshPolls(url: string): Promise<void> {
  players++
  for (const server of fleet.servers) server.info.players = players
  const shown = async () => {
    const response = await fetch(`${url}/api/public/stats`)
    if (!response.ok) return response.status
    const { onlineServers, totalPlayers } = (await response.json()) as Record<string, number>
    return { onlineServers, totalPlayers }
  }
  await expect.poll(shown, { timeout: 60_000 }).toEqual({ onlineServers: SERVERS, totalPlayers: players * SERVERS })
}

async function startBoth(): Promise<{ members: Members; url: string }> {
  const members = createMembers(postgres.url, {
    DIRECTORY_MAX_STALENESS_SECONDS: String(STALE_AFTER_SECONDS),
    POLL_INTERVAL_SECONDS: '2',
  })
  await members.start('api', 'worker')
  const url = members.url('api')
  await servesFreshPolls(url)
  return { members, url }
}

/** Those that a process needs to be ready, and those of the database, without which it answers from memory. */
async function unreadyChecks(url: string): Promise<string[]> {
  const { checks } = (await (await fetch(`${url}/readyz`)).json()) as { checks: { name: string; ready: boolean }[] }
  return checks.filter(({ name, ready }) => !ready && name !== 'billing').map(({ name }) => name)
}

/** A balancer that asks whether the process is ready, and records when it asked. */
function watchReadiness(url: string) {
  const answers: { at: number; status: number }[] = []
  const timer = setInterval(async () => {
    const at = performance.now()
    const response = await fetch(`${url}/readyz`)
    await response.body?.cancel()
    answers.push({ at, status: response.status })
  }, 250)
  onTestFinished(() => clearInterval(timer))
  return answers
}

/** Answers that no client may receive. */
const wrongOf = (answers: Answer[]) => ({
  'lists with servers missing': answers.filter(({ status, servers }) => status === 200 && servers !== SERVERS),
  'lists without players': answers.filter((answer) => answer.status === 200 && !answer.players),
  'answers neither 200 nor 503': answers.filter(({ status }) => status !== 200 && status !== 503),
})

describe('the directory', () => {
  it(
    'while PostgreSQL is restarted or crashes: answers from memory, no process ends, polls are served again',
    async ({ task }) => {
      const run = beginFaultRun({ task })
      const { members, url } = await startBoth()
      const clients = load(url)
      const late: number[] = []
      for (const kind of run.deal(['restarted', 'crashed'] as const, 0.25)) {
        await (kind === 'restarted' ? postgres.restart() : postgres.crash())
        run.tried(`PostgreSQL ${kind}`)
        const back = performance.now()
        await expect.poll(() => unreadyChecks(url), { timeout: 15_000 }).toEqual([])
        const healthyAfterMs = performance.now() - back
        if (healthyAfterMs > 5_000 + SLACK_MS) late.push(healthyAfterMs)
        await servesFreshPolls(url)
      }
      await clients.stop()
      members.expectAllRunning()
      const lists = clients.answers.filter(({ status }) => status === 200)
      run.worked('lists served', lists.length)
      run.worked('answers 503', clients.answers.length - lists.length)
      expect(lists.length).toBeGreaterThan(50)
      run.expectNothingLost({ ...wrongOf(clients.answers), 'recoveries in 5 s': late })
    },
    FAULT_RUN_TIMEOUT_MS,
  )

  it(
    'while PostgreSQL is frozen: served up to the staleness bound, then 503, then healthy within 5 s',
    async ({ task }) => {
      const run = beginFaultRun({ task })
      const { members, url } = await startBoth()
      const clients = load(url)
      const readiness = watchReadiness(url)
      const unready: object[] = []
      const stale: Answer[] = []
      const late: number[] = []
      for (const kind of run.deal(['PostgreSQL frozen'] as const, 0.125)) {
        const frozenAt = performance.now()
        const thaw = postgres.freeze()
        try {
          await expect
            .poll(() => clients.answers.at(-1)?.status, { timeout: STALE_AFTER_SECONDS * 1000 + 10_000 })
            .toBe(503)
          // Long enough for every connection in flight to have been given up on.
          const longEnoughMs = run.between(8_000, 10_000)
          await expect.poll(() => performance.now() - frozenAt, { timeout: 20_000 }).toBeGreaterThan(longEnoughMs)
        } finally {
          thaw()
        }
        run.tried(kind)
        const thawedAt = performance.now()
        await expect.poll(() => clients.answers.at(-1)?.status, { timeout: 15_000 }).toBe(200)
        const healthyAfterMs = performance.now() - thawedAt
        if (healthyAfterMs > 5_000 + SLACK_MS) late.push(healthyAfterMs)
        await servesFreshPolls(url)

        const frozen = clients.answers.filter(({ at }) => at > frozenAt && at < thawedAt)
        const served = frozen.filter(({ status }) => status === 200)
        expect(served.length).toBeGreaterThan(10)
        expect(frozen.length - served.length).toBeGreaterThan(10)
        stale.push(...served.filter(({ at }) => at - frozenAt > STALE_AFTER_SECONDS * 1000 + SLACK_MS))
        const servedUntil = (served.at(-1)?.at ?? 0) - 100
        const asked = readiness.filter(({ at }) => at > frozenAt && at < servedUntil)
        expect(asked.length).toBeGreaterThan(2)
        unready.push(...asked.filter(({ status }) => status !== 200))
        run.worked('lists served while frozen', served.length)
        run.worked('answers 503 while frozen', frozen.length - served.length)
      }
      await clients.stop()
      members.expectAllRunning()
      run.expectNothingLost({
        ...wrongOf(clients.answers),
        'lists too old': stale,
        'unready while it serves': unready,
        'recoveries in 5 s': late,
      })
    },
    FAULT_RUN_TIMEOUT_MS,
  )

  it('while PostgreSQL is frozen: a worker exposes within 2 s that it runs, and what it counted before', async () => {
    const { members } = await startBoth()
    const scrape = async () => {
      const response = await fetch(`${members.url('worker')}/metrics`, { signal: AbortSignal.timeout(2_000) })
      return (await response.text()).match(/^directory_(poll_queries_in_flight|queue_jobs)(?=[ {])/gm) ?? []
    }
    await expect.poll(scrape).toContain('directory_queue_jobs')
    const thaw = postgres.freeze()
    onTestFinished(thaw)
    await setTimeout(5_000) // counts are reused that long
    expect(new Set(await scrape())).toEqual(new Set(['directory_poll_queries_in_flight', 'directory_queue_jobs']))
    thaw()
  }, 60_000)
})
