// What the formula of scores does with servers of known kinds in three simulated years, against the
// formulas it was chosen from.
import { expect, test } from 'vitest'
import { HALF_LIFE_DAYS, playedVotes, uptimeFactor } from '../../../src/features/votes/index.ts'
import { DAYS, type Formula, type Kind, simulate } from './simulated-years.ts'

const chosen: Formula = { halfLifeHours: HALF_LIFE_DAYS * 24, playedVotes, factor: uptimeFactor }
const days = simulate(chosen)

const placeOn = (day: number, kind: Kind, of = days): number =>
  (of[day] ?? []).findIndex((one) => one.kind === kind) + 1
const daysUntil = (from: number, holds: (day: number) => boolean): number => {
  for (let day = from; day < DAYS; day++) if (holds(day)) return day - from
  return Number.POSITIVE_INFINITY
}
const isAbove = (day: number, kind: Kind, other: Kind, of = days) => placeOn(day, kind, of) < placeOn(day, other, of)

test('a giant that people leave falls behind a steady server within a month', () => {
  expect(isAbove(729, 'old giant', 'steady server')).toBe(true)
  expect(daysUntil(730, (day) => isAbove(day, 'steady server', 'old giant'))).toBeLessThanOrEqual(30)
  const ofAllTime = simulate({ ...chosen, halfLifeHours: 1e9 })
  expect(daysUntil(730, (day) => isAbove(day, 'steady server', 'old giant', ofAllTime))).toBe(Number.POSITIVE_INFINITY)
})

test('a good newcomer passes it in days, and a steady server with fewer votes in two weeks', () => {
  expect(daysUntil(1000, (day) => isAbove(day, 'newcomer', 'old giant'))).toBeLessThanOrEqual(8)
  expect(daysUntil(1000, (day) => isAbove(day, 'newcomer', 'steady server'))).toBeLessThanOrEqual(14)
})

test('a thousand bought votes are never first, and above a steady server for less than a week', () => {
  const afterwards = Array.from({ length: DAYS - 1050 }, (_, n) => 1050 + n)
  expect(afterwards.filter((day) => placeOn(day, 'buyer') === 1)).toEqual([])
  expect(afterwards.filter((day) => isAbove(day, 'buyer', 'steady server')).length).toBeLessThan(7)
  const halfOf = simulate({ ...chosen, halfLifeHours: 120 })
  expect(afterwards.filter((day) => isAbove(day, 'buyer', 'steady server', halfOf)).length).toBeGreaterThanOrEqual(6)
})

test('a seasonal server comes up in its season and goes down after it', () => {
  expect(placeOn(1079, 'seasonal server')).toBeGreaterThan(4)
  expect(placeOn(1092, 'seasonal server')).toBeLessThanOrEqual(2)
})

test('a giant that went away is behind all servers with people after a day, and without the factor first for weeks', () => {
  expect(placeOn(1039, 'dead giant')).toBe(1)
  expect(isAbove(1041, 'quiet server', 'dead giant')).toBe(true)
  const withoutFactor = simulate({ ...chosen, factor: () => 1 })
  expect(placeOn(1048, 'dead giant', withoutFactor)).toBe(1)
  const byWeek = simulate({ ...chosen, factor: ({ week }) => week ** 2 })
  expect(placeOn(1042, 'dead giant', byWeek)).toBe(1)
})

test('six hours away a day cost a server a twentieth of its score', () => {
  const scoreOf = (kind: Kind) => days.at(-1)?.find((one) => one.kind === kind)?.score ?? 0
  expect(scoreOf('shaky server') / scoreOf('steady server')).toBeCloseTo(0.945, 2)
})

test('invented players are worth at most four votes a day, so never above a server that people vote for', () => {
  expect(24 * playedVotes(1e9)).toBe(4)
  expect(daysUntil(0, (day) => isAbove(day, 'liar', 'buyer'))).toBe(Number.POSITIVE_INFINITY)
  const byPlayers = simulate({ ...chosen, playedVotes: (people) => people / 2400 })
  expect(placeOn(DAYS - 1, 'liar', byPlayers)).toBe(1)
})

test('servers without votes are in the order of their players', () => {
  expect(isAbove(DAYS - 1, 'quiet server', 'empty server')).toBe(true)
})
