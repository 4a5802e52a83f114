// How many players an answer reports: the protocol's own number, and the length of a list only without one.
import { protocols } from 'gamedig'
import { describe, expect, test } from 'vitest'
import { LISTS_ONLY, reportedPlayers } from '../../../workers/polling/player-count.ts'
import { httpServer, openAsk } from './far-end.ts'
import { inheritedSources } from './gamedig-results.ts'
import { minecraftServer } from './minecraft-server.ts'

const HOVER = Array.from({ length: 12 }, (_, n) => ({ id: `00000000-0000-0000-0000-${n}`, name: `§6Line ${n}` }))

test.each(['minecraft', 'protocol-minecraftvanilla'])(
  '%s with no player online has none, however many lines its list shows',
  async (game) => {
    const place = await minecraftServer('127.86.0.1', { players: { online: 0, max: 50, sample: HOVER } })
    expect(await openAsk({ tries: [400] })(game, place)).toMatchObject({ answered: true, players: 0, maxPlayers: 50 })
  },
)

test('ElDewrito’s own number counts; without it, the list', async () => {
  let status: object = { numPlayers: 0 }
  const place = await httpServer('127.86.0.2', (_req, res) =>
    res.end(JSON.stringify({ name: 'E', maxPlayers: 16, players: [{ name: 'a' }, { name: 'b' }], ...status })),
  )
  expect(await openAsk()('protocol-eldewrito', place)).toMatchObject({ answered: true, players: 0 })
  status = {}
  expect(await openAsk()('protocol-eldewrito', place)).toMatchObject({ answered: true, players: 2 })
})

describe('the number of', () => {
  test.each<[string, object, number, unknown]>([
    ['brokeprotocol', { playercount: 0 }, 9, 0],
    ['brokeprotocol', {}, 9, 9],
    ['fivem', { clients: '0' }, 0, '0'],
    ['fivem', { clients: '7' }, 0, '7'],
    ['gamespy1', { numplayers: 5 }, 0, 5],
    ['gamespy1', { numplayers: '' }, 3, 3],
    ['hytale', { universe: { CurrentPlayers: 0 } }, 0, 0],
    ['hytale', {}, 0, 12],
    ['kspdmp', { player_count: 2 }, 12, 2],
    ['minetest', { clients: 0 }, 12, 0],
    ['mumble', {}, 0, 12],
    ['tribes1', { playerCount: 6 }, 0, 6],
    ['valve', {}, 0, 0],
    ['ventrilo', { CLIENTCOUNT: '3' }, 12, '3'],
  ])('%s with %j beside a list of twelve', (protocol, raw, numplayers, players) => {
    const result = { name: '', map: '', version: '', maxplayers: 20, players: HOVER, numplayers, raw }
    expect(reportedPlayers(protocol, result)).toBe(players)
  })
})

test('gamedig leaves the number at 0 for these protocols; an update that changes this needs a decision', () => {
  const uncounted = Object.keys(protocols).filter((id) => !/\bstate\.numplayers = /.test(inheritedSources(id)))
  const LISTS_OF_SERVERS = ['beammpmaster', 'tribes1master', 'vintagestorymaster']
  expect(uncounted.filter((id) => !LISTS_OF_SERVERS.includes(id)).sort()).toEqual(
    // hytale's depends on what the server's query plugin may report.
    [...LISTS_ONLY].filter((id) => id !== 'hytale').sort(),
  )
})
