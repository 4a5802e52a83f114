// Voting for a server (interface.md §2 "Vote request" to "Vote status", §3 "Vote cooldown", §7).
import { describe, expect, test } from 'vitest'
import { setHidden } from '../../../src/features/servers/index.ts'
import { startTestApi } from '../../support/api.ts'
import { addPerson, fieldsOf } from '../../support/people.ts'
import { addServer, age, canVote, countersOf, newVisitor, vote, voteOnce } from './support.ts'

const api = await startTestApi()
const { pool } = api.database

const DAY_MS = 24 * 3_600_000
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const votesOf = async (serverId: string) =>
  (await pool.query('select * from votes where server_id = $1 order by number', [serverId])).rows

describe('a vote', () => {
  test('is answered by exactly the fields of the interface, and kept as one row', async () => {
    const [server, visitorId] = [await addServer(pool, { name: 'Ragnarok x5' }), newVisitor()]
    const before = Date.now()
    const answer = await vote(api, server, { visitorId, username: '  Ann  ', gamePlatformId: ' 7656 ' })
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        success: true,
        message: expect.stringContaining('Ragnarok x5'),
        webhookSent: false,
        nextVoteAt: expect.stringMatching(TIMESTAMP),
        streak: 1,
      },
    ])
    const votedAt = Date.parse(String(answer.body.nextVoteAt)) - DAY_MS
    expect(Math.abs(votedAt - before)).toBeLessThan(10_000)
    expect(await votesOf(server)).toEqual([
      {
        id: expect.stringMatching(/^[\da-f-]{14}7/),
        server_id: server,
        number: 1,
        visitor_id: visitorId,
        username: 'Ann',
        game_platform_id: '7656',
        voted_at: new Date(votedAt),
        claimed_at: null,
        is_by_owner: false,
        from_page: false,
        network_key: expect.stringMatching(/^[\w-]{16}$/),
        network_owner: null,
        voiding_id: null,
        voter_key: expect.any(Buffer),
        streak: 1,
      },
    ])
  })

  test('with a mistyped field is refused, and starts no cooldown', async () => {
    const [server, visitorId] = [await addServer(pool), newVisitor()]
    const answer = await vote(api, server, { visitorId, user: 'Zoe' })
    expect([answer.status, answer.body.details]).toEqual([
      400,
      [{ path: 'body.user', message: 'is not a recognized field; did you mean username?' }],
    ])
    expect(await canVote(api, server, visitorId)).toEqual({ canVote: true, cooldownRemaining: 0, streak: 0 })
    expect(await votesOf(server)).toEqual([])
  })

  test('is in this process’ directory when its reply leaves, in the counters and in the order', async () => {
    const server = await addServer(pool, { name: 'Counted at once' })
    for (const total of [1, 2, 3]) {
      await voteOnce(api, server)
      const detail = await fieldsOf(await api.request(`/api/servers/${server}`))
      expect([detail.totalVotes, detail.monthlyVotes]).toEqual([total, total])
    }
    for (const sortBy of ['totalVotes', 'monthlyVotes']) {
      const { servers } = await fieldsOf(await api.request(`/api/servers?sortBy=${sortBy}&limit=1`))
      expect(servers).toEqual([expect.objectContaining({ id: server, totalVotes: 3, monthlyVotes: 3 })])
    }
  })

  test('reaches the directory of another process within moments', async () => {
    const other = await startTestApi({ database: api.database })
    const server = await addServer(pool)
    await other.directory.refresh()
    await voteOnce(api, server)
    await expect
      .poll(async () => (await fieldsOf(await other.request(`/api/public/servers/${server}`))).totalVotes)
      .toBe(1)
  })

  test('counts to its owner’s votes, and to the recent ones for 24 hours', async () => {
    const owner = await addPerson(pool)
    const server = await addServer(pool, { ownerId: owner.id })
    await voteOnce(api, server)
    await voteOnce(api, server)
    await age(pool, server, '23 hours 59 minutes')
    await voteOnce(api, server)
    const owned = async () => {
      const { servers } = await fieldsOf(await api.request('/api/user/servers', { headers: { cookie: owner.cookie } }))
      return servers
    }
    expect(await owned()).toEqual([expect.objectContaining({ totalVotes: 3, monthlyVotes: 3, recentVotes: 3 })])
    await age(pool, server, '1 minute')
    expect(await owned()).toEqual([expect.objectContaining({ totalVotes: 3, recentVotes: 1 })])
    const profile = await fieldsOf(await api.request('/api/user/profile', { headers: { cookie: owner.cookie } }))
    expect(profile._count).toEqual({ ownedServers: 1, votes: 3 })
  })

  test('needs neither a name nor an id of the voter; a page of another origin may send it', async () => {
    const server = await addServer(pool)
    const response = await api.request(`/api/v1/servers/${server.toUpperCase()}/vote`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: 'https://owner.example', 'sec-fetch-site': 'cross-site' },
      body: JSON.stringify({ visitorId: newVisitor() }),
    })
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
    expect(await votesOf(server)).toEqual([expect.objectContaining({ username: '', game_platform_id: '' })])
  })
})

