// Voiding votes as moderators, owners and voters see it: preview, job, restore, and who may do what. The counting
// has a model of its own.
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { findRecentVotes } from '../../../src/features/votes/index.ts'
import { recordVisitors } from '../../../src/features/votes/origins/visitors.sql.ts'
import { clearOldVisitors } from '../../../src/features/votes/upkeep.service.ts'
import { runVoteVoiding } from '../../../src/features/votes/voiding/voiding.service.ts'
import { startTestApi } from '../../support/api.ts'
import { waitBeyondLimit } from '../../support/database.ts'
import { addPerson, type Person } from '../../support/people.ts'
import { callerOf } from '../servers/support.ts'
import { addServer, age, newVisitor, vote } from './support.ts'

const api = await startTestApi({ settings: { TRUST_PROXY: '1', RATE_LIMIT_IP_PER_MINUTE: '0' } })
const { pool } = api.database
const call = callerOf(api)
const [admin, moderator] = [await addPerson(pool, { isAdmin: true }), await addPerson(pool, { isModerator: true })]

interface Voiding {
  id: string
  status: string
  votes: number
  restoredVotes: number
}

/** Votes from one network, each of another address. */
async function voteFrom(server: string, network: string, count: number): Promise<void> {
  for (let n = 1; n <= count; n++) {
    const voter = { username: `Voter${n}`, visitorId: newVisitor() }
    const answer = await vote(api, server, voter, { 'x-forwarded-for': `${network}.${n}` })
    expect(answer.status).toBe(200)
  }
}

const totals = async (server: string) => {
  const { rows } = await pool.query<{ total: number; month: number; score: string }>(
    `select total_votes - voided_votes as total, monthly_votes as month, vote_score as score from server_counters where server_id = $1`,
    [server],
  )
  return rows[0]
}
const preview = async (query: string) => (await call(admin, 'GET', `/admin/votes/preview?${query}`)).body
const order = (who: Person, body: object) => call(who, 'POST', '/admin/votes/void', { reason: 'Bought votes', ...body })
const restore = (who: Person, id: string) => call(who, 'POST', `/admin/votes/voidings/${id}/restore`)
const listed = async (id: string) => {
  const { voidings } = (await call(admin, 'GET', '/admin/votes/voidings?limit=100')).body as { voidings: Voiding[] }
  return voidings.find((one) => one.id === id)
}

/** Voids at once what a worker would void. */
async function voidNow(who: Person, selection: object): Promise<string> {
  const { status, body } = await order(who, selection)
  expect([status, body.error]).toEqual([202, undefined])
  const { id } = body as unknown as Voiding
  await runVoteVoiding(api.deps, { voidingId: id })
  return id
}

test('a network’s votes are shown, voided with a reason that the owner reads, and restored as they were', async () => {
  const owner = await addPerson(pool)
  const server = await addServer(pool, { ownerId: owner.id })
  await voteFrom(server, '198.51.100', 4)
  await voteFrom(server, '203.0.113', 2)
  const before = await totals(server)
  const all = await preview(`serverId=${server}`)
  expect(all).toMatchObject({ votes: 6, servers: 1, voters: 6 })
  const networks = all.networks as { network: string; votes: number }[]
  expect(networks.map(({ votes }) => votes)).toEqual([4, 2])
  const [{ network } = { network: '' }] = networks
  expect(JSON.stringify(all)).not.toContain('198.51.100')
  expect(await preview(`serverId=${server}&networks=${network}`)).toMatchObject({
    votes: 4,
    changes: [
      { serverId: server, totalBefore: 6, totalAfter: 2, months: [{ votes: 4, votesBefore: 6, votesAfter: 2 }] },
    ],
  })
  expect(await totals(server)).toEqual(before) // a preview changes nothing

  const id = await voidNow(moderator, { serverId: server, networks: network })
  expect(await totals(server)).toMatchObject({ total: 2, month: 2 })
  expect((await findRecentVotes(pool)).get(server)).toBe(2)
  expect(await listed(id)).toMatchObject({ status: 'voided', votes: 4, servers: 1, reason: 'Bought votes' })
  const { votes } = (await call(owner, 'GET', `/servers/${server}/votes`)).body as {
    votes: { voidedAt: string | null; voidReason: string }[]
  }
  expect(votes.map(({ voidReason }) => voidReason)).toEqual([...Array(4).fill('Bought votes'), '', ''])
  expect(votes.filter(({ voidedAt }) => voidedAt !== null)).toHaveLength(4)
  expect(await noticesOf(server)).toMatchObject([
    { event: 'votesVoided', userId: owner.id, data: { votes: 4, reason: 'Bought votes' } },
  ])
  const audit = await call(admin, 'GET', `/admin/audit?targetId=${id}`)
  expect(audit.body).toMatchObject({
    entries: [{ actorId: moderator.id, action: 'votes.void', details: { reason: 'Bought votes' } }],
  })

  expect((await restore(moderator, id)).status).toBe(202)
  expect((await restore(moderator, id)).body).toMatchObject({
    message: expect.stringContaining(' are being restored '),
  })
  await runVoteVoiding(api.deps, { voidingId: id })
  expect(await totals(server)).toEqual(before)
  expect((await findRecentVotes(pool)).get(server)).toBe(6)
  expect(await listed(id)).toMatchObject({ status: 'restored', votes: 4, restoredVotes: 4 })
  expect((await restore(moderator, id)).body).toMatchObject({ error: 'not_restorable' })
})

