// The daily search for suspicious votes: what each signal finds, what moderators answer, and what is found again.
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { fileFindings } from '../../../src/features/reports/index.ts'
import { runVoteSignals } from '../../../src/features/signals/index.ts'
import { recordVotes } from '../../../src/features/votes/index.ts'
import type { VoteOrigin } from '../../../src/features/votes/origins/origins.ts'
import { runVoteVoiding } from '../../../src/features/votes/voiding/voiding.service.ts'
import { startTestApi } from '../../support/api.ts'
import { waitBeyondLimit } from '../../support/database.ts'
import { addPerson, type Person } from '../../support/people.ts'
import { callerOf } from '../servers/support.ts'
import { addServer } from '../votes/support.ts'

const HOUR = 3_600_000
const HETZNER = 24_940
const TELEKOM = 3_320

/** A directory of its own, because findings compare servers with each other. */
async function openDirectory() {
  const api = await startTestApi()
  const { pool } = api.database
  const call = callerOf(api)
  const now = Date.now()
  const moderator = await addPerson(pool, { isModerator: true })

  /** Votes that came `hours` ago, each of a visitor and a network of its own unless it says otherwise. */
  async function addVotes(serverId: string, count: number, hours: number, about: About = {}): Promise<void> {
    const { visitor = () => uuidv7(), network = () => uuidv7().slice(-16), owner = TELEKOM, fromPage = true } = about
    const at = new Date(now - hours * HOUR)
    const inputs = Array.from({ length: count }, (_, n) => {
      const origin: VoteOrigin = { networkKey: network(n), networkOwner: owner, fromPage }
      const voter = { visitorId: visitor(n), username: '', gamePlatformId: '', addressKey: uuidv7() }
      return { id: uuidv7(), serverId, ...voter, senderId: null, origin }
    })
    const options = { now: at, onlyWithoutEffects: false, milestones: [], votesPerAddress: 0 }
    expect((await recordVotes(pool, inputs, options)).every(({ votedAt }) => votedAt !== null)).toBe(true)
  }

  /** A server whose visitors vote again and again, since weeks. */
  async function addOrdinary(ownerId: string | null = null): Promise<string> {
    const id = await addServer(pool, { ownerId })
    const visitor = (n: number) => `${id} ${n}`
    for (const days of [20, 15, 10, 5, 3]) await addVotes(id, 30, days * 24, { visitor })
    return id
  }

  return {
    api,
    pool,
    call,
    moderator,
    addVotes,
    addOrdinary,
    async addOrdinaries(count = 12) {
      const ids: string[] = []
      for (let n = 0; n < count; n++) ids.push(await addOrdinary())
      return ids
    },
    /** What the job files that ran so many hours ago. @returns the open findings */
    async search(hoursAgo = 0): Promise<Finding[]> {
      await pool.query(
        `insert into vote_visitors (visitor_key, first_voted_at, last_voted_at)
         select visitor_key(visitor_id), min(voted_at), max(voted_at) from votes group by 1
         on conflict (visitor_key) do update set last_voted_at = excluded.last_voted_at`,
      )
      await runVoteSignals({ ...api.deps, clock: () => now - hoursAgo * HOUR })
      const { body } = await call(moderator, 'GET', '/admin/reports?status=open&reason=votes&limit=100')
      return (body as { reports: Finding[] }).reports
    },
    answer: (who: Person, id: string, body: object = { reason: 'Bought votes' }) =>
      call(who, 'POST', `/admin/reports/${id}/void`, body),
  }
}

interface About {
  visitor?: (n: number) => string
  network?: (n: number) => string
  owner?: number | null
  fromPage?: boolean
}

interface Finding {
  id: string
  serverId: string | null
  serverName: string
  isListed: boolean
  reporterId: string | null
  finding: { signal: string; votes: number; selected: number; selection: Record<string, unknown> } | null
}

const signalsOf = (findings: Finding[], serverId: string | null) =>
  findings.filter((one) => one.serverId === serverId).map(({ finding }) => finding?.signal)

