// Reads the multipliers that can be filtered by out of a server's `rates` text.

export interface Multipliers {
  xp: number
  taming: number
  harvest: number
}

/** @returns the lowest and the highest of those that are known; NaN when none is */
export function multiplierRange({ xp, taming, harvest }: Multipliers): [lowest: number, highest: number] {
  const known = [xp, taming, harvest].filter((value) => !Number.isNaN(value))
  return known.length === 0 ? [Number.NaN, Number.NaN] : [Math.min(...known), Math.max(...known)]
}

const RATE = /^\s*(xp|taming|harvest)\s*:\s*(\d+(?:\.\d+)?)\s*$/i

/**
 * @param rates comma-separated `name:number` pairs (interface.md §2); spaces and case don't matter, other names are ignored
 * @returns the three multipliers, NaN where the text has none; of a name given twice the last counts
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
