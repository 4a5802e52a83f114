// The addresses of games' pages.
import { expect, it } from 'vitest'
import { gameTypes } from '../../../src/features/games/game-types.ts'
import { gameOfSlug, gamePath } from '../../../src/features/games/slugs.ts'

it('every type that can be listed has an address of its own, made of the words of its name', () => {
  const types = gameTypes().map(({ id }) => id)
  const paths = types.map(gamePath)
  expect(new Set(paths).size).toBe(types.length)
  for (const path of paths) expect(path).toMatch(/^\/games\/[a-z0-9]+(-[a-z0-9]+)*$/)
  expect(types.map((type) => gameOfSlug(gamePath(type).slice('/games/'.length)))).toEqual(types)
  expect([gamePath('garrysmod'), gamePath('ase')]).toEqual(['/games/garrys-mod', '/games/ark-survival-evolved'])
})