describe('each signal', async () => {
  const directory = await openDirectory()
  const { addVotes, addOrdinary } = directory
  const ordinary = await directory.addOrdinaries()
  const [networks, hosting, burst, once, withoutPage] = await directory.addOrdinaries(5)
  const again = (id: string | undefined) => (n: number) => `${id} ${n}`
  await addVotes(networks ?? '', 30, 46, { visitor: again(networks), network: (n) => `network-${n % 5}` })
  await addVotes(networks ?? '', 30, 20, { visitor: again(networks), network: (n) => `network-${n % 5}` })
  await addVotes(hosting ?? '', 30, 48, { visitor: again(hosting), owner: HETZNER })
  await addVotes(burst ?? '', 150, 6)
  for (const days of [2, 4, 6]) await addVotes(once ?? '', 100, days * 24)
  await addVotes(withoutPage ?? '', 30, 46, { visitor: again(withoutPage), fromPage: false })
  await addVotes(withoutPage ?? '', 30, 20, { visitor: again(withoutPage), fromPage: false })
  const few = await addServer(directory.pool)
  await addVotes(few, 20, 6, { network: () => 'one-network', owner: HETZNER, fromPage: false })
  const young = await addServer(directory.pool)
  await addVotes(young, 60, 6)
  const findings = await directory.search()

  test.each([
    ['five networks that sent half of the votes', networks, 'fewNetworks', { votes: 120, selected: 60 }],
    [
      'votes from hosting providers',
      hosting,
      'hosting',
      { votes: 90, selected: 30, usualShare: expect.closeTo(0.02, 1) },
    ],
    ['three times the votes of the busiest day', burst, 'burst', { votes: 150, selected: 150, busiestDay: 30 }],
    ['visitors who have voted once only', once, 'seenOnce', { votes: 360, selected: 300 }],
    ['votes that no page sent', withoutPage, 'withoutPage', { votes: 120, selected: 60 }],
  ])('%s', (_what, server, signal, numbers) => {
    expect(findings.filter(({ serverId }) => serverId === server)).toMatchObject([
      {
        serverName: 'A server',
        isListed: true,
        reporterId: null,
        reporterUsername: '',
        reason: 'votes',
        status: 'open',
        finding: { signal, ...numbers, selection: { serverId: server } },
      },
    ])
  })

  test('ordinary, few and young votes are no finding', () => {
    for (const id of [...ordinary, few, young]) expect([id, signalsOf(findings, id)]).toEqual([id, []])
    expect(signalsOf(findings, null)).toEqual([])
  })

  test('the votes of a finding are what its selection selects', async () => {
    for (const { finding } of findings) {
      const query = new URLSearchParams(
        Object.entries(finding?.selection ?? {}).map(([name, value]) => [name, String(value)]),
      )
      const { body } = await directory.call(directory.moderator, 'GET', `/admin/votes/preview?${query}`)
      expect(body).toMatchObject({ votes: finding?.selected, servers: 1 })
    }
    expect(findings).toHaveLength(5)
  })

  test('votes for a server that was deleted are not looked at', async () => {
    const owner = await addPerson(directory.pool)
    const [kept, deleted] = [await addOrdinary(owner.id), await addOrdinary(owner.id)]
    for (const id of [kept, deleted]) await addVotes(id, 200, 7)
    expect((await directory.call(owner, 'DELETE', `/servers/${deleted}`)).status).toBe(200)
    const found = await directory.search()
    expect([signalsOf(found, kept), signalsOf(found, deleted)]).toEqual([['burst'], []])
  })
})

