// Votes with webhooks while faults happen: each vote that was answered by 200 is one row, and its webhook arrives.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { createSecretCipher } from '../../../src/platform/config/secret-cipher.ts'
import type { Pool } from '../../../src/platform/db/pool.ts'
import { addServer, newVisitor } from '../../features/votes/support.ts'
import { TEST_SECRET } from '../../support/api.ts'
import { newSecret, startReceiver } from '../../workers/webhooks/support.ts'
import { askUntilAnswered, type Load } from './load.ts'
import type { Members } from './members.ts'
import type { FaultRun } from './run.ts'

const VOTERS = 6
const VOTER_PAUSE_MS = 100
/** The receiver answers one of this many requests with 500. */
const FAILS_EVERY = 150

interface Outcome {
  serverId: string
  visitorId: string
  /** The first answer received. `counted`: an attempt without an answer had already counted. */
  answer: { webhookSent: boolean } | 'counted' | undefined
}

const key = ({ serverId, visitorId }: Pick<Outcome, 'serverId' | 'visitorId'>) => `${serverId} ${visitorId}`

/** Voters who repeat a vote until it is answered. */
export async function createVoters(pool: Pool): Promise<Load> {
  let requests = 0
  const receiver = await startReceiver((_, res) => res.writeHead(++requests % FAILS_EVERY === 0 ? 500 : 204).end())
  const servers = await Promise.all(Array.from({ length: 5 }, () => addServer(pool)))
  const secretCipher = createSecretCipher({ APP_SECRET: TEST_SECRET, APP_SECRET_PREVIOUS: undefined })
  const hooked = servers.slice(0, 3)
  for (const serverId of hooked)
    await pool.query(
      `insert into endpoints (id, server_id, url, events, secret) values ($1, $1, $2, '{vote.created}', $3)`,
      [
        serverId,
        secretCipher.encrypt('webhook-url', `${receiver.url}/${serverId}`),
        secretCipher.encrypt('webhook', newSecret()),
      ],
    )
  const outcomes: Outcome[] = []
  let unanswered = 0
  /** Sends the vote until an API process answers what happened to it. */
  const sendVote = async (members: Members, outcome: Outcome, first: number) => {
    const request = { method: 'POST', body: { visitorId: outcome.visitorId } }
    const answer = await askUntilAnswered(members, `/api/servers/${outcome.serverId}/vote`, request, first)
    unanswered += answer.unanswered
    if (answer.status === 429 && answer.unanswered > 0) outcome.answer = 'counted'
    else {
      expect([answer.status, answer.body.error]).toEqual([200, undefined])
      outcome.answer = { webhookSent: answer.body.webhookSent === true }
    }
  }

  async function run(members: Members, isOver: () => boolean): Promise<void> {
    const vote = async (lane: number) => {
      for (let n = lane; !isOver(); n += VOTERS) {
        const outcome: Outcome = {
          serverId: servers[n % servers.length] ?? '',
          visitorId: newVisitor(),
          answer: undefined,
        }
        outcomes.push(outcome)
        await sendVote(members, outcome, n)
        await sleep(VOTER_PAUSE_MS)
      }
    }
    await Promise.all(Array.from({ length: VOTERS }, (_, lane) => vote(lane)))
  }

  async function losses(run: FaultRun) {
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
    return {
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
    }
  }

  return { run, losses }
}
