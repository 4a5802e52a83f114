// Finds environment variables that look like mistyped settings: a mistyped setting silently keeps its default.
import { distance } from 'fastest-levenshtein'
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
  'OTEL',
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
    const nearest = nearestOf(name, KNOWN)
    if (distance(name, nearest) <= MOST_LETTERS && (nearest.length > SHORT || nearest[0] === name[0]))
      return [{ name, nearest }]
    const prefix = [...PREFIXES].find((one) => name.startsWith(one))
    const related = KNOWN.filter((known) => prefix && known.startsWith(prefix))
    return related.length > 0 ? [{ name, nearest: nearestOf(name, related) }] : []
  })
}

const nearestOf = (name: string, candidates: readonly string[]): string =>
  candidates.reduce((best, one) => (distance(name, one) < distance(name, best) ? one : best))