describe('answers', () => {
  test('"void" voids the votes once, resolves the report, and nothing is found again', async () => {
    const directory = await openDirectory()
    const { call, moderator, answer } = directory
    const [id = ''] = await directory.addOrdinaries()
    await directory.addVotes(id, 150, 6)
    const [report] = await directory.search()
    const [first, second] = await Promise.all([
      answer(moderator, report?.id ?? ''),
      answer(moderator, report?.id ?? ''),
    ])
    const [done, refused] = first.status === 202 ? [first, second] : [second, first]
    expect(done).toMatchObject({
      status: 202,
      body: { status: 'voiding', reason: 'Bought votes', selection: { serverId: id } },
    })
    expect(refused).toMatchObject({ status: 400, body: { error: 'not_voidable' } })
    await runVoteVoiding(directory.api.deps, { voidingId: done.body.id as string })
    const counted = 'select total_votes - voided_votes as votes from server_counters where server_id = $1'
    expect((await directory.pool.query(counted, [id])).rows).toEqual([{ votes: 150 }])
    expect(await directory.search()).toEqual([])
    const { rows } = await directory.pool.query('select status from reports where id = $1', [report?.id])
    expect(rows).toEqual([{ status: 'resolved' }])
    expect((await call(moderator, 'PATCH', `/admin/reports/${report?.id}`, { status: 'open' })).status).toBe(200)
  })

  test('"it is fine" keeps it quiet for 30 days; an open finding gets new numbers and stays one', async () => {
    const directory = await openDirectory()
    const { call, moderator, pool } = directory
    const [id = ''] = await directory.addOrdinaries()
    await directory.addVotes(id, 150, 6)
    const [report] = await directory.search()
    await directory.addVotes(id, 10, 5)
    expect(await directory.search()).toMatchObject([{ id: report?.id, finding: { votes: 160, selected: 160 } }])
    await call(moderator, 'PATCH', `/admin/reports/${report?.id}`, { status: 'dismissed', note: 'A streamer' })
    expect(await directory.search()).toEqual([])
    await pool.query("update reports set updated_at = now() - interval '31 days' where id = $1", [report?.id])
    const [next] = await directory.search()
    expect(next?.id).not.toBe(report?.id)
  })

  test('a finding can’t be opened again beside an open one of its kind', async () => {
    const { pool, call, moderator } = await openDirectory()
    const serverId = await addServer(pool)
    const numbers = { votes: 90, selected: 90, usualShare: 0, busiestDay: null }
    const file = () =>
      fileFindings(pool, [{ signal: 'hosting', serverId, numbers, selection: { serverId, hosting: true } }])
    expect([await file(), await file()]).toEqual([1, 0])
    const { rows } = await pool.query<{ id: string }>('select id from reports')
    const path = `/admin/reports/${rows[0]?.id}`
    await call(moderator, 'PATCH', path, { status: 'dismissed' })
    await pool.query("update reports set updated_at = now() - interval '31 days'")
    expect(await file()).toBe(1)
    expect(await call(moderator, 'PATCH', path, { status: 'open' })).toMatchObject({
      status: 400,
      body: { error: 'already_reported' },
    })
  })

  test('bursts of two days are two findings, each with the votes of its day', async () => {
    const directory = await openDirectory()
    const [id = ''] = await directory.addOrdinaries()
    await directory.addVotes(id, 100, 30)
    await directory.search(24)
    await directory.addVotes(id, 310, 6)
    const findings = await directory.search()
    const bursts = findings.filter(({ finding }) => finding?.signal === 'burst')
    expect(bursts.map(({ serverId, finding }) => [serverId, finding?.selected])).toEqual([
      [id, 100],
      [id, 310],
    ])
  })

  test('a burst is found although that of the day before was voided lately', async () => {
    const directory = await openDirectory()
    const { moderator, answer, addVotes } = directory
    const [id = ''] = await directory.addOrdinaries()
    await addVotes(id, 100, 30)
    const [first] = await directory.search(24)
    const { body } = await answer(moderator, first?.id ?? '')
    await runVoteVoiding(directory.api.deps, { voidingId: body.id as string })
    expect(await directory.search(24)).toEqual([])
    await addVotes(id, 100, 6)
    expect(await directory.search()).toMatchObject([{ serverId: id, finding: { signal: 'burst', selected: 100 } }])
  })

  test('moderators answer no finding about their own servers, users none at all, and only findings are voided', async () => {
    const directory = await openDirectory()
    const { call, moderator, answer } = directory
    await directory.addOrdinaries()
    const id = await directory.addOrdinary(moderator.id)
    await directory.addVotes(id, 150, 6)
    const [report] = await directory.search()
    expect((await answer(moderator, report?.id ?? '')).status).toBe(403)
    const owner = await addPerson(directory.pool)
    expect((await answer(owner, report?.id ?? '')).status).toBe(403)
    const other = await addServer(directory.pool)
    const { body } = await call(owner, 'POST', `/servers/${other}/reports`, { reason: 'spam' })
    expect(await answer(moderator, body.id as string)).toMatchObject({ status: 400, body: { error: 'not_voidable' } })
    expect((await call(owner, 'POST', `/servers/${id}/reports`, { reason: 'votes' })).status).toBe(400)
    const admin = await addPerson(directory.pool, { isAdmin: true })
    expect(await answer(admin, report?.id ?? '', { reason: '' })).toMatchObject({ status: 400 })
    expect((await answer(admin, report?.id ?? '')).status).toBe(202)
  })
})

test('a network that only happens to be among the largest five is no part of the finding', async () => {
  const directory = await openDirectory()
  const id = await addServer(directory.pool)
  await directory.addVotes(id, 60, 6, { network: () => 'one-network' })
  await directory.addVotes(id, 20, 6)
  const even = await addServer(directory.pool)
  await directory.addVotes(even, 80, 6)
  expect(await directory.search()).toMatchObject([
    {
      serverId: id,
      finding: { signal: 'fewNetworks', votes: 80, selected: 60, selection: { networks: 'one-network' } },
    },
  ])
})

test('what is true of all votes is one finding, and not one for each server', async () => {
  const directory = await openDirectory()
  const servers = await directory.addOrdinaries()
  for (const id of servers) {
    await directory.addVotes(id, 100, 30, { network: (n) => `network-${n % 5}`, fromPage: false })
  }
  const findings = await directory.search()
  expect(signalsOf(findings, null)).toContain('fewNetworks')
  expect(signalsOf(findings, null)).toContain('withoutPage')
  for (const id of servers) expect(signalsOf(findings, id)).toEqual([])
  const ofNetworks = findings.find(({ finding }) => finding?.signal === 'fewNetworks')
  expect(ofNetworks).toMatchObject({ serverId: null, serverName: '', isListed: false, finding: { selected: 1_200 } })
  expect((await directory.answer(directory.moderator, ofNetworks?.id ?? '')).status).toBe(202)
})

test('a search that takes longer than the usual statement may files its findings', async () => {
  const directory = await openDirectory()
  const { api, pool, addVotes } = directory
  const id = await addServer(pool)
  await addVotes(id, 60, 6, { network: () => 'one-network' })
  await waitBeyondLimit(api.database, 'table votes in access exclusive mode', (impatient) =>
    runVoteSignals({ ...api.deps, pool: impatient }),
  )
  const { rows } = await pool.query('select server_id, signal from reports')
  expect(rows).toEqual([{ server_id: id, signal: 'fewNetworks' }])
})
