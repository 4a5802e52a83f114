// Calendar months, UTC, as `2026-10`.

/** @param time epoch ms */
export const monthOfTime = (time: number): string => new Date(time).toISOString().slice(0, 7)

export function monthBefore(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  // Not by Date.UTC, which takes the years 0 to 99 for those of the last century.
  return number > 1
    ? `${String(year).padStart(4, '0')}-${String(number - 1).padStart(2, '0')}`
    : `${String(Math.max(year - 1, 1)).padStart(4, '0')}-12`
}
