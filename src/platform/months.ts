// Calendar months, UTC, as `2026-10`.

/** @param time epoch ms */
export const monthOfTime = (time: number): string => new Date(time).toISOString().slice(0, 7)

/** @param by in months; negative: before it. Months before the year 1 become its first. */
export function monthFrom(month: string, by: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  // Not by Date.UTC, which takes the years 0 to 99 for those of the last century.
  const months = Math.max(year * 12 + number - 1 + by, 12)
  return `${String(Math.floor(months / 12)).padStart(4, '0')}-${String((months % 12) + 1).padStart(2, '0')}`
}

export const monthBefore = (month: string): string => monthFrom(month, -1)
