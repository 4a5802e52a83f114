// Reward plugins of game servers: the styles in which they ask, the vote key, its limit, and that it is not logged.
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { deleteInvalidVoteKeys } from '../../../src/features/votes/plugins/vote-keys.sql.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { addPerson, fieldsOf, type Person } from '../../support/people.ts'
import { claimFirst, easyVoteExtended, fiveM, minecraftMp, type WebRequest } from './reward-plugins.ts'
import { addServer, age, voteOnce } from './support.ts'

const lines: string[] = []
const log = pino({ level: 'trace' }, { write: (line) => void lines.push(line) })
const settings = { VOTES_PER_ADDRESS_PER_DAY: '0', TRUST_PROXY: '1' }
const api = await startTestApi({ settings, log })
const other = await startTestApi({ database: api.database, settings })
const { pool } = api.database

interface Owned {
  owner: Person
  server: string
  voteKey: string
}

const manage = async ({ owner, server }: Omit<Owned, 'voteKey'>, method: string) => {
  const response = await api.request(`/api/servers/${server}/vote-key`, { method, headers: { cookie: owner.cookie } })
  expect(response.status).toBe(200)
  return fieldsOf(response)
}
const newKey = async (owned: Omit<Owned, 'voteKey'>) => String((await manage(owned, 'POST')).voteKey)

async function addOwned(): Promise<Owned> {
  const owner = await addPerson(pool)
  const server = await addServer(pool, { ownerId: owner.id })
  return { owner, server, voteKey: await newKey({ owner, server }) }
}

const ask = (query: string, init: RequestInit = {}, to: TestApi = api) =>
  to.request(`/api/plugins/votes?${query}`, init)
const answerOf = async (query: string, init?: RequestInit, to?: TestApi) => (await ask(query, init, to)).text()

/** A game server that asks `to`. */
const webOf =
  (to: TestApi = api): WebRequest =>
  async (url, method = 'GET') => {
    const response = await to.request(url.replace('https://directory.example', ''), { method })
    return { code: response.status, body: await response.text() }
  }
const web = webOf()

const BASE = 'https://directory.example/api/plugins/votes'
const EASY_VOTE = {
  status: `${BASE}?action=status&key={0}&steamid={1}`,
  claim: `${BASE}?action=claim&key={0}&steamid={1}`,
  usesName: false,
}
const STEAM = '76561198000000001'

describe('plugins as they are', () => {
  test('EasyVoteExtended rewards a vote once', async () => {
    const { server, voteKey } = await addOwned()
    const check = easyVoteExtended(EASY_VOTE, `${server}:${voteKey}`)
    const player = { steamId: STEAM, name: 'Ann' }
    expect(await check(web, player)).toBe('not voted')
    await voteOnce(api, server, { gamePlatformId: STEAM })
    expect(await check(web, player)).toBe('rewarded')
    expect(await check(web, player)).toBe('already claimed')
    // Its built-in entry for rust-servers.net, with our address.
    const builtIn = {
      status: `${BASE}?object=votes&element=claim&key={0}&steamid={1}`,
      claim: `${BASE}?action=custom&object=plugin&element=reward&key={0}&steamid={1}`,
      usesName: false,
    }
    const another = { steamId: '76561198000000002', name: 'Bob' }
    await voteOnce(api, server, { gamePlatformId: another.steamId })
    expect(await easyVoteExtended(builtIn, `${server}:${voteKey}`)(web, another)).toBe('rewarded')
    expect(await easyVoteExtended(builtIn, `${server}:${voteKey}`)(web, another)).toBe('already claimed')
  })

  test('EasyVoteExtended by names, whatever is in them', async () => {
    const { server, voteKey } = await addOwned()
    const byName = {
      status: EASY_VOTE.status.replace('steamid', 'username'),
      claim: EASY_VOTE.claim.replace('steamid', 'username'),
    }
    const check = easyVoteExtended({ ...byName, usesName: true }, `${server}:${voteKey}`)
    for (const name of ['Ann & Bob', '50% + more', 'Zoë 猫 🐈', '{0}%s', '"; drop']) {
      await voteOnce(api, server, { username: name })
      expect(await check(web, { steamId: STEAM, name }), name).toBe('rewarded')
      expect(await check(web, { steamId: STEAM, name }), name).toBe('already claimed')
    }
  })

  test('EasyVoteExtended prints a readable line for a wrong key', async () => {
    const { server } = await addOwned()
    expect(await easyVoteExtended(EASY_VOTE, `${server}:vk_wrong`)(web, { steamId: STEAM, name: 'Ann' })).toEqual({
      error:
        '401: invalid_vote_key: This vote key is not valid. The owner of the server makes one with POST /api/servers/{id}/vote-key.\n',
    })
  })

  test.each(['GET', 'POST', 'POST alone'] as const)(
    'those of minecraft-mp.com, claiming with %s',
    async (claimWith) => {
      const { server, voteKey } = await addOwned()
      const check = minecraftMp(BASE, voteKey, { claimWith })
      expect(await check(web, 'Some One')).toBe('not voted')
      await voteOnce(api, server, { username: 'Some One' })
      expect(await check(web, 'SOME one')).toBe('rewarded')
      expect(await check(web, 'Some One')).toBe('already claimed')
      expect(await answerOf(`action=post&object=votes&element=claim&key=${voteKey}&username=Some+One`)).toBe('0')
    },
  )

  test('FiveM-vote-script, and those that claim without asking', async () => {
    const { server, voteKey } = await addOwned()
    const endpoints = {
      status: `${BASE}?action=status&key=%s&steamid=%s&customid=%s`,
      claim: `${BASE}?action=claim&key=%s&steamid=%s&customid=%s`,
    }
    const check = fiveM(endpoints, voteKey)
    expect(await check(web, 'steam:1100001028c5881')).toBe('not voted')
    await voteOnce(api, server, { gamePlatformId: BigInt('0x1100001028c5881').toString() })
    expect(await check(web, 'steam:1100001028c5881')).toBe('rewarded')
    expect(await check(web, 'steam:1100001028c5881')).toBe('already claimed')
    const claim = claimFirst(`${BASE}?action=custom&object=plugin&element=reward&key={0}&steamid={1}`, voteKey)
    expect(await claim(web, STEAM)).toBe('not voted')
    await voteOnce(api, server, { gamePlatformId: STEAM })
    expect([await claim(web, STEAM), await claim(web, STEAM)]).toEqual(['rewarded', 'already claimed'])
  })
})

