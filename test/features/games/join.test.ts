// Joining a server: addresses as a game's client takes them, links that it understands, and nothing that a name
// can smuggle into them.
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { ASSUMES_USUAL_PORT, JOIN_LINKS, JOIN_NEEDS } from '../../../src/features/games/clients.ts'
import {
  connectAddressOf,
  games,
  hasUsualPort,
  isGameType,
  joinRequirement,
  joinUrlOf,
} from '../../../src/features/games/index.ts'

const SCHEMES = [
  ...['altv', 'et', 'fivem', 'minecraft', 'mtasa', 'mumble', 'rage', 'redm', 'samp', 'soldat', 'steam', 'ts3server'],
  'vintagestoryjoin',
]
const GIVEN = true
const LEFT_OUT = false

describe('the address that players type', () => {
  it.each([
    ['minecraft', 'play.example.org', 25565, GIVEN, 'play.example.org'],
    ['minecraft', 'play.example.org', 25570, GIVEN, 'play.example.org:25570'],
    ['minecraft', 'play.example.org', 30123, LEFT_OUT, 'play.example.org'], // found by SRV
    ['minecraft', '2001:db8::1', 25565, GIVEN, '[2001:db8::1]'],
    ['mbe', 'play.example.org', 19132, GIVEN, 'play.example.org'],
    ['mbe', 'play.example.org', 19133, GIVEN, 'play.example.org:19133'],
    ['teamspeak3', 'voice.example.org', 9987, LEFT_OUT, 'voice.example.org'],
    ['mumble', '203.0.113.5', 64738, GIVEN, '203.0.113.5'],
    ['gta5f', '203.0.113.5', 30121, GIVEN, '203.0.113.5:30121'],
    ['openarena', '203.0.113.5', 27960, GIVEN, '203.0.113.5'],
    ['ase', '203.0.113.5', 7777, GIVEN, '203.0.113.5:7777'], // its client assumes no port
    ['ase', 'ark.example.org', 7777, LEFT_OUT, 'ark.example.org:7777'],
    ['counterstrike16', '2001:db8::1', 27015, GIVEN, '[2001:db8::1]:27015'],
    ['protocol-valve', '203.0.113.5', 27015, GIVEN, '203.0.113.5:27015'],
  ])('of %s at %s, port %i, given: %s, is %5$s', (game, ipAddress, gamePort, gamePortGiven, address) => {
    expect(connectAddressOf({ game, ipAddress, gamePort, gamePortGiven })).toBe(address)
  })
})

const joinable = (server: { game: string } & Partial<Parameters<typeof joinUrlOf>[0]>) => ({
  name: 'Ann & Bob’s | server',
  ipAddress: 'play.example.org',
  gamePort: 4_000,
  queryPort: 4_001,
  gamePortGiven: GIVEN,
  ...server,
})

