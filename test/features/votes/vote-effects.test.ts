// Side effects that commit together with a vote: the webhook delivery and the milestone notification.
import { describe, expect, test } from 'vitest'
import { notify } from '../../../src/features/notifications/index.ts'
import { formatDuration } from '../../../src/features/votes/cooldown.ts'
import { MILESTONES } from '../../../src/features/votes/vote-effects.ts'
import { startTestApi } from '../../support/api.ts'
import { openDatabaseProxy } from '../../support/database-proxy.ts'
import { fieldsOf } from '../../support/people.ts'
import { addServer, canVote, countersOf, newVisitor, vote, voteOnce } from './support.ts'

const api = await startTestApi()
const { pool } = api.database

async function addEndpoint(serverId: string, fields: { events?: string[]; disabled?: boolean } = {}): Promise<void> {
  await pool.query(
    `insert into endpoints (id, server_id, url, events, secret, disabled_at, disabled_reason)
     values ($1, $1, 'https://owner.example/hook', $2, 'encrypted', case when $3 then now() end, case when $3 then 'gone' end)`,
    [serverId, fields.events ?? ['vote.created'], fields.disabled ?? false],
  )
}

interface Delivery {
  type: string
  body: { type: string; timestamp: string; data: Record<string, unknown> }
}
const deliveriesOf = async (serverId: string): Promise<Delivery[]> =>
  (
    await pool.query<{ type: string; body: string }>(
      'select type, body from endpoint_deliveries where endpoint_id = $1 order by number',
      [serverId],
    )
  ).rows.map(({ type, body }) => ({ type, body: JSON.parse(body) }))

/** Webhook jobs name the endpoint, whose id is its server's in these tests. */
const jobsOf = async (queue: string, serverId: string) =>
  (
    await pool.query(
      `select data - '_cause' as data from pgboss.job where name = $1 and $2 in (data->>'serverId', data->>'endpointId') order by created_on`,
      [queue, serverId],
    )
  ).rows.map(({ data }) => data)

describe('a vote for a server with a webhook', () => {
  test('queues one delivery with exactly the documented data, and says so', async () => {
    const server = await addServer(pool, { name: 'Hooked' })
    await voteOnce(api, server)
    await addEndpoint(server)
    const answer = await voteOnce(api, server, { username: 'Ann', gamePlatformId: '7656' })
    expect(answer.webhookSent).toBe(true)
    const { rows } = await pool.query('select id, voted_at from votes where server_id = $1 and number = 2', [server])
    const votedAt = rows[0].voted_at.toISOString()
    expect(await deliveriesOf(server)).toEqual([
      {
        type: 'vote.created',
        body: {
          type: 'vote.created',
          timestamp: votedAt,
          data: {
            voteId: rows[0].id,
            serverId: server,
            serverName: 'Hooked',
            username: 'Ann',
            gamePlatformId: '7656',
            votedAt,
            totalVotes: 2,
            monthlyVotes: 2,
            streak: 1,
          },
        },
      },
    ])
    expect(await jobsOf('webhook', server)).toEqual([{ endpointId: server }])
  })

  test('queues none when it is refused, or when the endpoint is disabled or wants other events', async () => {
    const [hooked, disabled, other] = [await addServer(pool), await addServer(pool), await addServer(pool)]
    await addEndpoint(hooked)
    await addEndpoint(disabled, { disabled: true })
    await addEndpoint(other, { events: ['server.online'] })
    const visitorId = newVisitor()
    expect((await voteOnce(api, hooked, { visitorId })).webhookSent).toBe(true)
    expect((await vote(api, hooked, { visitorId })).status).toBe(429)
    expect(await deliveriesOf(hooked)).toHaveLength(1)
    for (const server of [disabled, other]) {
      expect((await voteOnce(api, server)).webhookSent).toBe(false)
      expect(await deliveriesOf(server)).toEqual([])
    }
  })

  test('of many at the same time has one delivery each, in the order of the votes', async () => {
    const server = await addServer(pool)
    await addEndpoint(server)
    const visitors = Array.from({ length: 15 }, newVisitor)
    const answers = await Promise.all([...visitors, ...visitors].map((visitorId) => vote(api, server, { visitorId })))
    expect(answers.filter(({ status }) => status === 200).map(({ body }) => body.webhookSent)).toEqual(
      Array(15).fill(true),
    )
    const { rows } = await pool.query('select id from votes where server_id = $1 order by number', [server])
    expect((await deliveriesOf(server)).map(({ body }) => body.data.voteId)).toEqual(rows.map(({ id }) => id))
  })

  test('is not there without its delivery: when that can’t be queued, nothing is counted', async () => {
    const [server, visitorId] = [await addServer(pool), newVisitor()]
    await addEndpoint(server)
    await pool.query(
      `alter table endpoint_deliveries add constraint refuse check (endpoint_id <> '${server}'::uuid) not valid`,
    )
    try {
      expect((await vote(api, server, { visitorId })).status).toBe(500)
      expect(await canVote(api, server, visitorId)).toEqual({ canVote: true, cooldownRemaining: 0, streak: 0 })
      expect(await countersOf(pool, server)).toMatchObject({ total: 0 })
    } finally {
      await pool.query('alter table endpoint_deliveries drop constraint refuse')
    }
    expect((await voteOnce(api, server, { visitorId })).webhookSent).toBe(true)
  })
})