/** Enqueued by the job. */
async function noticesOf(server: string): Promise<object[]> {
  const { rows } = await pool.query<{ data: object }>(
    `select data from pgboss.job where name like 'notif%' and data->>'serverId' = $1`,
    [server],
  )
  return rows.map(({ data }) => data)
}

test.each([
  ['a pattern of the name', 'name=voter*'],
  ['votes that no page sent', 'fromPage=false'],
  ['visitors who were new', 'maxVisitorAge=1'],
])('%s selects them', async (_what, criterion) => {
  const server = await addServer(pool)
  await voteFrom(server, '198.51.100', 2)
  expect(await preview(`serverId=${server}&${criterion}`)).toMatchObject({ votes: 2 })
  expect(await preview(`serverId=${server}&name=ann*`)).toMatchObject({ votes: 0, changes: [] })
  expect(await preview(`serverId=${server}&until=2020-01-01T00:00:00Z`)).toMatchObject({ votes: 0 })
})

test('a preview has the votes of a hidden server’s month, without places', async () => {
  const server = await addServer(pool)
  await voteFrom(server, '198.51.100', 3)
  await voteFrom(server, '203.0.113', 1)
  const { changes } = await preview(`serverId=${server}&name=voter1`)
  const months = [{ votes: 2, votesBefore: 4, votesAfter: 2, placeBefore: expect.any(Number) }]
  expect(changes).toMatchObject([{ totalBefore: 4, totalAfter: 2, months }])
  expect((await call(moderator, 'PATCH', `/admin/servers/${server}`, { hidden: true })).status).toBe(200)
  expect((await preview(`serverId=${server}&name=voter1`)).changes).toMatchObject([
    { months: [{ votes: 2, votesBefore: 4, votesAfter: 2, placeBefore: null, placeAfter: null }] },
  ])
})

test('old votes of a regular visitor who was forgotten are not those of a new one', async () => {
  const server = await addServer(pool)
  const visitorId = newVisitor()
  const voteAgain = async () => {
    expect((await vote(api, server, { visitorId })).status).toBe(200)
    await recordVisitors(pool)
  }
  const selected = async () => [
    (await preview(`serverId=${server}&maxVisitorAge=1`)).votes,
    (await preview(`serverId=${server}&seenOnce=true`)).votes,
  ]
  const pass = async (interval: string) => {
    await age(pool, server, interval)
    await pool.query(
      'update vote_visitors set first_voted_at = first_voted_at - $1::interval, last_voted_at = last_voted_at - $1::interval',
      [interval],
    )
  }
  await voteAgain()
  expect(await selected()).toEqual([1, 1])
  for (let day = 2; day <= 3; day++) {
    await pass('25 hours')
    await voteAgain()
  }
  expect(await selected()).toEqual([1, 0])
  await pass('401 days')
  await clearOldVisitors(pool)
  expect(await selected()).toEqual([0, 0])
  await voteAgain()
  expect(await selected()).toEqual([1, 1])
})

test('without a criterion nothing is voided, and no reason is no voiding', async () => {
  expect(await order(admin, {})).toMatchObject({ status: 400, body: { error: 'validation_failed' } })
  for (const criterion of ['hosting', 'seenOnce'])
    expect(await order(admin, { [criterion]: false })).toMatchObject({
      status: 400,
      body: { error: 'validation_failed' },
    })
  expect(await order(admin, { name: '*', reason: ' ' })).toMatchObject({
    status: 400,
    body: { details: [{ path: 'body.reason' }] },
  })
})

