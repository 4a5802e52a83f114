// The cap of votes from one client address for one server in 24 hours.
import { describe, expect, test } from 'vitest'
import { clearOldVoteAddresses } from '../../../src/features/votes/upkeep.service.ts'
import { startTestApi } from '../../support/api.ts'
import { addPerson, fieldsOf } from '../../support/people.ts'
import { startProcess } from '../../support/processes.ts'
import { bearer, createKey } from '../api-keys/support.ts'
import { addServer, age, canVote, countersOf, newVisitor, vote, voteOnce } from './support.ts'

const api = await startTestApi({ settings: { TRUST_PROXY: '1', VOTES_PER_ADDRESS_PER_DAY: '3' } })
const { pool } = api.database

let addresses = 0
const newAddress = () => `198.51.100.${++addresses}`
const from = (address: string) => ({ 'x-forwarded-for': address })

const outcomeOf = async (serverId: string, headers: Record<string, string>, body: object = {}) =>
  (await vote(api, serverId, body, headers)).status

/** Makes everything older by which votes are limited. */
async function passDay(serverId: string, interval: string): Promise<void> {
  await age(pool, serverId, interval)
  await pool.query('update vote_addresses set voted_at = voted_at - $2::interval where server_id = $1', [
    serverId,
    interval,
  ])
}

describe('votes of one address for one server', () => {
  test('are refused past the cap, with a message of their own, and leave nothing behind', async () => {
    const [server, address, visitorId] = [await addServer(pool), newAddress(), newVisitor()]
    for (let n = 0; n < 3; n++) expect(await outcomeOf(server, from(address))).toBe(200)
    const refused = await vote(api, server, { visitorId }, from(address))
    expect([refused.status, refused.body]).toMatchObject([
      429,
      {
        error: 'rate_limited',
        message: expect.stringMatching(
          /^Too many votes for this server came from your network in the last 24 hours\. Try again in (24 hours|23 hours and \d+ minutes)\.$/,
        ),
      },
    ])
    const seconds = Number(refused.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(23 * 3600)
    expect(seconds).toBeLessThanOrEqual(24 * 3600)
    expect(await canVote(api, server, visitorId)).toEqual({ canVote: true, cooldownRemaining: 0, streak: 0 })
    expect(await countersOf(pool, server)).toMatchObject({ total: 3, monthly: 3 })
    expect(await outcomeOf(server, from(newAddress()), { visitorId })).toBe(200) // in the same network of `listVoteNetworks`
    const { paths } = await (await api.request('/api/openapi.json')).json()
    expect(paths['/servers/{id}/vote'].post.description).toContain('for one server from one client address in 24 hours')
  })

  test('count again one by one as each becomes 24 hours old', async () => {
    const [server, address] = [await addServer(pool), newAddress()]
    await vote(api, server, {}, from(address))
    await passDay(server, '1 hour')
    for (let n = 0; n < 2; n++) expect(await outcomeOf(server, from(address))).toBe(200)
    expect(await outcomeOf(server, from(address))).toBe(429)
    await passDay(server, '23 hours')
    expect([await outcomeOf(server, from(address)), await outcomeOf(server, from(address))]).toEqual([200, 429])
    await passDay(server, '1 hour')
    expect([await outcomeOf(server, from(address)), await outcomeOf(server, from(address))]).toEqual([200, 200])
    expect(await outcomeOf(server, from(address))).toBe(429)
  })

  test('a visitor in the cooldown gets the cooldown’s error, not the cap’s', async () => {
    const [server, address, visitorId] = [await addServer(pool), newAddress(), newVisitor()]
    for (const id of [visitorId, newVisitor(), newVisitor()])
      expect(await outcomeOf(server, from(address), { visitorId: id })).toBe(200)
    expect((await vote(api, server, { visitorId }, from(address))).body.error).toBe('vote_cooldown')
  })

  test('an IPv6 network of one household is one address; another one and another server are not affected', async () => {
    const [server, other] = [await addServer(pool), await addServer(pool)]
    const inside = ['2001:db8:1:200::1', '2001:db8:1:2ff::2', '2001:db8:1:2aa:1:2:3:4', '2001:db8:1:201::7']
    const statuses: number[] = []
    for (const address of inside) statuses.push(await outcomeOf(server, from(address)))
    expect(statuses).toEqual([200, 200, 200, 429])
    expect(await outcomeOf(server, from('2001:db8:1:300::1'))).toBe(200)
    expect(await outcomeOf(other, from('2001:db8:1:200::1'))).toBe(200)
  })

  test('at the same time, for a server with a webhook too, are exactly as many as the cap', async () => {
    const [plain, hooked, address] = [await addServer(pool), await addServer(pool), newAddress()]
    await pool.query(
      `insert into endpoints (id, server_id, url, events, secret) values ($1, $1, 'https://owner.example/hook', '{vote.created}', 'encrypted')`,
      [hooked],
    )
    for (const server of [plain, hooked]) {
      const statuses = await Promise.all(Array.from({ length: 40 }, () => outcomeOf(server, from(address))))
      expect(statuses.filter((status) => status === 200)).toHaveLength(3)
      expect(statuses.filter((status) => status === 429)).toHaveLength(37)
      expect(await countersOf(pool, server)).toMatchObject({ total: 3 })
    }
  })

  test('over two API processes at the same time are exactly as many as the cap', { timeout: 120_000 }, async () => {
    const env = { TRUST_PROXY: '1', VOTES_PER_ADDRESS_PER_DAY: '20' }
    const apis = await Promise.all([
      startProcess('src/main.ts', api.database.url, env),
      startProcess('src/main.ts', api.database.url, env),
    ])
    const servers = await Promise.all(Array.from({ length: 4 }, () => addServer(pool)))
    const statuses = await Promise.all(
      Array.from({ length: 400 }, async (_, n) => {
        const response = await fetch(`${apis[n % 2]?.url}/api/servers/${servers[(n >> 1) % 4]}/vote`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...from(`203.0.113.${(n >> 3) % 2}`) },
          body: JSON.stringify({ visitorId: newVisitor() }),
        })
        await response.arrayBuffer()
        return response.status
      }),
    )
    // 400 votes, 50 for each server and address; 20 of these count.
    expect(statuses.filter((status) => status === 200)).toHaveLength(160)
    expect(statuses.filter((status) => status === 429)).toHaveLength(240)
    for (const server of servers) expect(await countersOf(pool, server)).toMatchObject({ total: 40 })
  })

  test('are unlimited with 0', async () => {
    const open = await startTestApi({ database: api.database, settings: { VOTES_PER_ADDRESS_PER_DAY: '0' } })
    const server = await addServer(pool)
    for (let n = 0; n < 25; n++) await voteOnce(open, server)
  })

  test('that are refused are counted for the operator', async () => {
    const counted = async () => {
      const text = await (await api.request('/metrics')).text()
      return Number(/^directory_votes_total\{outcome="address_limit"\} (\d+)$/m.exec(text)?.[1])
    }
    const [server, address] = [await addServer(pool), newAddress()]
    for (let n = 0; n < 4; n++) await vote(api, server, {}, from(address))
    const before = await counted()
    await vote(api, server, {}, from(address))
    expect(await counted()).toBe(before + 1)
  })
})

