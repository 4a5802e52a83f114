// Votes with webhooks while API processes and the worker are killed every few seconds and PostgreSQL is restarted three times.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFailed } from 'vitest'
import { prepareDatabase } from '../../src/migrate.ts'
import { createVault } from '../../src/platform/config/vault.ts'
import { createPool, type Pool } from '../../src/platform/db/pool.ts'
import { type EmbeddedPostgres, startPostgres } from '../../tools/launcher/embedded-postgres.ts'
import { addServer, newVisitor } from '../features/votes/support.ts'
import { testLog } from '../support/database.ts'
import { freePort, type RunningProcess, startProcess } from '../support/processes.ts'
import { newSecret, startReceiver } from '../workers/webhooks/support.ts'

/** The one that processes of test/support/processes.ts run with. */
const APP_SECRET = 'a secret of the tests, 32 characters and more'
const KILL_EVERY_MS = 3_000
/** Who is killed when, and `postgres` when it is restarted. Long before the end no more workers: what one held waits for its lease. */
const FAULTS = [
  'api 0',
  'worker',
  'postgres',
  'api 1',
  'worker',
  'api 0',
  'postgres',
  'worker',
  'api 1',
  'api 0',
  'postgres',
  'api 1',
  'api 0',
  'api 1',
] as const
const VOTERS = 6
const VOTER_PAUSE_MS = 100
/** The receiver answers one request in so many by 500. */
const FAILS_EVERY = 150

let folder: string
let postgres: EmbeddedPostgres
let startAgain: () => Promise<EmbeddedPostgres>
let pool: Pool

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'server-directory-kills-'))
  const port = await freePort()
  startAgain = () => startPostgres({ folder, database: 'votes', port })
  postgres = await startAgain()
  await prepareDatabase({ DATABASE_URL: postgres.url() }, testLog)
  pool = createPool({ url: postgres.url(), max: 4, applicationName: 'test', log: testLog })
})

afterAll(async () => {
  await pool?.end()
  await postgres?.stop()
  fs.rmSync(folder, { recursive: true, force: true })
})

interface Outcome {
  serverId: string
  visitorId: string
  /** Undefined until an API process said so; `counted` by the refusal of a second try, after a first without an answer. */
  answer: { webhookSent: boolean } | 'counted' | undefined
}

const key = ({ serverId, visitorId }: Pick<Outcome, 'serverId' | 'visitorId'>) => `${serverId} ${visitorId}`

