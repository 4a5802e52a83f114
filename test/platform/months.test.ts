// Calendar months as text.
import { expect, it } from 'vitest'
import { monthBefore, monthFrom, monthOfTime } from '../../src/platform/months.ts'

it.each([
  ['2026-11', 0, '2026-11'],
  ['2026-11', 2, '2027-01'],
  ['2026-01', -1, '2025-12'],
  ['2026-11', -23, '2024-12'],
  ['0099-12', 1, '0100-01'],
  ['0001-01', -1, '0001-01'],
])('%s and %i months are %s', (month, by, other) => expect(monthFrom(month, by)).toBe(other))

it('a time is in its month by UTC, and the month before ends where it begins', () => {
  const end = Date.UTC(2027, 0, 1)
  expect([monthOfTime(end - 1), monthOfTime(end), monthBefore(monthOfTime(end))]).toEqual([
    '2026-12',
    '2027-01',
    '2026-12',
  ])
})