describe('a claim', () => {
  test.each(['action=claim', 'action=post&object=votes&element=claim', 'action=custom&object=plugin&element=reward'])(
    'of %s: of many at once, at two processes, exactly one gets 1',
    async (style) => {
      const { server, voteKey } = await addOwned()
      for (let round = 0; round < 3; round++) {
        const username = `Player ${round}`
        await voteOnce(api, server, { username })
        const query = `${style}&key=${voteKey}&username=${encodeURIComponent(username)}`
        const answers = await Promise.all(
          Array.from({ length: 12 }, (_, n) =>
            answerOf(query, { method: n % 4 ? 'GET' : 'POST' }, n % 2 ? api : other),
          ),
        )
        const later = style.startsWith('action=post') ? '0' : '2'
        expect(answers.sort()).toEqual(['1', ...Array.from({ length: 11 }, () => later)].sort())
      }
    },
  )

  test('competes with votes/claim for the same votes', async () => {
    const { owner, server, voteKey } = await addOwned()
    const claimed = async (username: string) => {
      const response = await api.request(`/api/servers/${server}/votes/claim`, {
        method: 'POST',
        headers: { cookie: owner.cookie, 'content-type': 'application/json' },
        body: JSON.stringify({ username }),
      })
      return (await fieldsOf(response)).claimed
    }
    for (let round = 0; round < 5; round++) {
      const username = `Rival ${round}`
      await voteOnce(api, server, { username })
      const [byOwner, byPlugin] = await Promise.all([
        claimed(username),
        answerOf(`action=claim&key=${voteKey}&username=Rival+${round}`, {}, other),
      ])
      expect([`1 2`, `0 1`]).toContain(`${byOwner} ${byPlugin}`)
    }
  })

  test('is of all votes of the last 24 hours; older ones are left to votes/claim', async () => {
    const { server, voteKey } = await addOwned()
    const query = (action: string) => `action=${action}&key=${voteKey}&username=Ann`
    await voteOnce(api, server, { username: 'Ann' })
    await age(pool, server, '25 hours')
    expect([await answerOf(query('status')), await answerOf(query('claim'))]).toEqual(['0', '0'])
    await voteOnce(api, server, { username: 'Ann' })
    await voteOnce(api, server, { username: 'Ann' })
    expect([await answerOf(query('status')), await answerOf(query('claim')), await answerOf(query('claim'))]).toEqual([
      '1',
      '1',
      '2',
    ])
    const { rows } = await pool.query(
      'select claimed_at is null as open from votes where server_id = $1 order by number',
      [server],
    )
    expect(rows).toEqual([{ open: true }, { open: false }, { open: false }])
    await age(pool, server, '24 hours')
    expect(await answerOf(query('status'))).toBe('0')
  })

  test('is of the key’s server only', async () => {
    const [one, two] = [await addOwned(), await addOwned()]
    await voteOnce(api, one.server, { username: 'Ann' })
    expect(await answerOf(`action=claim&key=${two.voteKey}&username=Ann`)).toBe('0')
    expect(await answerOf(`action=claim&key=${one.voteKey}&username=Ann`)).toBe('1')
  })

  test('is not made by HEAD, and no reply is cached', async () => {
    const { server, voteKey } = await addOwned()
    await voteOnce(api, server, { username: 'Ann' })
    const query = `action=claim&key=${voteKey}&username=Ann`
    const head = await ask(query, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '1', ''])
    const status = await ask(query.replace('claim', 'status'))
    expect([status.headers.get('etag'), status.headers.get('cache-control')]).toEqual([null, 'no-store'])
    const claim = await ask(query)
    expect(await claim.text()).toBe('1')
    expect(claim.headers.get('cache-control')).toBe('no-store')
    expect(claim.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  })
})