describe('while processes are killed and PostgreSQL is restarted', { timeout: 240_000 }, () => {
  it('each vote that was answered by 200 is one row, and each webhook that was promised arrives', async () => {
    let requests = 0
    const receiver = await startReceiver((_, res) => res.writeHead(++requests % FAILS_EVERY === 0 ? 500 : 204).end())
    const servers = await Promise.all(Array.from({ length: 5 }, () => addServer(pool)))
    const vault = createVault({ APP_SECRET })
    const hooked = servers.slice(0, 3)
    for (const serverId of hooked)
      await pool.query(
        `insert into webhook_endpoints (server_id, url, events, secret) values ($1, $2, '{vote.created}', $3)`,
        [serverId, `${receiver.url}/${serverId}`, vault.seal('webhook', newSecret())],
      )

    const processes = new Map<string, Promise<RunningProcess>>()
    const start = (name: string) => {
      const script = name === 'worker' ? 'workers/main.ts' : 'src/main.ts'
      const once = () => startProcess(script, postgres.url(), { WEBHOOK_RETRY_SCALE: '0.01' })
      // A database that goes away in the middle of a start ends it with one line; whoever runs the process starts it again.
      const started = once().catch(once)
      processes.set(name, started)
      return started
    }
    onTestFailed(async () => {
      for (const [name, process] of processes) console.log(name, (await process).output().slice(-3_000))
    })
    await Promise.all(['api 0', 'api 1', 'worker'].map(start))

    let going = true
    const outcomes: Outcome[] = []
    let unanswered = 0
    /** Asks until an API process gives an answer that tells what became of the vote. */
    const cast = async (outcome: Outcome, n: number) => {
      for (let tries = 0; outcome.answer === undefined; tries++) {
        if (tries) await sleep(50)
        try {
          const api = await processes.get(`api ${(n + tries) % 2}`)
          const response = await fetch(`${api?.url}/api/servers/${outcome.serverId}/vote`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ visitorId: outcome.visitorId }),
            signal: AbortSignal.timeout(15_000),
          })
          const body = (await response.json()) as Record<string, unknown>
          if (response.status === 200) outcome.answer = { webhookSent: body.webhookSent === true }
          else if (response.status === 429 && tries > 0) outcome.answer = 'counted'
          else {
            expect([response.status, body.error]).toEqual([503, 'unavailable'])
            unanswered++
          }
        } catch (error) {
          if (!(error instanceof TypeError || (error as Error).name === 'TimeoutError')) throw error
          unanswered++
        }
      }
    }
    const voters = Array.from({ length: VOTERS }, async (_, lane) => {
      for (let n = lane; going; n += VOTERS) {
        const outcome: Outcome = {
          serverId: servers[n % servers.length] ?? '',
          visitorId: newVisitor(),
          answer: undefined,
        }
        outcomes.push(outcome)
        await cast(outcome, n)
        await sleep(VOTER_PAUSE_MS)
      }
    })

    for (const fault of FAULTS) {
      await sleep(KILL_EVERY_MS)
      if (fault === 'postgres') {
        await postgres.stop()
        await sleep(500)
        postgres = await startAgain()
        continue
      }
      const victim = await processes.get(fault)
      expect(victim?.running()).toBe(true) // an outage of the database ends no process
      victim?.child.kill('SIGKILL')
      void start(fault).catch(() => undefined) // whoever asks for it next is told
    }
    await Promise.all(processes.values())
    going = false
    await Promise.all(voters)

    const { rows } = await pool.query<{ id: string; serverId: string; visitorId: string; number: number }>(
      `select id, server_id as "serverId", visitor_id as "visitorId", number from votes order by server_id, number`,
    )
    expect(outcomes.length).toBeGreaterThan(200)
    expect(unanswered).toBeGreaterThan(0)
    expect(rows.map(key).sort()).toEqual(outcomes.map(key).sort())
    for (const serverId of servers) {
      const numbers = rows.filter((row) => row.serverId === serverId).map(({ number }) => number)
      expect(numbers).toEqual(numbers.map((_, index) => index + 1))
      const { rows: counters } = await pool.query(
        'select total_votes, monthly_votes from server_counters where server_id = $1',
        [serverId],
      )
      expect(counters).toEqual([{ total_votes: numbers.length, monthly_votes: numbers.length }])
    }

    const voteIds = new Map(rows.map((row) => [key(row), row.id]))
    const promised = outcomes.flatMap((outcome) =>
      typeof outcome.answer === 'object' && outcome.answer.webhookSent ? [voteIds.get(key(outcome)) ?? ''] : [],
    )
    const answered = outcomes.filter(({ answer }) => typeof answer === 'object')
    expect(promised).toHaveLength(answered.filter(({ serverId }) => hooked.includes(serverId)).length)
    const undelivered = async () =>
      (await pool.query(`select count(*) as open from webhook_deliveries where status <> 'delivered'`)).rows[0].open
    await expect.poll(undelivered, { timeout: 60_000, interval: 500 }).toBe(0)

    const received = receiver.received.map(({ id, path: at, body }) => {
      const { voteId, serverId } = (JSON.parse(body) as { data: Record<string, string> }).data
      return { id, at, body, voteId: voteId ?? '', serverId: serverId ?? '' }
    })
    const arrived = new Set(received.map(({ voteId }) => voteId))
    expect(promised.filter((voteId) => !arrived.has(voteId))).toEqual([])
    // Every vote of a server with an endpoint has its webhook, also those whose answer got lost; and no webhook lacks its vote.
    expect([...arrived].sort()).toEqual(
      rows
        .filter(({ serverId }) => hooked.includes(serverId))
        .map(({ id }) => id)
        .sort(),
    )
    for (const [, sendings] of Map.groupBy(received, ({ voteId }) => voteId)) {
      expect(new Set(sendings.map(({ id, at, body }) => `${id} ${at} ${body}`)).size).toBe(1)
      expect(sendings.every(({ at, serverId }) => at === `/${serverId}`)).toBe(true)
    }
    expect(new Set(received.map(({ id }) => id)).size).toBe(arrived.size)
  })
})