test('votes that come while the job runs are counted, and none of them is voided', async () => {
  const server = await addServer(pool)
  await voteFrom(server, '198.51.100', 30)
  const { id } = (await order(admin, { serverId: server })).body as unknown as Voiding
  const late = Array.from({ length: 20 }, (_, n) => vote(api, server, {}, { 'x-forwarded-for': `203.0.113.${n + 1}` }))
  // Two workers, in small batches.
  const workers = [1, 2].map(() => runVoteVoiding(api.deps, { voidingId: id }, undefined, { limit: 3 }))
  const answers = await Promise.all(late)
  await Promise.all(workers)
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
  expect(await totals(server)).toMatchObject({ total: 20, month: 20 })
  expect(await listed(id)).toMatchObject({ status: 'voided', votes: 30 })
})

test('of a worker that is stopped in the middle whole batches remain, and another one continues', async () => {
  const server = await addServer(pool)
  await voteFrom(server, '198.51.100', 10)
  const { id } = (await order(admin, { serverId: server })).body as unknown as Voiding
  const stop = new AbortController()
  const stopped = runVoteVoiding(api.deps, { voidingId: id }, stop.signal, { limit: 2 })
  const ended = stopped.catch(() => undefined) // it throws, unless it was done before
  await expect.poll(async () => (await totals(server))?.total).toBeLessThan(10)
  stop.abort()
  await ended
  const { votes } = (await listed(id)) as Voiding
  expect((await totals(server))?.total).toBe(10 - votes)
  expect(votes % 2).toBe(0)
  await runVoteVoiding(api.deps, { voidingId: id })
  expect(await totals(server)).toMatchObject({ total: 0, month: 0 })
})

test('votes are voided although finding them takes longer than the usual statement may', async () => {
  const server = await addServer(pool)
  await voteFrom(server, '198.51.100', 2)
  const { id } = (await order(admin, { serverId: server, name: 'voter2' })).body as unknown as Voiding
  await waitBeyondLimit(api.database, 'table votes in access exclusive mode', (impatient) =>
    runVoteVoiding({ ...api.deps, pool: impatient }, { voidingId: id }),
  )
  expect(await listed(id)).toMatchObject({ status: 'voided', votes: 1 })
})

describe('moderators', () => {
  test('void no votes for a server that they own, and restore none', async () => {
    const server = await addServer(pool, { ownerId: moderator.id })
    await voteFrom(server, '198.51.100', 2)
    expect((await order(moderator, { serverId: server })).status).toBe(403)
    const another = await addPerson(pool, { isModerator: true })
    const id = await voidNow(another, { serverId: server })
    expect(await restore(moderator, id)).toMatchObject({ status: 403, body: { error: 'forbidden' } })
    expect((await totals(server))?.total).toBe(0)
    expect((await restore(another, id)).status).toBe(202)
  })

  test('do not restore what an administrator has voided', async () => {
    const server = await addServer(pool)
    await voteFrom(server, '198.51.100', 1)
    const id = await voidNow(admin, { serverId: server })
    expect((await restore(moderator, id)).status).toBe(403)
    expect((await restore(admin, id)).status).toBe(202)
  })
})

test('a server whose votes of the last day are all voided is suggested after those that the list has before it', async () => {
  const [liked, bought] = [await addServer(pool), await addServer(pool)]
  await voteFrom(bought, '198.51.101', 2)
  await voidNow(moderator, { serverId: bought })
  await pool.query(
    `insert into server_counters (server_id, total_votes, votes_month) values ($1, 9, '2026-01-01')
     on conflict (server_id) do update set total_votes = excluded.total_votes`,
    [liked],
  )
  await api.directory.refresh()
  const { suggestions } = (await call(moderator, 'GET', '/servers/suggestions?limit=20')).body as {
    suggestions: { id: string }[]
  }
  expect(suggestions.map(({ id }) => id).filter((id) => id === liked || id === bought)).toEqual([liked, bought])
  expect((await findRecentVotes(pool)).has(bought)).toBe(false)
})

test('votes can be restored for 30 days', async () => {
  const server = await addServer(pool)
  await voteFrom(server, '198.51.100', 1)
  const id = await voidNow(admin, { serverId: server })
  const age = (interval: string) =>
    pool.query(`update vote_voidings set created_at = now() - $2::interval where id = $1`, [id, interval])
  await age('30 days 1 minute')
  expect(await restore(admin, id)).toMatchObject({ status: 400, body: { error: 'not_restorable' } })
  await age('29 days 23 hours')
  expect((await restore(admin, id)).status).toBe(202)
  expect((await restore(admin, uuidv7())).status).toBe(404)
})
