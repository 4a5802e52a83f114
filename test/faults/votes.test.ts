// Votes with webhooks while API processes, workers and PostgreSQL are killed, crashed, restarted and frozen.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createSecretCipher } from '../../src/platform/config/secret-cipher.ts'
import { addServer, newVisitor } from '../features/votes/support.ts'
import { TEST_SECRET } from '../support/api.ts'
import { newSecret, startReceiver } from '../workers/webhooks/support.ts'
import { createMembers } from './support/members.ts'
import { startHarmedPostgres } from './support/postgres.ts'
import { beginFaultRun, FAULT_RUN_TIMEOUT_MS } from './support/run.ts'

const KINDS = [
  'API process killed',
  'API process killed, too',
  'both API processes killed',
  'worker killed',
  'worker frozen',
  'PostgreSQL restarted',
  'PostgreSQL crashed',
  'PostgreSQL frozen',
] as const
const VOTERS = 6
const VOTER_PAUSE_MS = 100
/** The receiver answers one of this many requests with 500. */
const FAILS_EVERY = 150

const postgres = await startHarmedPostgres()
const { pool } = postgres

interface Outcome {
  serverId: string
  visitorId: string
  /** The first answer received. `counted`: an attempt without an answer had already counted. */
  answer: { webhookSent: boolean } | 'counted' | undefined
}

const key = ({ serverId, visitorId }: Pick<Outcome, 'serverId' | 'visitorId'>) => `${serverId} ${visitorId}`

