// The shares of answered polls, and numbers that sort like those of the month.
import type { Columns } from './columns.ts'

type Share = number | null

/** @param shares 0 to 1; null: no polls. @returns whether the order by the month's share may have changed */
export function setUptimes(columns: Columns, slot: number, shares: { day: Share; week: Share; month: Share }): boolean {
  const { day, week, month } = shares
  columns.uptimeDay[slot] = day ?? Number.NaN
  columns.uptimeWeek[slot] = week ?? Number.NaN
  columns.uptimeMonth[slot] = month ?? Number.NaN
  const order = month === null ? 0 : realBits(month) + 1
  if (order === columns.uptimeOrder[slot]) return false
  columns.uptimeOrder[slot] = order
  return true
}

const real = new Float32Array(1)
const bitsOfReal = new Int32Array(real.buffer)

/** The bits of a PostgreSQL `real`, which sort like the numbers unless these are negative. */
function realBits(value: number): number {
  real[0] = value
  return bitsOfReal[0] ?? 0
}
