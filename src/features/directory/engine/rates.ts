// Parses the multipliers that can be filtered by from a server's `rates`.
import type { Columns } from './columns.ts'

export interface Multipliers {
  xp: number
  taming: number
  harvest: number
}

/** @returns the lowest and the highest known one; NaN if none is known */
export function multiplierRange({ xp, taming, harvest }: Multipliers): [lowest: number, highest: number] {
  const known = [xp, taming, harvest].filter((value) => !Number.isNaN(value))
  return known.length === 0 ? [Number.NaN, Number.NaN] : [Math.min(...known), Math.max(...known)]
}

const RATE = /^\s*(xp|taming|harvest)\s*:\s*(\d+(?:\.\d+)?)\s*$/i

/**
 * @param rates comma-separated `name:number` pairs; spaces and case are ignored, and so are other names
 * @returns the three multipliers, NaN for those that are missing; of a repeated name the last value counts
 */
export function readMultipliers(rates: string): Multipliers {
  const found: Multipliers = { xp: Number.NaN, taming: Number.NaN, harvest: Number.NaN }
  if (rates === '') return found
  for (const pair of rates.split(',')) {
    const [, name, value] = RATE.exec(pair) ?? []
    if (name && value) found[name.toLowerCase() as keyof Multipliers] = Number(value)
  }
  return found
}

export function setMultipliers(columns: Columns, slot: number, rates: string): void {
  const multipliers = readMultipliers(rates)
  columns.xp[slot] = multipliers.xp
  columns.taming[slot] = multipliers.taming
  columns.harvest[slot] = multipliers.harvest
  const [lowest, highest] = multiplierRange(multipliers)
  columns.lowestMultiplier[slot] = lowest
  columns.highestMultiplier[slot] = highest
}
