// Who of the players are people, by what each protocol reports.
import { protocols, type QueryResult } from 'gamedig'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { startSimulatedServer } from '../../../dev/simulator/server.ts'
import { BOTS, countPeople } from '../../../workers/polling/people.ts'
import { openAsk, udpServer } from './far-end.ts'
import { inheritedSources, resultWith } from './gamedig-results.ts'

const list = (length: number, raw: object = {}) => Array.from({ length }, (_, n) => ({ name: `${n}`, raw }))

describe('an answer counts people and bots apart', () => {
  it('of a Source server', async () => {
    const server = await startSimulatedServer({ address: '127.88.0.1', info: { players: 12, bots: 5 } })
    onTestFinished(server.close)
    expect(await openAsk()('teamfortress2', server)).toMatchObject({ players: 7, bots: 5 })
  })

  it('of a Quake III server, whose bots have a ping of 0', async () => {
    const place = await udpServer('127.88.0.2', (_request, reply) =>
      reply(
        Buffer.from(
          '\xff\xff\xff\xffstatusResponse\n\\sv_hostname\\Q\\mapname\\q3dm17\\sv_maxclients\\16\\g_needpass\\0\n' +
            '5 48 "Ann"\n3 0 "Sarge"\n2 0 "Visor"\n',
          'latin1',
        ),
      ),
    )
    expect(await openAsk()('q3a', place)).toMatchObject({ players: 1, bots: 2, hasPassword: false })
  })
})

test.each<[string, string, Partial<QueryResult>, { players: number; bots: number }]>([
  ['valve', 'some bots', { numplayers: 9, raw: { numbots: 4, appId: 440 } }, { players: 5, bots: 4 }],
  ['valve', 'bots only', { numplayers: 4, raw: { numbots: 4 } }, { players: 0, bots: 4 }],
  [
    'valve',
    'Counter-Strike, whose number is of people',
    { numplayers: 1, raw: { numbots: 7, appId: 730 } },
    { players: 1, bots: 7 },
  ],
  ['goldsrc', 'nothing about bots', { numplayers: 6, raw: { protocol: 48 } }, { players: 6, bots: 0 }],
  ['quake3', 'lists', { numplayers: 5, players: list(3), bots: list(2) }, { players: 3, bots: 2 }],
  ['doom3', 'lists', { numplayers: 3, players: list(3), bots: list(0) }, { players: 3, bots: 0 }],
  ['unreal2', 'bots in the number', { numplayers: 8, players: list(3), bots: list(5) }, { players: 3, bots: 5 }],
  [
    'unreal2',
    'bots in the number as far as slots go',
    { numplayers: 15, players: list(10), bots: list(10) },
    { players: 10, bots: 10 },
  ],
  ['unreal2', 'bots apart', { numplayers: 3, players: list(3), bots: list(5) }, { players: 3, bots: 5 }],
  ['unreal2', 'bots only', { numplayers: 0, bots: list(5) }, { players: 0, bots: 5 }],
  ['unreal2', 'a list that lacks players', { numplayers: 20, players: list(6) }, { players: 20, bots: 0 }],
  [
    'gamespy3',
    'Battlefield’s bots',
    { numplayers: 5, players: [...list(2), ...list(3, { AIBot: '1' })] },
    { players: 2, bots: 3 },
  ],
  ['rfactor', 'bots apart', { numplayers: 3, raw: { bots: 10 } }, { players: 3, bots: 10 }],
  ['renegadex', 'bots apart', { numplayers: 3, raw: { Bots: 10 } }, { players: 3, bots: 10 }],
  ['minecraft', 'no bots', { numplayers: 3, raw: { numbots: 2 } }, { players: 3, bots: 0 }],
  [
    'teamspeak3',
    'programs that query it',
    { numplayers: '5', raw: { virtualserver_clientsonline: '5', virtualserver_queryclientsonline: '2' } },
    { players: 3, bots: 0 },
  ],
])('%s with %s', (protocol, _what, part, counts) => {
  expect(countPeople(protocol, resultWith(part))).toEqual(counts)
})

test('more bots than players, and numbers of any type or size, stay within bounds', () => {
  expect(countPeople('valve', resultWith({ numplayers: 3, raw: { numbots: 255 } }))).toEqual({ players: 0, bots: 3 })
  const values: unknown[] = [-1, 1e300, Number.NaN, Number.POSITIVE_INFINITY, '7', 'x', {}, [3], null, undefined, true]
  for (const protocol of Object.keys(BOTS))
    for (const numplayers of values)
      for (const bots of values) {
        const raw = { numbots: bots, bots, Bots: bots }
        const counts = countPeople(protocol, resultWith({ numplayers, raw, players: bots, bots }))
        for (const number of [counts.players, counts.bots]) {
          expect(Number.isInteger(number)).toBe(true)
          expect(number).toBeGreaterThanOrEqual(0)
          expect(number).toBeLessThanOrEqual(1_000_000)
        }
      }
})

test('gamedig reads bots for these protocols; an update that changes this needs a decision', () => {
  const reading = Object.keys(protocols).filter((id) =>
    /\bstate\.bots\.push\b|\bstate\.bots\)|\bnumbots\b|raw\.bots\b/.test(inheritedSources(id)),
  )
  // gamedig leaves their fields as they are.
  const UNREAD = ['gamespy3', 'renegadex']
  expect(reading.sort()).toEqual(
    Object.keys(BOTS)
      .filter((id) => !UNREAD.includes(id))
      .sort(),
  )
})
