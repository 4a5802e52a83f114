// Parses the multipliers that can be filtered by from a server's `rates`.
import type { Columns } from './columns.ts'

const RATE = /^\s*(xp|taming|harvest)\s*:\s*(\d+(?:\.\d+)?)\s*$/i

/**
 * @param rates comma-separated `name:number` pairs; spaces and case are ignored, and so are other names
 * @returns the three multipliers, NaN for those that are missing; of a repeated name the last value counts
 */
export function readMultipliers(rates: string) {
  const found = { xp: Number.NaN, taming: Number.NaN, harvest: Number.NaN }
  if (rates === '') return found
  for (const pair of rates.split(',')) {
    const [, name, value] = RATE.exec(pair) ?? []
    if (name && value) found[name.toLowerCase() as keyof typeof found] = Number(value)
  }
  return found
}

export function setMultipliers(columns: Columns, slot: number, rates: string): void {
  const { xp, taming, harvest } = readMultipliers(rates)
  columns.xp[slot] = xp
  columns.taming[slot] = taming
  columns.harvest[slot] = harvest
}