describe('a request that is wrong', () => {
  test.each([
    ['action=status', 'steamid: give either steamid or username'],
    ['action=status&username=', 'username: must have at least 1 characters'],
    ['action=status&username=Ann&steamid=1', 'steamid: give either steamid or username'],
    [
      'username=Ann',
      'action: give action=status or action=claim, or the action, object and element of minecraft-mp.com',
    ],
    ['action=get&username=Ann', 'action: must be status or claim or post or custom'],
    ['action=post&object=plugin&element=reward&username=Ann', 'action: give action=status'],
  ])('%s gets 400 and says why in one line', async (query, message) => {
    const { voteKey } = await addOwned()
    const response = await ask(`key=${voteKey}&${query}`)
    const body = await response.text()
    expect([response.status, response.headers.get('content-type')]).toEqual([400, 'text/plain; charset=utf-8'])
    expect(body).toContain(`validation_failed: ${message}`)
    expect(body.indexOf('\n')).toBe(body.length - 1)
  })

  test.each(['%', '%00'])(
    'with the name %s as it is gets 400 in one line, as plugins get that encode nothing',
    async (name) => {
      const { voteKey } = await addOwned()
      const response = await ask(`key=${voteKey}&action=status&username=${name}`)
      expect([response.status, await response.text()]).toEqual([
        400,
        expect.stringMatching(/^validation_failed: [^\n]+\n$/),
      ])
    },
  )

  test.each([
    ['GET', 'text/plain; charset=utf-8'],
    ['POST', 'text/plain; charset=utf-8'],
    ['DELETE', 'application/json'],
  ])('%s with a query that can’t be decoded gets 400 as %s', async (method, type) => {
    const response = await ask('key=x&username=%', { method })
    expect([response.status, response.headers.get('content-type')]).toEqual([400, type])
  })

  test.each(['', 'key=', 'key=vk_unknown', 'key=vk_a&key=vk_b', 'Key=x'])(
    'with the key %s gets 401 before anything else is looked at',
    async (key) => {
      const response = await ask(key)
      expect([response.status, response.headers.get('content-type')]).toEqual([401, 'text/plain; charset=utf-8'])
      expect(await response.text()).toMatch(/^invalid_vote_key: This vote key is not valid\. [^\n]*\n$/)
    },
  )
})

