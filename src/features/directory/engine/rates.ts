// The multipliers that servers can be filtered by, from their `rates`.
import { addToSets, removeFromSets, type SetsByValue } from './facets.ts'
import type { Filters } from './filters.ts'
import { type Posting, unionOf } from './posting.ts'

const RATE = /^\s*(xp|taming|harvest)\s*:\s*(\d+(?:\.\d+)?)\s*$/i

/** The servers that have each multiplier. */
export type Multipliers = SetsByValue<number>

/**
 * @param rates comma-separated `name:number` pairs; spaces and case are ignored, and so are other names than `xp`,
 * `taming` and `harvest`
 * @returns the distinct multipliers; of a repeated name the last one counts
 */
export function readMultipliers(rates: string): Set<number> {
  const byName = new Map<string, number>()
  if (rates !== '')
    for (const pair of rates.split(',')) {
      const [, name, value] = RATE.exec(pair) ?? []
      if (name && value) byName.set(name.toLowerCase(), Number(value))
    }
  return new Set(byName.values())
}

export function replaceRates(multipliers: Multipliers, slot: number, before: string, after: string): void {
  if (before === after) return
  for (const multiplier of readMultipliers(before)) removeFromSets(multipliers, multiplier, slot)
  for (const multiplier of readMultipliers(after)) addToSets(multipliers, multiplier, slot)
}

/**
 * @param range inclusive @param slotsEnd used slots are below this
 * @returns the servers with at least one multiplier in the range; undefined if there are none
 */
export function havingMultiplierIn(
  multipliers: Multipliers,
  { minMultiplier: min = 0, maxMultiplier: max = Number.POSITIVE_INFINITY }: Filters,
  slotsEnd: number,
): Posting | undefined {
  const postings: Posting[] = []
  for (const [multiplier, posting] of multipliers) if (multiplier >= min && multiplier <= max) postings.push(posting)
  return unionOf(postings, slotsEnd)
}