describe('milestones', () => {
  test('are 100, 500, 1,000, 5,000 and so on', () => {
    expect(MILESTONES).toEqual([
      ...[100, 500, 1_000, 5_000, 10_000, 50_000, 100_000, 500_000, 1_000_000, 5_000_000],
      ...[10_000_000, 50_000_000, 100_000_000, 500_000_000, 1_000_000_000],
    ])
  })

  test('are announced once, by the vote that reaches one among many simultaneous votes', async () => {
    const server = await addServer(pool, { name: 'Nearly there' })
    await addEndpoint(server, { events: ['vote.milestone'] })
    await pool.query('update server_counters set total_votes = 90 where server_id = $1', [server])
    const answers = await Promise.all(Array.from({ length: 20 }, () => vote(api, server)))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect(await countersOf(pool, server)).toMatchObject({ total: 110 })
    expect(await jobsOf(notify.queue, server)).toEqual([
      {
        event: 'voteMilestone',
        at: expect.any(String),
        serverId: server,
        data: { serverName: 'Nearly there', totalVotes: 100 },
      },
    ])
    const data = { serverId: server, serverName: 'Nearly there', totalVotes: 100, votedAt: expect.any(String) }
    expect(await deliveriesOf(server)).toMatchObject([{ type: 'vote.milestone', body: { data } }])
    expect(answers.filter(({ body }) => body.webhookSent)).toEqual([])
  })
})

test.each([
  [1, '1 second'],
  [1_000, '1 second'],
  [1_001, '2 seconds'],
  [59_001, '1 minute'],
  [60_001, '2 minutes'],
  [3_600_000, '1 hour'],
  [3_600_001, '1 hour and 1 minute'],
  [5.2 * 3_600_000, '5 hours and 12 minutes'],
  [24 * 3_600_000, '24 hours'],
])('%i ms are %s in words', (ms, words) => {
  expect(formatDuration(ms)).toBe(words)
})

test('while the database can’t be reached, votes are 503 with Retry-After, and none is counted', async () => {
  const server = await addServer(pool)
  const way = await openDatabaseProxy(api.database.url)
  const far = await startTestApi({ database: { pool, url: way.url } })
  expect((await vote(far, server)).status).toBe(200)
  await way.cut()
  for (let n = 0; n < 3; n++) {
    const refused = await vote(far, server)
    expect([refused.status, refused.body.error]).toEqual([503, 'unavailable'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  const status = await far.request(`/api/servers/${server}/vote?visitorId=some-visitor`)
  expect([status.status, (await fieldsOf(status)).error]).toEqual([503, 'unavailable'])
  await way.restore()
  await expect.poll(async () => (await vote(far, server)).status).toBe(200)
  expect(await countersOf(pool, server)).toMatchObject({ total: 2 })
  await far.stop()
  await way.cut()
})
