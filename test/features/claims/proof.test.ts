// Where polls find a token: in the name, the keywords and the rules of a real server on loopback.
import { afterEach, expect, test } from 'vitest'
import { canAskForRules, findTokens } from '../../../workers/polling/proof.ts'
import { startTestApi } from '../../support/api.ts'
import { emptyTables } from '../../support/database.ts'
import { createClaimWorld, createPollOnce } from './support.ts'

const api = await startTestApi()
const { pool } = api.database
const { list, claim, statusOf, listing } = createClaimWorld(api)
const pollOnce = await createPollOnce(api)
const TOKEN = 'sd-verify-abcdefghijkmnopq'

afterEach(async () => {
  await emptyTables(pool, 'servers')
})

test.each([
  ['name', (token: string) => ({ name: `My server [${token}]` })],
  ['name in capitals', (token: string) => ({ name: token.toUpperCase() })],
  ['keywords', (token: string) => ({ keywords: `pvp,${token},eu` })],
  ['rules', (token: string) => ({ rules: { motd: 'hello', contact: `see ${token}!` } })],
])('a token in the %s proves the claim at the next poll', async (_place, show) => {
  const { id, owner, token, game } = await list()
  await pollOnce()
  expect(await statusOf(owner, id)).toMatchObject({ status: 'pending', checkedAt: expect.any(String) })
  Object.assign(game.info, show(token))
  await pollOnce()
  expect(await listing(id)).toEqual({ ownerId: owner.id, isVerified: true })
  await api.directory.refresh()
  expect(await (await api.request(`/api/servers/${id}`)).json()).toMatchObject({ isVerified: true, isOnline: true })
})

test('a poll without the token leaves the claim pending, and one without an answer says so', async () => {
  const { id, owner, game } = await list({ info: { name: 'sd-verify-' } })
  await pollOnce()
  expect((await statusOf(owner, id)).message).toContain('did not show')
  game.faults.silent = true
  await pollOnce()
  expect((await statusOf(owner, id)).message).toContain('did not answer')
  expect(await listing(id)).toMatchObject({ isVerified: false })
})

test('servers without a pending claim get no request for rules', async () => {
  const { id, owner, token, game } = await list()
  const requestsOf = async () => {
    game.requests = 0
    await pollOnce()
    return game.requests
  }
  expect(await requestsOf()).toBeGreaterThan(2)
  game.info.name = token
  await pollOnce()
  expect(await statusOf(owner, id)).toMatchObject({ status: 'verified' })
  expect(await requestsOf()).toBe(2) // the information, and its challenge
})

test('a server that does not answer for its rules stays online despite a claim', async () => {
  const { id, game } = await list({ info: { rules: { long: 'x'.repeat(100) } } })
  await claim(id)
  let asked = 0
  game.onRequest = () => {
    asked++
    // Information takes two requests; later ones are about rules and stay unanswered.
    game.faults.silent = asked >= 5
  }
  for (let n = 0; n < 2; n++) {
    asked = 0
    game.faults.silent = false
    await pollOnce()
    const { rows } = await pool.query(
      'select is_online, consecutive_failures from server_status where server_id = $1',
      [id],
    )
    expect(rows).toEqual([{ is_online: true, consecutive_failures: 0 }])
  }
})

test('only fields that the operator writes can prove, not players’ names or other raw fields', () => {
  const result = (fields: object) => ({
    name: '',
    map: TOKEN,
    version: TOKEN,
    numplayers: 1,
    maxplayers: 1,
    players: [{ name: TOKEN }],
    raw: {},
    ...fields,
  })
  const proves = (game: string, fields: object) => findTokens(result(fields), game, [TOKEN]).length > 0
  expect(proves('protocol-valve', {})).toBe(false)
  expect(proves('protocol-valve', { raw: { players: [{ name: TOKEN }], rulesBytes: Buffer.from(TOKEN) } })).toBe(false)
  expect(proves('protocol-gamespy1', { raw: { player_0: TOKEN } })).toBe(false)
  expect(proves('minecraft', { raw: { vanilla: { players: { sample: [{ name: TOKEN }] } } } })).toBe(false)
  expect(proves('protocol-quake3', { raw: { sv_contact: TOKEN } })).toBe(true)
  expect(proves('minecraft', { name: `Welcome\n${TOKEN}` })).toBe(true)
  expect(proves('protocol-valve', { raw: { tags: ['a', TOKEN] } })).toBe(true)
})

test('values of other types are neither a proof nor an error', () => {
  for (const odd of [undefined, null, 1, true, [], {}, [null, 1, {}], { a: null, b: [TOKEN] }, Symbol('x')])
    expect(
      findTokens(
        { name: odd, map: odd, version: odd, numplayers: odd, maxplayers: odd, players: odd, raw: odd },
        'ase',
        [TOKEN],
      ),
    ).toEqual([])
  const raw = { tags: { a: 1 }, rules: [[TOKEN]] }
  expect(
    findTokens({ name: 1, map: 1, version: 1, numplayers: 1, maxplayers: 1, players: 1, raw }, 'ase', [TOKEN]),
  ).toEqual([])
})

test('rules are requested where the protocol has them', () => {
  expect(['ase', 'protocol-valve', 'rust', 'dayz'].map(canAskForRules)).toEqual([true, true, true, true])
  expect(['minecraft', 'protocol-quake3', 'protocol-none', 'none'].map(canAskForRules)).toEqual([
    false,
    false,
    false,
    false,
  ])
})