describe('the cooldown', () => {
  test('refuses the visitor’s next vote with exactly the documented body', async () => {
    const [server, visitorId] = [await addServer(pool), newVisitor()]
    const { nextVoteAt } = await voteOnce(api, server, { visitorId })
    await age(pool, server, '18 hours 30 minutes')
    const again = await vote(api, server, { visitorId })
    expect([again.status, again.body]).toEqual([
      429,
      {
        error: 'vote_cooldown',
        cooldownRemaining: expect.any(Number),
        nextVoteAt: new Date(Date.parse(String(nextVoteAt)) - 18.5 * 3_600_000).toISOString(),
        message: 'You can vote for this server again in 5 hours and 30 minutes.',
      },
    ])
    const remaining = Number(again.body.cooldownRemaining)
    expect(remaining).toBeLessThanOrEqual(5.5 * 3_600_000)
    expect(remaining).toBeGreaterThan(5.5 * 3_600_000 - 30_000)
    expect(again.headers.get('retry-after')).toBe(String(Math.ceil(remaining / 1000)))
    expect(await votesOf(server)).toHaveLength(1)
    expect(await countersOf(pool, server)).toMatchObject({ total: 1, monthly: 1 })
  })

  test('is the visitor’s for this server only', async () => {
    const [server, other, visitorId] = [await addServer(pool), await addServer(pool), newVisitor()]
    await voteOnce(api, server, { visitorId })
    await voteOnce(api, other, { visitorId })
    await voteOnce(api, server)
    expect((await vote(api, server, { visitorId })).status).toBe(429)
  })

  test('is reported by GET: canVote until the vote, then the remaining time, and canVote once it is over', async () => {
    const [server, visitorId] = [await addServer(pool), newVisitor()]
    expect(await canVote(api, server, visitorId)).toEqual({ canVote: true, cooldownRemaining: 0, streak: 0 })
    await voteOnce(api, server, { visitorId })
    const status = await canVote(api, server, visitorId)
    expect(status).toEqual({ canVote: false, cooldownRemaining: expect.any(Number), streak: 1 })
    expect(Math.abs(Number(status.cooldownRemaining) - DAY_MS)).toBeLessThan(30_000)
    await age(pool, server, '24 hours')
    expect(await canVote(api, server, visitorId)).toEqual({ canVote: true, cooldownRemaining: 0, streak: 1 })
    await voteOnce(api, server, { visitorId })
    expect(await countersOf(pool, server)).toMatchObject({ total: 2 })
  })

  test('ends for POST at the very moment it ends for GET', async () => {
    /** @returns how many votes are refused in the cooldown's last seconds */
    async function voteUntilItEnds(seconds: number): Promise<number> {
      const [server, visitorId] = [await addServer(pool), newVisitor()]
      await voteOnce(api, server, { visitorId })
      await age(pool, server, `24 hours ${-seconds} seconds`)
      for (let refused = 0; ; refused++) {
        const before = await canVote(api, server, visitorId)
        const { status, body } = await vote(api, server, { visitorId })
        if (status === 200) {
          const { rows } = await pool.query('select last_voted_at as at from vote_cooldowns where server_id = $1', [
            server,
          ])
          expect((await votesOf(server)).map(({ voted_at }) => voted_at).at(-1)).toEqual(rows[0].at)
          return refused
        }
        expect(before).toMatchObject({ canVote: false })
        expect(body.cooldownRemaining).toBeGreaterThan(0)
        expect(body.message).toMatch(/^You can vote for this server again in (1 second|\d+ seconds)\.$/)
        expect(Number(body.cooldownRemaining)).toBeLessThanOrEqual(Number(before.cooldownRemaining))
      }
    }
    // On a busy machine the first look may come after a short end.
    const refused = (await voteUntilItEnds(0.4)) || (await voteUntilItEnds(3)) || (await voteUntilItEnds(20))
    expect(refused).toBeGreaterThan(0)
  })
})

