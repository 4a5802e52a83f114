// The list of games is the installed gamedig's, and default ports are those that its servers usually use.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { games, protocols } from 'gamedig'
import { expect, test } from 'vitest'
import { renderGames } from '../../../dev/games/render.ts'
import { suggestGames } from '../../../src/features/games/game-types.ts'
import {
  gameName,
  isGameType,
  games as listed,
  refusalReason,
  typedNames,
  usualGamePort,
  usualQueryPort,
} from '../../../src/features/games/index.ts'

test('games.ts is what `npm run games` writes from the installed gamedig', () => {
  expect(readFileSync('src/features/games/games.ts', 'utf8')).toBe(renderGames(games, Object.keys(protocols)))
})

test('every game and every protocol of gamedig can be listed unless it is refused with a reason, and nothing else', () => {
  const types = [...Object.keys(games), ...Object.keys(protocols).map((protocol) => `protocol-${protocol}`)]
  for (const type of types) expect([type, isGameType(type)]).toEqual([type, refusalReason(type) === undefined])
  expect(types.filter((type) => !isGameType(type))).toHaveLength(7)
  expect(suggestGames('Hawakening').join()).not.toMatch(/hawakening/i)
  for (const other of ['', 'nothing', 'valve', 'protocol-nothing', 'toString']) expect(isGameType(other)).toBe(false)
})

test.each([
  ['ase', 7777, 27015],
  ['ase', 7779, 27015],
  ['rust', 28017, 28017],
  ['arma3', 2402, 2403],
  ['dayz', 2302, 27016],
  ['dayz', 50_000, 50_000],
  ['vrising', 9876, 9877],
  ['openarena', 27961, 27961],
  ['codenameeagle', 24711, 4711],
  ['protocol-valve', 27020, 27020],
])('a server of %s at game port %i is queried at %i', (game, gamePort, queryPort) => {
  expect(usualQueryPort(game, gamePort)).toBe(queryPort)
})

test.each([
  ['ase', 27015, 7777],
  ['ase', 27020, 27020],
  ['arma3', 2403, 2402],
  ['dayz', 100, 100],
  ['openarena', 27961, 27961],
  ['discord', 443, 443],
])('a server of %s that answers queries at %i is played at %i', (game, queryPort, gamePort) => {
  expect(usualGamePort(game, queryPort)).toBe(gamePort)
})

test('the usual ports are valid for any game and port', () => {
  const port = fc.integer({ min: 1, max: 65_535 })
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(listed), 'protocol-valve'), port, (game, given) => {
      for (const usual of [usualQueryPort(game, given), usualGamePort(game, given)]) {
        expect(usual).toBeGreaterThanOrEqual(1)
        expect(usual).toBeLessThanOrEqual(65_535)
      }
    }),
  )
})

test('every type has a name that people read, and each short form means types that can be listed', () => {
  const types = [...Object.keys(listed), ...Object.keys(protocols).map((protocol) => `protocol-${protocol}`)]
  for (const type of types) expect(gameName(type)).toMatch(/^([A-Z0-9]|alt:V|netPanzer|rFactor)/)
  for (const type of types.filter(isGameType)) expect(gameName(type)).not.toMatch(/^protocol-|Labratory/)
  for (const [name, meant] of typedNames())
    for (const type of meant) expect([name, Object.hasOwn(listed, type)]).toEqual([name, true])
  expect(gameName('unturned')).toBe('Unturned')
  expect(gameName('protocol-valve')).toBe('Other game (Steam)')
  expect(gameName('toString')).toBe('toString')
})

test('a wrong type is answered with the nearest three', () => {
  expect(suggestGames('Quake 3')).toContain('q3a (Quake 3: Arena)')
  expect(suggestGames('minecraft')[0]).toBe('minecraft (Minecraft)')
  expect(suggestGames('minecarft')[0]).toBe('minecraft (Minecraft)')
  expect(suggestGames('cs2')[0]).toBe('counterstrike2 (Counter-Strike 2)')
  expect(suggestGames('Conan Exils')[0]).toBe('conanexiles (Conan Exiles)')
  fc.assert(
    fc.property(fc.string(), (typed) => {
      expect(suggestGames(`x${typed}`)).toHaveLength(3)
    }),
  )
  expect(suggestGames('???')).toEqual([])
})
