// Hours come back from their bytes as they were.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeHours, encodeHours } from '../../../src/features/history/hour-bytes.ts'

const int4 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })
const hour = fc
  .record({
    at: fc.integer({ min: 0, max: 600_000 }).map((hours) => new Date(hours * 3_600_000)),
    polls: fc.nat({ max: 2 ** 31 - 1 }),
    missed: fc.nat(),
    playersSum: fc.oneof(fc.nat({ max: 5_000 }), int4),
    playersMax: fc.oneof(fc.nat({ max: 200 }), int4),
    maxPlayers: fc.oneof(fc.constant(70), int4),
  })
  .map(({ missed, ...rest }) => ({ ...rest, answered: Math.max(0, rest.polls - missed) }))

test('any hours, in any order', () => {
  fc.assert(
    fc.property(fc.uniqueArray(hour, { maxLength: 800, selector: ({ at }) => at.getTime() }), (hours) => {
      expect(decodeHours(encodeHours(hours))).toEqual(hours.toSorted((a, b) => a.at.getTime() - b.at.getTime()))
    }),
  )
})

test('bytes that are cut are an error, not other hours', () => {
  const at = (n: number) => new Date(n * 3_600_000)
  const hours = Array.from({ length: 720 }, (_, n) => ({
    at: at(n),
    polls: 60,
    answered: 59,
    playersSum: n * 7,
    playersMax: n % 70,
    maxPlayers: 70,
  }))
  const bytes = encodeHours(hours)
  expect(() => decodeHours(bytes.subarray(0, bytes.length - 4))).toThrow()
})
