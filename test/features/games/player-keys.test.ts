// Which spellings mean one player, as PostgreSQL compares them.
import { expect, test } from 'vitest'
import { ignoresCase, isGameType, isPlatformId, nameKey, platformIdKey } from '../../../src/features/games/index.ts'
import { createTestDatabase } from '../../support/database.ts'

const { pool } = await createTestDatabase()

const keyOf = async (expression: string, typed: string) =>
  (await pool.query<{ key: string }>(`select ${expression} as key`, [typed])).rows[0]?.key

test.each([
  ['STEAM_0:1:2345', '76561197960270419'],
  ['STEAM_1:1:2345', '76561197960270419'], // as newer games of Valve write it
  ['steam_0:0:0', '76561197960265728'],
  ['[U:1:4691]', '76561197960270419'],
  ['u:1:4691', '76561197960270419'],
  ['[U:1:4294967295]', '76561202255233023'],
  ['76561197960270419', '76561197960270419'],
  ['steam:110000100001253', '76561197960270419'],
  ['steam:1100001FFFFFFFF', '76561202255233023'],
  ['https://steamcommunity.com/profiles/76561197960270419', '76561197960270419'],
  ['http://www.steamcommunity.com/profiles/76561197960270419/', '76561197960270419'],
  ['SteamCommunity.com/profiles/76561197960270419/home?l=german', '76561197960270419'],
  ['https://steamcommunity.com/profiles/[U:1:4691]', '76561197960270419'],
  // Not of Steam, or of no single account: as typed.
  ['STEAM_0:2:2345', 'STEAM_0:2:2345'],
  ['STEAM_0:1:', 'STEAM_0:1:'],
  ['STEAM_0:1:12345678901', 'STEAM_0:1:12345678901'],
  ['[U:1:x]', '[U:1:x]'],
  ['[G:1:4691]', '[G:1:4691]'],
  ['7656119796027041', '7656119796027041'],
  ['steam:110000200001253', 'steam:110000200001253'],
  ['license:ABC', 'license:ABC'],
  ['https://elsewhere.example/profiles/76561197960270419', 'https://elsewhere.example/profiles/76561197960270419'],
  ['', ''],
])('the identifier %s is compared as %s', async (typed, key) => {
  expect(await keyOf(platformIdKey('$1::text'), typed)).toBe(key)
})

test.each([
  ['Notch', 'nOTCH', true],
  ['ILKAY', 'ilkay', true],
  ['Zoë', 'zoë', true],
  ['Ann', 'Anna', false],
  ['a_b', 'a-b', false],
])('the names %s and %s are one: %s', async (one, other, are) => {
  expect((await keyOf(nameKey('$1::text'), one)) === (await keyOf(nameKey('$1::text'), other))).toBe(are)
})

test.each([
  ['minecraft', true],
  ['rust', true],
  ['minetest', true],
  ['openttd', false],
  ['protocol-openttd', false],
  ['terrariatshock', false],
  ['protocol-terraria', false],
])('%s ignores the case of names: %s', async (game, ignores) => {
  expect(isGameType(game)).toBe(true)
  const { rows } = await pool.query(`select ${ignoresCase('$1::text')} as ignores`, [game])
  expect(rows).toEqual([{ ignores }])
})

test.each([
  ['https://steamcommunity.com/id/ann', false],
  ['steamcommunity.com/id/ann/', false],
  ['WWW.steamcommunity.com', false],
  ['https://steamcommunity.com/profiles/ann', false],
  ['https://steamcommunity.com/profiles/76561197960270419', true],
  ['steamcommunity.com/profiles/[U:1:4691]/', true],
  ['STEAM_0:1:2345', true],
  ['steamcommunity', true],
  ['', true],
])('%s contains an identifier: %s', (given, contains) => {
  expect(isPlatformId(given)).toBe(contains)
})

// Statements repeat the indexes' expressions; a difference would make each question read all votes of its server.
test.each([
  ['votes_server_id_name_key_idx', `${nameKey('username')} = ${nameKey('$2::text')} and username <> ''`],
  [
    'votes_server_id_platform_id_key_idx',
    `${platformIdKey('game_platform_id')} = ${platformIdKey('$2::text')} and game_platform_id <> ''`,
  ],
])('%s answers what is asked with its expression', async (index, condition) => {
  const client = await pool.connect()
  await client.query('begin')
  await client.query('set local enable_seqscan = off')
  await client.query(
    'drop index votes_server_id_voted_at_idx, votes_server_id_username_idx, votes_server_id_game_platform_id_idx',
  )
  const { rows } = await client.query(`explain select id from votes where server_id = $1 and ${condition}`, [
    '00000000-0000-0000-0000-000000000000',
    'Ann',
  ])
  await client.query('rollback')
  client.release()
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(plan).toContain(index)
  expect(plan).toMatch(/Index Cond: .*AND/)
})