describe('a vote key', () => {
  const isValid = async (voteKey: string) => (await ask(`action=status&key=${voteKey}&username=Ann`)).status === 200

  test('is shown once, stored as a hash, and listed with its beginning and last use', async () => {
    const owned = await addOwned()
    const { voteKey } = owned
    expect(voteKey).toMatch(/^vk_[\da-f]{40}$/)
    const unused = {
      startsWith: voteKey.slice(0, 8),
      createdAt: expect.any(String),
      lastUsedAt: null,
      validUntil: null,
    }
    expect(await manage(owned, 'GET')).toEqual({ keys: [unused] })
    expect(await isValid(voteKey)).toBe(true)
    expect(await manage(owned, 'GET')).toEqual({ keys: [{ ...unused, lastUsedAt: expect.any(String) }] })
    const { rows } = await pool.query('select * from vote_keys where server_id = $1', [owned.server])
    expect(JSON.stringify(rows)).not.toContain(voteKey.slice(8))
  })

  test('is recorded in the audit log when it is made and revoked, also by the owner', async () => {
    const owned = await addOwned()
    const startsWith = owned.voteKey.slice(0, 8)
    for (let time = 0; time < 2; time++) await manage(owned, 'DELETE')
    const { rows } = await pool.query(
      'select actor_id as by, action, details from audit_log where target_id = $1 order by id',
      [owned.server],
    )
    const by = owned.owner.id
    expect(rows).toEqual([
      { by, action: 'vote-key.create', details: { startsWith } },
      { by, action: 'vote-key.revoke', details: { revoked: 1 } },
    ])
  })

  test('stays valid for a day beside the one that replaces it', async () => {
    const owned = await addOwned()
    const second = await newKey(owned)
    expect([await isValid(owned.voteKey), await isValid(second)]).toEqual([true, true])
    const { keys } = (await manage(owned, 'GET')) as { keys: { startsWith: string; validUntil: string | null }[] }
    expect(keys.map(({ startsWith }) => startsWith)).toEqual([second.slice(0, 8), owned.voteKey.slice(0, 8)])
    expect(Date.parse(keys[1]?.validUntil ?? '') - Date.now()).toBeGreaterThan(23.9 * 3_600_000)
    // A third ends the first at once.
    const third = await newKey(owned)
    expect(await Promise.all([owned.voteKey, second, third].map(isValid))).toEqual([false, true, true])
    await pool.query(`update vote_keys set expires_at = now() where server_id = $1 and expires_at is not null`, [
      owned.server,
    ])
    expect(await Promise.all([second, third].map(isValid))).toEqual([false, true])
    expect(await deleteInvalidVoteKeys(pool)).toBe(1)
    expect(await isValid(third)).toBe(true)
  })

  test('ends when it is revoked, at every process, and when the server changes hands or is hidden', async () => {
    const owned = await addOwned()
    const second = await newKey(owned)
    expect((await ask(`action=status&key=${second}&username=Ann`, {}, other)).status).toBe(200)
    await manage(owned, 'DELETE')
    expect([await isValid(owned.voteKey), await isValid(second)]).toEqual([false, false])
    expect((await ask(`action=status&key=${second}&username=Ann`, {}, other)).status).toBe(401)
    await manage(owned, 'DELETE')

    const third = await newKey(owned)
    for (const [end, undo] of [
      ['update servers set hidden_at = now() where id = $1', 'update servers set hidden_at = null where id = $1'],
      [
        'update users set banned_at = now() where id = (select owner_id from servers where id = $1)',
        'update users set banned_at = null where id = (select owner_id from servers where id = $1)',
      ],
    ] as const) {
      await pool.query(end, [owned.server])
      expect(await isValid(third)).toBe(false)
      await pool.query(undo, [owned.server])
      expect(await isValid(third)).toBe(true)
    }
    await pool.query('update servers set owner_id = $2 where id = $1', [owned.server, (await addPerson(pool)).id])
    expect(await isValid(third)).toBe(false)
    expect(await deleteInvalidVoteKeys(pool)).toBe(1)
  })
})

