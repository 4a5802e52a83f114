// Operations for owners' game servers: the vote feed, checks, claims, and the top voters.
import { describe, expect, test } from 'vitest'
import { startTestApi } from '../../support/api.ts'
import { addPerson, fieldsOf, type Person } from '../../support/people.ts'
import { bearer, createKey } from '../api-keys/support.ts'
import { addServer, age, newVisitor, voteOnce } from './support.ts'

const settings = { VOTES_PER_ADDRESS_PER_DAY: '0' } // all votes here come from loopback
const api = await startTestApi({ settings })
const other = await startTestApi({ database: api.database, settings })
const { pool } = api.database

interface Owned {
  owner: Person
  server: string
  headers: Record<string, string>
}

/** A server whose owner asks with a key, as a game server does. */
async function addOwned(): Promise<Owned> {
  const owner = await addPerson(pool, { tier: 'enterprise' })
  const server = await addServer(pool, { ownerId: owner.id })
  return { owner, server, headers: bearer(await createKey(api, owner)) }
}

const get = async ({ server, headers }: Omit<Owned, 'owner'>, path: string) => {
  const response = await api.request(`/api/v1/servers/${server}/votes${path}`, { headers })
  return { status: response.status, body: await fieldsOf(response) }
}
const check = async (owned: Owned, query: string) => (await get(owned, `/check?${query}`)).body
const claim = async ({ server, headers }: Owned, body: unknown, to = api) => {
  const response = await to.request(`/api/v1/servers/${server}/votes/claim`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: await fieldsOf(response) }
}

interface Shown {
  id: string
  username: string
}