describe('the link that joins', () => {
  it.each([
    ['teamfortress2', 'steam://connect/play.example.org:4001'],
    ['rust', 'steam://connect/play.example.org:4001'],
    ['counterstrike2', 'steam://run/730//+connect%20play.example.org:4000'],
    ['factorio', 'steam://run/427520//--mp-connect%20play.example.org:4000/'],
    ['mbe', 'minecraft://?addExternalServer=Ann%20%26%20Bob%E2%80%99s%20%20%20server|play.example.org:4000'],
    ['gta5f', 'fivem://connect/play.example.org:4000'],
    ['rdr2r', 'redm://connect/play.example.org:4000'],
    ['gta5am', 'altv://connect/play.example.org%3A4000'],
    ['gta5r', 'rage://v/connect?ip=play.example.org:4000'],
    ['gtasamta', 'mtasa://play.example.org:4000'],
    ['gtasam', 'samp://play.example.org:4000'],
    ['mumble', 'mumble://play.example.org:4000/?version=1.2.0'],
    ['teamspeak3', 'ts3server://play.example.org?port=4000'],
    ['wet', 'et://play.example.org:4000'],
    ['soldat', 'soldat://play.example.org:4000'],
    ['minecraft', undefined],
    ['beammp', undefined],
    ['dayz', undefined],
    ['csgo', undefined],
    ['protocol-valve', undefined],
    ['toString', undefined],
  ])('of %s is %s', (game, url) => {
    expect(joinUrlOf(joinable({ game }))).toBe(url)
  })

  it.each([
    ['gta5f', 30120, 'fivem://connect/play.example.org'],
    ['mumble', 64738, 'mumble://play.example.org/?version=1.2.0'],
    ['teamspeak3', 9987, 'ts3server://play.example.org'],
    ['teamspeak3', 9990, 'ts3server://play.example.org'], // the SRV record's port is of another host
    ['mbe', 19132, 'minecraft://?addExternalServer=Bob|play.example.org:19132'],
  ])('of %s, whose owner gave no port (%i), leaves the port to the client: %s', (game, gamePort, url) => {
    expect(joinUrlOf(joinable({ game, name: 'Bob', gamePort, gamePortGiven: LEFT_OUT }))).toBe(url)
  })

  it.each([
    ['gta5f', 'fivem://connect/[2001:db8::1]:4000'],
    ['gta5am', 'altv://connect/%5B2001%3Adb8%3A%3A1%5D%3A4000'],
    ['mumble', 'mumble://[2001:db8::1]:4000/?version=1.2.0'],
    ['rust', undefined],
    ['gtasam', undefined],
  ])('of %s at an IPv6 address is %s', (game, url) => {
    expect(joinUrlOf(joinable({ game, ipAddress: '2001:db8::1' }))).toBe(url)
  })

  it('of Vintage Story is there for IPv4 addresses only, since the client cannot resolve names in links', () => {
    expect(joinUrlOf(joinable({ game: 'vintagestory' }))).toBeUndefined()
    expect(joinUrlOf(joinable({ game: 'vintagestory', ipAddress: '203.0.113.5' }))).toBe(
      'vintagestoryjoin://203.0.113.5:4000',
    )
  })

  it('is not made of text that is no address', () => {
    for (const ipAddress of ['', 'a b', 'a/b', 'a?b', 'a#b', 'a@b', '"><script>', 'a..b', 'fe80::1%eth0', '+exec x'])
      for (const game of linked) expect(joinUrlOf(joinable({ game, ipAddress }))).toBeUndefined()
  })

  it('is a URL of a known scheme without spaces, quotes and markup, for any name and port', () => {
    const port = fc.integer({ min: 1, max: 65_535 })
    const address = fc.constantFrom('play.example.org', '203.0.113.5', '2001:db8::1')
    const name = fc.string({ unit: 'binary', maxLength: 100 })
    fc.assert(
      fc.property(
        ...([fc.constantFrom(...linked), name, address, port, port, fc.boolean()] as const),
        (game, name, ipAddress, gamePort, queryPort, gamePortGiven) => {
          const url = joinUrlOf({ game, name, ipAddress, gamePort, queryPort, gamePortGiven })
          if (url === undefined) return
          expect(SCHEMES).toContain(new URL(url).protocol.slice(0, -1))
          expect(url).toMatch(/^[a-z0-9]+:\/\/[\w\-.~!*'()%:/?=+|[\]]*$/)
          expect(url.split('|').length).toBeLessThanOrEqual(2)
        },
      ),
    )
    expect(() => joinUrlOf(joinable({ game: 'mbe', name: 'half \ud83e' }))).not.toThrow()
  })
})

const TABLES = { ASSUMES_USUAL_PORT, JOIN_LINKS, JOIN_NEEDS }
const linked = JOIN_LINKS.flatMap((link) => link.games)

test.each(Object.entries(TABLES))('every game of %s can be listed, once, and each entry has a source', (_, table) => {
  const ids = table.flatMap((entry) => entry.games)
  expect(ids.filter((id) => !isGameType(id) || !Object.hasOwn(games, id))).toEqual([])
  expect(new Set(ids).size).toBe(ids.length)
  for (const { source } of table) expect(new URL(source).hostname).toMatch(/\./)
})

test('a port may be left out for games with a usual one, which all clients that assume a port have', () => {
  for (const id of ASSUMES_USUAL_PORT.flatMap((entry) => entry.games))
    expect([id, hasUsualPort(id)]).toEqual([id, true])
  expect(['minecraft', 'teamspeak3', 'rust', 'css'].filter((id) => !hasUsualPort(id))).toEqual([])
  expect(['discord', 'brink', 'protocol-valve', 'no-such-game'].filter(hasUsualPort)).toEqual([])
})

test('what a player’s game must have is known where a version or mods keep players out', () => {
  expect(joinRequirement('minecraft')).toBe('version')
  expect(joinRequirement('factorio')).toBe('version and mods')
  expect(joinRequirement('css')).toBeUndefined()
})
