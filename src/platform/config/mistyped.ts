// Finds environment variables that look like mistyped settings: a mistyped setting silently keeps its default.
import { SettingsSchema } from './settings-schema.ts'

const KNOWN = Object.keys(SettingsSchema.shape)
/**
 * First words that other programs use too. A name that begins with one is reported only when it is close to a setting.
 */
const SHARED_WORDS = [
  'ADMIN',
  'ALLOW',
  'APP',
  'DATA',
  'DATABASE',
  'DEFAULT',
  'JUST',
  'LOG',
  'MAIL',
  'NODE',
  'PUBLIC',
  'STEAM',
  'TRUST',
]
const PREFIXES = new Set(
  KNOWN.flatMap((name) => {
    const [word = ''] = name.split('_', 1)
    return name.includes('_') && !SHARED_WORDS.includes(word) ? [`${word}_`] : []
  }),
)
/**
 * Set by operating systems, PostgreSQL clients and container platforms: `HOME` is two letters from `HOST`, `PGPORT`
 * from `PORT`.
 */
const FOREIGN = /^(HOME|PG[A-Z]+)$|_SERVICE_(HOST|PORT)(_\w+)?$|_PORT_\d+_(TCP|UDP)(_\w+)?$/
const MOST_LETTERS = 2
const SHORT = 5

export interface Mistyped {
  name: string
  /** The closest setting. */
  nearest: string
}

/**
 * Finds variables that are not settings but share a prefix with one or differ from one by at most two letters. Settings
 * are upper case, so lower-case names (`npm_config_port`) are skipped.
 * @returns names in the order of the environment, never values
 */
export function findMistyped(env: Record<string, string | undefined>): Mistyped[] {
  return Object.keys(env).flatMap((name) => {
    if (KNOWN.includes(name) || FOREIGN.test(name) || !/^[A-Z][A-Z0-9_]*$/.test(name)) return []
    const [nearest] = KNOWN.map((known) => ({ known, letters: lettersBetween(name, known) })).sort(
      (a, b) => a.letters - b.letters,
    )
    if (!nearest) return []
    if (nearest.letters <= MOST_LETTERS && (nearest.known.length > SHORT || nearest.known[0] === name[0]))
      return [{ name, nearest: nearest.known }]
    const prefix = [...PREFIXES].find((one) => name.startsWith(one))
    return prefix ? [{ name, nearest: nearestOf(name, prefix) }] : []
  })
}

function nearestOf(name: string, prefix: string): string {
  const candidates = KNOWN.filter((known) => known.startsWith(prefix))
  return candidates.reduce((best, one) => (lettersBetween(name, one) < lettersBetween(name, best) ? one : best))
}

/** Optimal string alignment distance: letters to insert, delete, replace or swap with their neighbor. */
function lettersBetween(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => [i])
  for (let j = 1; j <= b.length; j++) rows[0]?.push(j)
  const at = (i: number, j: number) => rows[i]?.[j] ?? Infinity
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const differs = a[i - 1] === b[j - 1] ? 0 : 1
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwap ? at(i - 2, j - 2) + 1 : Infinity
      rows[i]?.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + differs, swapped))
    }
  return at(a.length, b.length)
}
