// How far a typed name is from a known one, to suggest what was meant.
import { distance } from 'fastest-levenshtein'

/** Longer than any name; bounds the comparison. */
const MAX_TYPED = 80

/** Upper case, spaces and signs do not distinguish names: `per_page` is `perPage`. */
export const normalizeName = (name: string): string =>
  name
    .slice(0, MAX_TYPED)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')

/**
 * @returns 0 for the same plain name, 1 if the known begins with the typed, 2 if it contains it, else 3 to 4 by
 * how many letters differ
 */
export function nameDistance(typed: string, known: string): number {
  const [a, b] = [normalizeName(typed), normalizeName(known)]
  if (a === '') return 4
  if (a === b) return 0
  if (b.startsWith(a)) return 1
  if (b.includes(a)) return 2
  return 3 + distance(a, b) / Math.max(a.length, b.length)
}
