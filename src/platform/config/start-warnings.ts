// Warnings about settings that do not stop the start: one line each, without values that may be secret.
import { isIP } from 'node:net'
import { distance } from 'fastest-levenshtein'
import type { Settings } from './settings.ts'
import { SettingsSchema } from './settings-schema.ts'

/** @returns one line per warning */
export function startWarnings(env: Record<string, string | undefined>, settings: Settings): string[] {
  const mistyped = findMistyped(env).map(({ name, nearest }) => `${name} is not a setting: did you mean ${nearest}?`)
  const isProduction = settings.NODE_ENV === 'production'
  return [
    ...mistyped,
    ...(!isProduction && !isLoopback(settings.HOST) ? [exposed(settings)] : []),
    ...(isProduction && !settings.PUBLIC_BASE_URL.startsWith('https:') ? [unencrypted(settings)] : []),
  ]
}

const isLoopback = (host: string) => host === 'localhost' || host === '::1' || (isIP(host) === 4 && /^127\./.test(host))

const unencrypted = ({ PUBLIC_BASE_URL }: Settings) =>
  `PUBLIC_BASE_URL is ${new URL(PUBLIC_BASE_URL).origin}: session cookies are sent without Secure. Set the https address that people ` +
  'use and ALLOW_HTTP=false before others use this installation.'

const exposed = ({ HOST }: Settings) =>
  `HOST is ${HOST}, so other machines can reach this one, with settings meant for development: cookies without Secure, ` +
  'administrators without a verified address, connections to private addresses. Set NODE_ENV=production, or HOST=127.0.0.1.'

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
const MAX_DISTANCE = 2
const SHORT = 5

/**
 * Finds variables that are not settings but share a prefix with one or differ from one by at most two letters:
 * a mistyped setting silently keeps its default. Settings are upper case, so lower-case names
 * (`npm_config_port`) are skipped.
 * @returns their names, each with the nearest setting, in the order of the environment; never values
 */
export function findMistyped(env: Record<string, string | undefined>): { name: string; nearest: string }[] {
  return Object.keys(env).flatMap((name) => {
    if (KNOWN.includes(name) || FOREIGN.test(name) || !/^[A-Z][A-Z0-9_]*$/.test(name)) return []
    const nearest = nearestOf(name, KNOWN)
    if (distance(name, nearest) <= MAX_DISTANCE && (nearest.length > SHORT || nearest[0] === name[0]))
      return [{ name, nearest }]
    const prefix = [...PREFIXES].find((one) => name.startsWith(one))
    const related = KNOWN.filter((known) => prefix && known.startsWith(prefix))
    return related.length > 0 ? [{ name, nearest: nearestOf(name, related) }] : []
  })
}

const nearestOf = (name: string, candidates: readonly string[]): string =>
  candidates.reduce((best, one) => (distance(name, one) < distance(name, best) ? one : best))
