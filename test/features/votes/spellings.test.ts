// Players who are spelled in several ways: a vote is found and claimed by any of them, and claimed once.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { startTestApi } from '../../support/api.ts'
import { addPerson, fieldsOf } from '../../support/people.ts'
import { rounds } from '../../support/rounds.ts'
import { bearer, createKey } from '../api-keys/support.ts'
import { addServer, vote, voteOnce } from './support.ts'

const settings = { VOTES_PER_ADDRESS_PER_DAY: '0' } // all votes here come from loopback
const api = await startTestApi({ settings })
const other = await startTestApi({ database: api.database, settings })
const { pool } = api.database

const NAMES = ['Notch', 'notch', 'NOTCH', 'nOtCh']
const IDS = [
  'STEAM_0:1:2345',
  'steam_1:1:2345',
  '[U:1:4691]',
  '76561197960270419',
  'steam:110000100001253',
  'https://steamcommunity.com/profiles/76561197960270419/',
]

type Voter = { username: string } | { gamePlatformId: string }
const BY_NAME = NAMES.map((username): Voter => ({ username }))
const BY_ID = IDS.map((gamePlatformId): Voter => ({ gamePlatformId }))

async function addOwned(game = 'minecraft') {
  const owner = await addPerson(pool, { tier: 'enterprise' })
  const server = await addServer(pool, { ownerId: owner.id })
  await pool.query('update servers set game = $2 where id = $1', [server, game])
  const headers = { ...bearer(await createKey(api, owner)), 'content-type': 'application/json' }
  const made = await api.request(`/api/servers/${server}/vote-key`, {
    method: 'POST',
    headers: { cookie: owner.cookie },
  })
  const { voteKey } = (await fieldsOf(made)) as { voteKey: string }

  const check = async (voter: Voter) =>
    fieldsOf(await api.request(`/api/servers/${server}/votes/check?${new URLSearchParams({ ...voter })}`, { headers }))
  const claim = async (voter: Voter, to = api) => {
    const init = { method: 'POST', headers, body: JSON.stringify(voter) }
    return (await fieldsOf(await to.request(`/api/servers/${server}/votes/claim`, init))) as {
      claimed: number
      voteIds: string[]
    }
  }
  const plugin = async (action: 'status' | 'claim', voter: Voter, to = api) => {
    const asked = 'username' in voter ? { username: voter.username } : { steamid: voter.gamePlatformId }
    const query = new URLSearchParams({ action, key: voteKey, ...asked })
    return (await to.request(`/api/plugins/votes?${query}`)).text()
  }
  return { server, check, claim, plugin }
}

describe.each([
  ['a name', BY_NAME],
  ['an identifier of Steam', BY_ID],
])('%s', (_what, voters) => {
  test.each(voters.map((typed) => ({ typed })))('typed as $typed is found by every spelling', async ({ typed }) => {
    const { server, check, plugin } = await addOwned()
    await voteOnce(api, server, typed)
    for (const asked of voters) {
      expect([asked, await check(asked)]).toEqual([asked, expect.objectContaining({ voted: true, unclaimed: 1 })])
      expect([asked, await plugin('status', asked)]).toEqual([asked, '1'])
    }
  })

  test('of a vote that another spelling claimed is claimed already', async () => {
    const { server, check, plugin } = await addOwned()
    const [first, second, third] = voters as [Voter, Voter, Voter]
    await voteOnce(api, server, first)
    expect(await plugin('claim', second)).toBe('1')
    expect(await plugin('claim', third)).toBe('2')
    expect(await check(first)).toMatchObject({ claimed: 1, unclaimed: 0 })
  })

  test('gives each vote to one of many clients, whatever spellings voters and clients use', {
    timeout: 120_000,
  }, async () => {
    const voter = fc.constantFrom(...voters)
    const client = fc.record({ voter, kind: fc.constantFrom('claim', 'plugin'), isOther: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(
        fc.array(voter, { minLength: 1, maxLength: 4 }),
        fc.array(client, { minLength: 2, maxLength: 8 }),
        async (votes, clients) => {
          const { server, claim, plugin, check } = await addOwned()
          for (const typed of votes) await voteOnce(api, server, typed)
          const claims = await Promise.all(
            clients.map(async ({ voter: asked, kind, isOther }) => {
              const to = isOther ? other : api
              if (kind === 'claim') return (await claim(asked, to)).claimed
              return (await plugin('claim', asked, to)) === '1' ? votes.length : 0
            }),
          )
          expect(claims.filter((claimed) => claimed > 0)).toEqual([votes.length])
          expect(await check(voters[0] as Voter)).toMatchObject({ unclaimed: 0 })
        },
      ),
      { numRuns: rounds(20) },
    )
  })
})

test('the name and the identifier are stored and listed as the voter typed them', async () => {
  const { server } = await addOwned()
  await voteOnce(api, server, { username: 'nOtCh', gamePlatformId: '[U:1:4691]' })
  const { rows } = await pool.query('select username, game_platform_id from votes where server_id = $1', [server])
  expect(rows).toEqual([{ username: 'nOtCh', game_platform_id: '[U:1:4691]' }])
})

test.each(['openttd', 'terrariatshock'])('in %s names that differ in case are two players', async (game) => {
  const { server, claim, plugin } = await addOwned(game)
  await voteOnce(api, server, { username: 'Ann' })
  expect(await plugin('claim', { username: 'ann' })).toBe('0')
  expect(await claim({ username: 'ANN' })).toEqual({ claimed: 0, voteIds: [] })
  expect(await plugin('claim', { username: 'Ann' })).toBe('1')
})

test('top voters are listed once, by the spelling that they used most', async () => {
  const top = async (server: string) =>
    (await fieldsOf(await api.request(`/api/servers/${server}/votes/top`))).voters as unknown
  const [one, two] = [await addOwned('minecraft'), await addOwned('openttd')]
  for (const { server } of [one, two])
    for (const username of ['Ann', 'ann', 'Ann', 'Bob']) await voteOnce(api, server, { username })
  expect(await top(one.server)).toEqual([
    { username: 'Ann', votes: 3 },
    { username: 'Bob', votes: 1 },
  ])
  expect(await top(two.server)).toEqual([
    { username: 'Ann', votes: 2 },
    { username: 'Bob', votes: 1 },
    { username: 'ann', votes: 1 },
  ])
})

test('an address of Steam’s website without an identifier is refused, by votes before their cooldown starts', async () => {
  const { server, check, claim, plugin } = await addOwned()
  const address = { gamePlatformId: 'https://steamcommunity.com/id/notch' }
  const refused = {
    error: 'validation_failed',
    details: [expect.objectContaining({ path: expect.stringContaining('gamePlatformId') })],
  }
  const visitorId = 'a visitor with a custom URL'
  expect(await vote(api, server, { visitorId, ...address })).toMatchObject({ status: 400, body: refused })
  expect(await vote(api, server, { visitorId, gamePlatformId: IDS[0] })).toMatchObject({ status: 200 })
  expect(await check(address)).toMatchObject(refused)
  expect(await claim(address)).toMatchObject(refused)
  expect(await plugin('status', address)).toMatch(/^validation_failed: steamid: must contain an identifier/)
})