describe('requests are counted', () => {
  const limited = { ...settings, RATE_LIMIT_IP_PER_MINUTE: '5', RATE_LIMIT_IP_PER_HOUR: '1000' }
  let clients = 0
  const newClient = () => ({ 'x-forwarded-for': `198.51.100.${++clients}` })

  test('60 a minute for a key, whatever the address; then 429 in one line', async () => {
    const strict = await startTestApi({ database: api.database, settings: limited })
    const { voteKey } = await addOwned()
    const headers = newClient()
    const query = `action=status&key=${voteKey}&username=Ann`
    const statuses: number[] = []
    for (let n = 0; n < 60; n++) statuses.push((await ask(query, { headers }, strict)).status)
    expect(new Set(statuses)).toEqual(new Set([200]))
    const refused = await ask(query, { headers: newClient() }, strict)
    expect([refused.status, refused.headers.get('ratelimit-policy')]).toEqual([429, '"vote-key";q=60;w=60'])
    expect(await refused.text()).toMatch(/^rate_limited: More than 60 requests in 60 seconds\. [^\n]+\n$/)
    // The address has its requests left, and another key of it is counted apart.
    const [page, another] = [await strict.request('/api/public/stats', { headers }), await addOwned()]
    expect([page.status, page.headers.get('ratelimit')?.split(';')[1]]).toEqual([200, 'r=4'])
    expect((await ask(`action=status&key=${another.voteKey}&username=Ann`, { headers }, strict)).status).toBe(200)
  })

  test('for the key also when its first requests come together', async () => {
    const strict = await startTestApi({ database: api.database, settings: limited })
    const { voteKey } = await addOwned()
    const headers = newClient()
    const status = async () => (await ask(`action=status&key=${voteKey}&username=Ann`, { headers }, strict)).status
    // Look-ups wait for this lock, until all requests have come.
    const client = await pool.connect()
    await client.query('begin; lock table vote_keys in access exclusive mode')
    const statuses = Array.from({ length: 8 }, status)
    await sleep(500)
    await client.query('rollback')
    client.release()
    expect(await Promise.all(statuses)).toEqual(new Array(8).fill(200))
  })

  test('a key over its limit is refused without a look-up, and ends with its revocation all the same', async () => {
    const strict = await startTestApi({ database: api.database, settings: limited })
    const owned = await addOwned()
    const status = async () =>
      (await ask(`action=status&key=${owned.voteKey}&username=Ann`, { headers: newClient() }, strict)).status
    for (let n = 0; n < 60; n++) expect(await status()).toBe(200)
    // A look-up now would wait for this lock.
    const client = await pool.connect()
    try {
      await client.query('begin')
      await client.query('lock table vote_keys in access exclusive mode')
      for (let n = 0; n < 100; n++) expect(await status()).toBe(429)
    } finally {
      await client.query('rollback')
      client.release()
    }
    await manage(owned, 'DELETE')
    const elsewhere = await startTestApi({ database: api.database, settings: limited })
    expect((await ask(`action=status&key=${owned.voteKey}&username=Ann`, {}, elsewhere)).status).toBe(401)
  })

  test('a key that has ended counts against the address from the request that finds it out', async () => {
    const strict = await startTestApi({ database: api.database, settings: limited })
    const owned = await addOwned()
    const headers = newClient()
    const request = () => ask(`action=status&key=${owned.voteKey}&username=Ann`, { headers }, strict)
    expect((await request()).status).toBe(200)
    await manage(owned, 'DELETE')
    const ended = await request()
    expect([ended.status, ended.headers.get('ratelimit')?.split(';', 2)]).toEqual([401, ['"ip-minute"', 'r=4']])
  })

  test('for the address with an unknown key, before it is looked up; a known key passes nevertheless', async () => {
    const strict = await startTestApi({ database: api.database, settings: limited })
    const { voteKey } = await addOwned()
    const headers = newClient()
    const valid = () => ask(`action=status&key=${voteKey}&username=Ann`, { headers }, strict)
    expect((await valid()).status).toBe(200)
    const statuses = await Promise.all(
      Array.from(
        { length: 8 },
        async (_, n) => (await ask(`action=claim&key=vk_${n}&username=Ann`, { headers }, strict)).status,
      ),
    )
    expect(statuses.sort()).toEqual([401, 401, 401, 401, 401, 429, 429, 429])
    expect((await valid()).status).toBe(200)
    expect((await strict.request('/api/public/stats', { headers })).status).toBe(429)
  })
})

test('a key is in no line of the log, whatever happens to its request', async () => {
  const { server, voteKey } = await addOwned()
  await voteOnce(api, server, { username: 'Ann' })
  const query = `key=${voteKey}&username=Ann`
  for (const [request, status] of [
    [`${query}&action=claim`, 200],
    [`${query}&action=nothing`, 400],
    [`${query}&steamid=%`, 400],
    [`${query}&steamid=%00`, 400],
    [`${query}0&action=status`, 200],
    [`key=${voteKey}0&action=status`, 401],
  ] as const)
    expect((await fetch(`${api.url}/api/plugins/votes?${request}`)).status, request).toBe(status)
  for (const path of ['/api/plugins/votes//', '/api/plugins/vote', '/plugins/votes'])
    expect((await fetch(`${api.url}${path}?${query}`, { headers: { accept: 'text/html' } })).status).toBe(404)
  expect((await fetch(`${api.url}/api/plugins/votes?${query}`, { method: 'DELETE' })).status).toBe(405)
  // An error of the database.
  await pool.query('alter table votes rename to votes_elsewhere')
  try {
    const failed = await fetch(`${api.url}/api/plugins/votes?${query}&action=claim`)
    expect([failed.status, await failed.text()]).toEqual([500, expect.stringMatching(/^internal: /)])
  } finally {
    await pool.query('alter table votes_elsewhere rename to votes')
  }
  expect(lines.join('')).toContain('"route":"/plugins/votes"')
  expect(lines.filter((line) => line.includes(voteKey.slice(8, 30)))).toEqual([])
})