describe('the feed', () => {
  test('has votes in their order with exactly the documented fields', async () => {
    const owned = await addOwned()
    await voteOnce(api, owned.server, { username: 'Ann', gamePlatformId: '7656' })
    await voteOnce(api, owned.server)
    await claim(owned, { username: 'Ann' })
    const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect((await get(owned, '')).body).toEqual({
      votes: [
        {
          id: expect.any(String),
          username: 'Ann',
          gamePlatformId: '7656',
          votedAt: timestamp,
          claimedAt: timestamp,
          source: 'visitor',
          voidedAt: null,
          voidReason: '',
        },
        {
          id: expect.any(String),
          username: '',
          gamePlatformId: '',
          votedAt: timestamp,
          claimedAt: null,
          source: 'visitor',
          voidedAt: null,
          voidReason: '',
        },
      ],
      nextCursor: expect.any(String),
    })
  })

  test('followed by its cursor while many vote at once, gives each vote once and misses none', async () => {
    const owned = await addOwned()
    const seen: string[] = []
    let cursor = ''
    let going = true
    const follow = async () => {
      for (;;) {
        const last = !going
        const { votes, nextCursor } = (await get(owned, `?limit=7${cursor && `&cursor=${cursor}`}`)).body
        seen.push(...(votes as Shown[]).map(({ username }) => username))
        if (nextCursor !== null) cursor = String(nextCursor)
        else if (last) return
      }
    }
    const following = follow()
    await Promise.all(
      Array.from({ length: 8 }, async (_, lane) => {
        for (let n = 0; n < 10; n++)
          await voteOnce(n % 2 ? api : other, owned.server, { username: `Voter ${lane} ${n}` })
      }),
    )
    going = false
    await following
    expect(seen).toHaveLength(80)
    expect(new Set(seen).size).toBe(80)
    // Nothing new: the same cursor again, which later gives what has come since.
    expect((await get(owned, `?cursor=${cursor}`)).body).toEqual({ votes: [], nextCursor: null })
    await voteOnce(api, owned.server, { username: 'Late' })
    expect((await get(owned, `?cursor=${cursor}`)).body.votes).toEqual([expect.objectContaining({ username: 'Late' })])
  })

  test('begins at `since` if given, and has 20 a page by default', async () => {
    const owned = await addOwned()
    for (let n = 0; n < 3; n++) await voteOnce(api, owned.server, { username: `Early ${n}` })
    await age(pool, owned.server, '3 hours')
    for (let n = 0; n < 21; n++) await voteOnce(api, owned.server, { username: `Late ${n}` })
    const since = encodeURIComponent(new Date(Date.now() - 3_600_000).toISOString())
    const first = (await get(owned, `?since=${since}`)).body
    expect((first.votes as Shown[]).map(({ username }) => username)).toEqual(
      Array.from({ length: 20 }, (_, n) => `Late ${n}`),
    )
    const second = (await get(owned, `?since=${since}&cursor=${first.nextCursor}`)).body
    expect(second.votes).toEqual([expect.objectContaining({ username: 'Late 20' })])
    expect((await get(owned, `?limit=100`)).body.votes).toHaveLength(24)
  })

  test('with `order=desc` has the latest votes first, and its cursors lead to earlier ones until there are none', async () => {
    const owned = await addOwned()
    for (let n = 0; n < 5; n++) await voteOnce(api, owned.server, { username: `${n}` })
    const page = async (query: string) => {
      const { votes, nextCursor } = (await get(owned, query)).body as { votes: Shown[]; nextCursor: string | null }
      return { names: votes.map(({ username }) => username).join(' '), nextCursor }
    }
    const latest = await page('?order=desc&limit=2')
    expect(latest.names).toBe('4 3')
    await voteOnce(api, owned.server, { username: '5' })
    const earlier = await page(`?order=desc&limit=2&cursor=${latest.nextCursor}`)
    expect(earlier.names).toBe('2 1')
    expect(await page(`?order=desc&limit=2&cursor=${earlier.nextCursor}`)).toEqual({ names: '0', nextCursor: null })
    expect(await page('?order=desc&limit=6')).toEqual({ names: '5 4 3 2 1 0', nextCursor: null })
    // A cursor is a place that both orders lead away from.
    expect((await page(`?cursor=${earlier.nextCursor}`)).names).toBe('2 3 4 5')
    expect((await page('?order=asc')).names).toBe((await page('')).names)
  })

  test('with `order=desc` ends at `since`', async () => {
    const owned = await addOwned()
    await voteOnce(api, owned.server, { username: 'Early' })
    await age(pool, owned.server, '3 hours')
    for (const username of ['Late', 'Later']) await voteOnce(api, owned.server, { username })
    const since = encodeURIComponent(new Date(Date.now() - 3_600_000).toISOString())
    const { votes, nextCursor } = (await get(owned, `?order=desc&since=${since}`)).body
    expect((votes as Shown[]).map(({ username }) => username)).toEqual(['Later', 'Late'])
    expect(nextCursor).toBeNull()
  })

  test.each([
    'order=latest',
    'order=asc&order=desc',
    'limit=0',
    'limit=101',
    'limit=x',
    'cursor=x',
    'cursor=djA1',
    'since=yesterday',
    'since=2026-11-21',
    'since=2026-11-21T00:00:00Z&since=2026-11-21T00:00:00Z',
    'limit=1&limit=2',
  ])('%s is 400', async (query) => {
    const { status, body } = await get(await addOwned(), `?${query}`)
    expect([status, body.error]).toEqual([400, 'validation_failed'])
  })
})