it(
  'votes under kills: each that was answered by 200 is one row, and each webhook that was promised arrives',
  async ({ task }) => {
    const run = beginFaultRun({ task })
    let requests = 0
    const receiver = await startReceiver((_, res) => res.writeHead(++requests % FAILS_EVERY === 0 ? 500 : 204).end())
    const servers = await Promise.all(Array.from({ length: 5 }, () => addServer(pool)))
    const secretCipher = createSecretCipher({ APP_SECRET: TEST_SECRET, APP_SECRET_PREVIOUS: undefined })
    const hooked = servers.slice(0, 3)
    for (const serverId of hooked)
      await pool.query(
        `insert into endpoints (id, server_id, url, events, secret) values ($1, $1, $2, '{vote.created}', $3)`,
        [serverId, `${receiver.url}/${serverId}`, secretCipher.encrypt('webhook', newSecret())],
      )
    const members = createMembers(postgres.url, { WEBHOOK_RETRY_SCALE: '0.01' })
    await members.start('api 0', 'api 1', 'worker 0', 'worker 1')

    let going = true
    const outcomes: Outcome[] = []
    let unanswered = 0
    /** Sends the vote until an API process answers what happened to it. */
    const sendVote = async (outcome: Outcome, n: number) => {
      for (let tries = 0; outcome.answer === undefined; tries++) {
        if (tries) await sleep(50)
        try {
          const response = await fetch(
            `${members.url(`api ${(n + tries) % 2}`)}/api/servers/${outcome.serverId}/vote`,
            {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify({ visitorId: outcome.visitorId }),
              signal: AbortSignal.timeout(15_000),
            },
          )
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
    const voters = Promise.all(
      Array.from({ length: VOTERS }, async (_, lane) => {
        for (let n = lane; going; n += VOTERS) {
          const serverId = servers[n % servers.length] ?? ''
          const outcome: Outcome = { serverId, visitorId: newVisitor(), answer: undefined }
          outcomes.push(outcome)
          await sendVote(outcome, n)
          await sleep(VOTER_PAUSE_MS)
        }
      }),
    )
    const harm = async (kind: (typeof KINDS)[number]) => {
      const one = run.random() < 0.5 ? 0 : 1
      const forMs = run.between(1_000, run.rounds > 16 ? 25_000 : 4_000) // a worker's leases expire after 20 s
      if (kind === 'both API processes killed') await Promise.all([members.kill('api 0'), members.kill('api 1')])
      else if (kind === 'worker killed') await members.kill(`worker ${one}`)
      else if (kind === 'worker frozen') await members.freeze(`worker ${one}`, forMs)
      else if (kind === 'PostgreSQL restarted') await postgres.restart(forMs / 4)
      else if (kind === 'PostgreSQL crashed') await postgres.crash(forMs / 4)
      else if (kind === 'PostgreSQL frozen') await postgres.freezeFor(forMs / 2)
      else await members.kill(`api ${one}`)
    }
    const harming = (async () => {
      for (const kind of run.deal(KINDS)) {
        await sleep(run.between(500, 2_000))
        members.expectAllRunning() // an outage of the database ends no process
        await harm(kind)
        run.tried(kind.replace(', too', ''))
      }
      await sleep(1_000)
    })().finally(() => {
      going = false
    })
    await Promise.all([voters, harming])

    const { rows } = await pool.query<{ id: string; serverId: string; visitorId: string; number: number }>(
      `select id, server_id as "serverId", visitor_id as "visitorId", number from votes order by server_id, number`,
    )
    expect(unanswered).toBeGreaterThan(0)
    const undelivered = async () =>
      (await pool.query(`select count(*) as open from endpoint_deliveries where status <> 'delivered'`)).rows[0].open
    await expect.poll(undelivered, { timeout: 90_000, interval: 500 }).toBe(0)
    const { rows: counters } = await pool.query<{ serverId: string; total: number; month: number }>(
      'select server_id as "serverId", total_votes as total, monthly_votes as month from server_counters',
    )

    const voteIds = new Map(rows.map((row) => [key(row), row.id]))
    const accepted = outcomes.filter(({ answer }) => typeof answer === 'object')
    const promised = accepted.filter(({ answer }) => typeof answer === 'object' && answer.webhookSent)
    const received = receiver.received.map(({ id, path: at, body }) => {
      const { voteId, serverId } = (JSON.parse(body) as { data: Record<string, string> }).data
      return { id, at, body, voteId: voteId ?? '', serverId: serverId ?? '' }
    })
    const arrived = Map.groupBy(received, ({ voteId }) => voteId)
    const sent = new Set(outcomes.map(key))
    const owed = rows.filter(({ serverId }) => hooked.includes(serverId))
    const owedIds = new Set(owed.map(({ id }) => id))
    run.worked('votes answered', outcomes.length)
    run.worked('requests without an answer', unanswered)
    run.worked('webhooks delivered', arrived.size)
    run.worked('attempts repeated', received.length - arrived.size)
    run.expectNothingLost({
      votes: outcomes.filter((outcome) => !voteIds.has(key(outcome))),
      'votes counted twice': rows.filter((row) => voteIds.get(key(row)) !== row.id),
      'votes that were never sent': rows.filter((row) => !sent.has(key(row))),
      'counters that differ': servers.filter((id) => {
        const numbers = rows.filter(({ serverId }) => serverId === id).map(({ number }) => number)
        const counter = counters.find(({ serverId }) => serverId === id)
        const isCounted = counter?.total === numbers.length && counter.month === numbers.length
        return !isCounted || numbers.some((number, index) => number !== index + 1)
      }),
      'webhooks not promised': accepted.filter((one) => hooked.includes(one.serverId) && !promised.includes(one)),
      'promised webhooks': promised.filter((outcome) => !arrived.has(voteIds.get(key(outcome)) ?? '')),
      // Also votes whose answer was lost.
      'webhooks of votes': owed.filter(({ id }) => !arrived.has(id)),
      'webhooks without a vote': received.filter(({ voteId }) => !owedIds.has(voteId)),
      'webhooks under two ids, or two contents': [...arrived.values()].filter(
        (sendings) => new Set(sendings.map(({ id, at, body }) => `${id} ${at} ${body}`)).size > 1,
      ),
      'webhooks sent elsewhere': received.filter(({ at, serverId }) => at !== `/${serverId}`),
      'ids used twice': [...Map.groupBy(received, ({ id }) => id).values()].filter(
        (sendings) => new Set(sendings.map(({ voteId }) => voteId)).size > 1,
      ),
    })
  },
  FAULT_RUN_TIMEOUT_MS,
)
