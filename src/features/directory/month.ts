// Calendar months in UTC, as one number.

/** @returns months since year 0 of the month that holds this instant, as the feed's SQL counts them */
export function monthOf(epochMs: number): number {
  const date = new Date(epochMs)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}