describe('a voter', () => {
  test('is known by name or platform id', async () => {
    const owned = await addOwned()
    const nothing = { voted: false, claimed: 0, unclaimed: 0, nextVoteAt: null }
    expect(await check(owned, 'username=Ann')).toEqual(nothing)
    const { nextVoteAt } = await voteOnce(api, owned.server, { username: 'Ann', gamePlatformId: '7656' })
    const once = { voted: true, claimed: 0, unclaimed: 1, nextVoteAt }
    expect(await check(owned, 'username=Ann')).toEqual(once)
    expect(await check(owned, 'gamePlatformId=7656')).toEqual(once)
    expect(await check(owned, 'gamePlatformId=Ann')).toEqual(nothing)
    const elsewhere = await addOwned()
    expect(await check(elsewhere, 'username=Ann')).toEqual(nothing)
  })

  test('has voted for 24 hours; older votes can still be claimed', async () => {
    const owned = await addOwned()
    await voteOnce(api, owned.server, { username: 'Ann' })
    await age(pool, owned.server, '24 hours')
    expect(await check(owned, 'username=Ann')).toEqual({ voted: false, claimed: 0, unclaimed: 1, nextVoteAt: null })
    await voteOnce(api, owned.server, { username: 'Ann' })
    expect(await check(owned, 'username=Ann')).toMatchObject({ voted: true, claimed: 0, unclaimed: 2 })
    expect((await claim(owned, { username: 'Ann' })).body.claimed).toBe(2)
    expect(await check(owned, 'username=Ann')).toMatchObject({ voted: true, claimed: 2, unclaimed: 0 })
  })

  test.each([
    ['neither', '', {}],
    ['both', 'username=Ann&gamePlatformId=1', { username: 'Ann', gamePlatformId: '1' }],
    ['an empty one', 'username=', { username: ' ' }],
  ])('%s of the two names is 400', async (_what, query, body) => {
    const owned = await addOwned()
    expect(await check(owned, query)).toMatchObject({ error: 'validation_failed' })
    expect((await claim(owned, body)).body).toMatchObject({ error: 'validation_failed' })
  })
})

describe('claiming', () => {
  test('gives the voter’s votes, oldest first, and never again', async () => {
    const owned = await addOwned()
    for (const username of ['Ann', 'Bea', 'Ann']) await voteOnce(api, owned.server, { username, gamePlatformId: 'x' })
    const votes = (await get(owned, '')).body.votes as Shown[]
    const annas = votes.filter(({ username }) => username === 'Ann').map(({ id }) => id)
    expect((await claim(owned, { username: 'Ann' })).body).toEqual({ claimed: 2, voteIds: annas })
    expect((await claim(owned, { username: 'Ann' })).body).toEqual({ claimed: 0, voteIds: [] })
    expect((await claim(owned, { gamePlatformId: 'x' })).body).toEqual({ claimed: 1, voteIds: [votes[1]?.id] })
  })

  test('by game servers at the same time gives each vote to one of them', async () => {
    const owned = await addOwned()
    const COUNT = 60
    await Promise.all(
      Array.from({ length: COUNT }, (_, n) =>
        voteOnce(api, owned.server, { username: `Voter ${n % 3}`, gamePlatformId: 'all of them' }),
      ),
    )
    const given: string[] = []
    await Promise.all(
      Array.from({ length: 12 }, async (_, n) => {
        // By different names the same rows are wanted in different orders.
        const body = n % 2 ? { username: `Voter ${n % 3}` } : { gamePlatformId: 'all of them' }
        const { status, body: answer } = await claim(owned, body, n % 4 < 2 ? api : other)
        expect([status, (answer.voteIds as string[]).length]).toEqual([200, answer.claimed])
        given.push(...(answer.voteIds as string[]))
      }),
    )
    expect(given).toHaveLength(COUNT)
    expect(new Set(given).size).toBe(COUNT)
  })

  test('on another’s server is 403, and by an administrator it is recorded', async () => {
    const owned = await addOwned()
    await voteOnce(api, owned.server, { username: 'Ann' })
    const stranger = await addPerson(pool)
    const refused = await claim({ ...owned, headers: { cookie: stranger.cookie } }, { username: 'Ann' })
    expect([refused.status, refused.body.error]).toEqual([403, 'forbidden'])
    const admin = await addPerson(pool, { isAdmin: true })
    const { body } = await claim({ ...owned, headers: { cookie: admin.cookie } }, { username: 'Ann' })
    expect(body.claimed).toBe(1)
    const { rows } = await pool.query('select actor_id, details from audit_log where target_id = $1', [owned.server])
    expect(rows).toEqual([{ actor_id: admin.id, details: { voteIds: body.voteIds } }])
  })
})