describe('votes sent with an API key', () => {
  test('by the owner for their own server are exempt, leave visitors their votes, and are marked in the feed', async () => {
    const owner = await addPerson(pool, { tier: 'standard' })
    const [server, address] = [await addServer(pool, { ownerId: owner.id }), newAddress()]
    const key = bearer(await createKey(api, owner))
    const headers = { ...key, ...from(address) }
    for (let n = 0; n < 5; n++) expect(await outcomeOf(server, headers, { username: 'Player' })).toBe(200)
    for (let n = 0; n < 3; n++) expect(await outcomeOf(server, from(address))).toBe(200)
    expect(await outcomeOf(server, from(address))).toBe(429)
    expect(await outcomeOf(server, headers)).toBe(200)
    const feed = await fieldsOf(await api.request(`/api/servers/${server}/votes`, { headers }))
    expect((feed.votes as { source: string }[]).map(({ source }) => source)).toEqual([
      ...Array(5).fill('owner'),
      ...Array(3).fill('visitor'),
      'owner',
    ])
  })

  test('keep the cooldown of each visitor', async () => {
    const owner = await addPerson(pool, { tier: 'standard' })
    const [server, visitorId] = [await addServer(pool, { ownerId: owner.id }), newVisitor()]
    const headers = { ...bearer(await createKey(api, owner)), ...from(newAddress()) }
    expect(await outcomeOf(server, headers, { visitorId })).toBe(200)
    expect((await vote(api, server, { visitorId }, headers)).body.error).toBe('vote_cooldown')
  })

  test('for another’s server, and with a session, administrators’ too, are visitors’ votes', async () => {
    const [owner, admin] = [await addPerson(pool, { tier: 'standard' }), await addPerson(pool, { isAdmin: true })]
    const own = await addServer(pool, { ownerId: owner.id })
    const other = await addServer(pool, { ownerId: (await addPerson(pool)).id })
    const key = bearer(await createKey(api, owner))
    const callers: [string, Record<string, string>][] = [
      [other, key],
      [await addServer(pool), key],
      [own, { cookie: owner.cookie }],
      [own, { cookie: admin.cookie }],
    ]
    for (const [server, headers] of callers) {
      const address = newAddress()
      const statuses: number[] = []
      for (let n = 0; n < 4; n++) statuses.push(await outcomeOf(server, { ...headers, ...from(address) }))
      expect(statuses).toEqual([200, 200, 200, 429])
    }
  })
})

test('no address is stored, and what stands for one is deleted after two days', async () => {
  const [server, address] = [await addServer(pool), newAddress()]
  await vote(api, server, {}, from(address))
  const stored = await pool.query<{ key: string }>(
    'select address_key as key from vote_addresses where server_id = $1',
    [server],
  )
  expect(stored.rows).toEqual([{ key: expect.stringMatching(/^[\w-]{22}$/) }])
  const left = async () => (await pool.query('select from vote_addresses where server_id = $1', [server])).rowCount
  await passDay(server, '1 day 23 hours')
  await clearOldVoteAddresses(pool, { limit: 2 })
  expect(await left()).toBe(1)
  await passDay(server, '1 hour')
  await clearOldVoteAddresses(pool, { limit: 2 })
  expect(await left()).toBe(0)
  expect(await countersOf(pool, server)).toMatchObject({ total: 1 })
})