describe('who can’t be voted for', () => {
  test('an unknown server is 404, and so is a malformed id', async () => {
    for (const id of ['01890000-0000-7000-8000-000000000000', 'nonsense']) {
      const answer = await vote(api, id)
      expect([answer.status, answer.body.error]).toEqual([404, 'not_found'])
      const status = await api.request(`/api/servers/${id}/vote?visitorId=${'v'.repeat(10)}`)
      expect([status.status, (await fieldsOf(status)).error]).toEqual([404, 'not_found'])
    }
  })

  test('neither a removed nor a hidden server, and an unproven one where listing needs proof', async () => {
    const [removed, hidden, unproven] = [await addServer(pool), await addServer(pool), await addServer(pool)]
    await pool.query('update servers set deleted_at = now() where id = $1', [removed])
    await setHidden(pool, hidden, true)
    await pool.query('update servers set is_verified = false where id = $1', [unproven])
    expect((await vote(api, removed)).status).toBe(404)
    expect((await vote(api, hidden)).status).toBe(404)
    expect((await vote(api, unproven)).status).toBe(200)
    const strict = await startTestApi({
      database: api.database,
      settings: { LISTING_REQUIRES_VERIFICATION: 'true' },
    })
    expect((await vote(strict, unproven)).status).toBe(404)
    expect(await countersOf(pool, hidden)).toMatchObject({ total: 0 })
  })
})

describe('what is refused as not valid, and counts nothing', () => {
  const long = (length: number) => 'x'.repeat(length)
  test.each([
    ['no visitorId', { visitorId: undefined }, 'body.visitorId'],
    ['9 characters', { visitorId: long(9) }, 'body.visitorId'],
    ['101 characters', { visitorId: long(101) }, 'body.visitorId'],
    ['a number', { visitorId: 12345678901 }, 'body.visitorId'],
    ['an invisible character', { visitorId: `${long(10)}\u200b` }, 'body.visitorId'],
    ['a long name', { username: long(51) }, 'body.username'],
    ['a name that is no text', { username: 7 }, 'body.username'],
    ['a long platform id', { gamePlatformId: long(101) }, 'body.gamePlatformId'],
  ])('%s', async (_what, body, path) => {
    const server = await addServer(pool)
    const answer = await vote(api, server, body)
    expect([answer.status, answer.body.error]).toEqual([400, 'validation_failed'])
    expect(answer.body.details).toEqual([expect.objectContaining({ path })])
    expect(await votesOf(server)).toEqual([])
  })

  test('the longest that may be is kept whole', async () => {
    const server = await addServer(pool)
    await voteOnce(api, server, { visitorId: long(100), username: long(50), gamePlatformId: long(100) })
    await voteOnce(api, server, { visitorId: long(10) })
    expect((await votesOf(server)).map(({ visitor_id }) => visitor_id.length)).toEqual([100, 10])
  })

  test.each(['', '?visitorId=short', `?visitorId=${long(101)}`, `?visitorId=${long(10)}&visitorId=${long(10)}`])(
    'GET with %j',
    async (query) => {
      const response = await api.request(`/api/servers/${await addServer(pool)}/vote${query}`)
      expect([response.status, (await fieldsOf(response)).error]).toEqual([400, 'validation_failed'])
    },
  )
})

test('accepted votes and refused ones are counted for the operator', async () => {
  const counted = async () => {
    const text = await (await api.request('/metrics')).text()
    return ['accepted', 'cooldown'].map((outcome) =>
      Number(new RegExp(`^directory_votes_total\\{outcome="${outcome}"\\} (\\d+)$`, 'm').exec(text)?.[1]),
    )
  }
  const [server, visitorId] = [await addServer(pool), newVisitor()]
  await voteOnce(api, server, { visitorId })
  const [accepted = 0, refused = 0] = await counted()
  await voteOnce(api, server)
  await vote(api, server, { visitorId })
  expect(await counted()).toEqual([accepted + 1, refused + 1])
})