describe('the table of a month’s voters', () => {
  const table = async ({ server, headers }: Owned, query = '') => {
    const response = await api.request(`/api/servers/${server}/votes/top.csv${query}`, { headers })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    return (await response.text()).split('\r\n').map((line) => line.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/, 'TIME'))
  }

  test('has those with a name or a platform id, most votes first, for its owner', async () => {
    const owned = await addOwned()
    const steam = '76561198000000001'
    for (const vote of [
      { username: 'Bea', gamePlatformId: steam },
      { username: 'bea' },
      { gamePlatformId: steam },
      { username: 'Bea' },
      { gamePlatformId: steam },
      { username: 'Ann' },
      {},
    ])
      await voteOnce(api, owned.server, vote)
    expect(await table(owned)).toEqual([
      'username,votes,lastVotedAt,gamePlatformId',
      `Bea,3,TIME,${steam}`,
      `,2,TIME,${steam}`,
      'Ann,1,TIME,',
      '',
    ])
    expect(await table(owned, '?month=2020-01')).toEqual(['username,votes,lastVotedAt,gamePlatformId', ''])
  })

  test('is safe to open in a spreadsheet, whatever a voter calls themselves', async () => {
    const owned = await addOwned()
    const names = ['=HYPERLINK("http://x")', '+1', '-1+2', '@SUM(A1)', '＝1', 'a,"b"']
    for (const username of names) await voteOnce(api, owned.server, { username })
    const cells = (await table(owned)).slice(1, -1).map((line) => line.replace(/,1,TIME,$/, ''))
    expect(new Set(cells)).toEqual(
      new Set([`"'=HYPERLINK(""http://x"")"`, "'+1", "'-1+2", "'@SUM(A1)", "'＝1", '"a,""b"""']),
    )
  })
})

describe('the top voters', () => {
  const top = async (server: string, query = '') => {
    const response = await api.request(`/api/servers/${server}/votes/top${query}`)
    return { status: response.status, body: await fieldsOf(response) }
  }
  const thisMonth = async () =>
    (await pool.query(`select to_char(now() at time zone 'utc', 'YYYY-MM') as month`)).rows[0].month as string

  test('of this month are those with a name, most votes first', async () => {
    const server = await addServer(pool)
    expect((await top(server)).body).toEqual({ month: await thisMonth(), voters: [] })
    const busier = await addServer(pool)
    for (const username of ['Bea', 'Ann', 'Bea', '', 'Cid', '', ''])
      await voteOnce(api, busier, { username, visitorId: newVisitor() })
    expect((await top(busier)).body.voters).toEqual([
      { username: 'Bea', votes: 2 },
      { username: 'Ann', votes: 1 },
      { username: 'Cid', votes: 1 },
    ])
  })

  test('of another month are counted from its first instant to its last', async () => {
    const server = await addServer(pool)
    for (const username of ['Before', 'First', 'Last', 'After']) await voteOnce(api, server, { username })
    const instants = {
      Before: '2028-01-31T23:59:59.999Z',
      First: '2028-02-01T00:00:00.000Z',
      Last: '2028-02-29T23:59:59.999Z',
      After: '2028-03-01T00:00:00.000Z',
    }
    for (const [username, at] of Object.entries(instants))
      await pool.query('update votes set voted_at = $3 where server_id = $1 and username = $2', [server, username, at])
    expect((await top(server, '?month=2028-02')).body).toEqual({
      month: '2028-02',
      voters: [
        { username: 'First', votes: 1 },
        { username: 'Last', votes: 1 },
      ],
    })
  })

  test('are a hundred at most', async () => {
    const server = await addServer(pool)
    await pool.query(
      `insert into votes (id, server_id, number, visitor_id, username, voted_at)
       select gen_random_uuid(), $1, n, 'visitor-' || n, 'Voter ' || n % 150, now() from generate_series(1, 400) as n`,
      [server],
    )
    const { voters } = (await top(server)).body as { voters: { votes: number }[] }
    expect(voters.map(({ votes }) => votes)).toEqual(Array(100).fill(3))
  })

  test.each(['2026-13', '2026-00', '2026', '0000-01', '2026-1', 'x', ''])('of the month %j are 400', async (month) => {
    const { status, body } = await top(await addServer(pool), `?month=${month}`)
    expect([status, body.error]).toEqual([400, 'validation_failed'])
  })

  test('of an unknown server are 404', async () => {
    expect((await top('01890000-0000-7000-8000-000000000000')).status).toBe(404)
    expect((await top('nonsense')).status).toBe(404)
  })
})
