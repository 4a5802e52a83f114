// The fields of a listing and their rules, and a new listing. All are public.
import * as z from 'zod'
import { DAY_MS } from '../../platform/durations.ts'
import { fold } from '../../platform/fold-text.ts'
import { line, maxLength, paragraphs, splitList, text, visible, webAddress } from '../../platform/text.ts'
import { explainInvalidGame, GAME_TYPE } from '../games/index.ts'
import { ADDRESS_PATTERN, normalizeAddress } from './address.ts'

/** A DNS name has at most 253 characters; the Unicode form of an international name may have more. */
const MAX_ADDRESS = 300
const MAX_RATES = 30
const MAX_LIST = 2000
const EARLIEST_WIPE = new Date('1990-01-01T00:00:00Z')

export const name = line(3, 100)
export const region = line(0, 50)
export const description = paragraphs(0, 2000)

function toAddress(input: string, context: z.core.$RefinementCtx<string>): string {
  const address = input.length <= MAX_ADDRESS ? normalizeAddress(input) : undefined
  if (address !== undefined) return address
  context.issues.push({ code: 'custom', message: 'must be an IPv4 or IPv6 address or a DNS name', input })
  return z.NEVER
}

export const ipAddress = text().transform(toAddress).meta({ maxLength: MAX_ADDRESS, pattern: ADDRESS_PATTERN })

/** Where players of the Bedrock edition connect; empty: nowhere. */
export const bedrockAddress = text()
  .transform((input, context) => (input === '' ? '' : toAddress(input, context)))
  .meta({ maxLength: MAX_ADDRESS, pattern: `^$|${ADDRESS_PATTERN}` })

export const port = z
  .int({ error: ({ input }) => (input === undefined ? 'is required' : 'must be a whole number') })
  .min(1, 'must be from 1 to 65535')
  .max(65_535, 'must be from 1 to 65535')

export const game = text()
  .superRefine((type, context) => {
    const problem = explainInvalidGame(type)
    if (problem) context.addIssue({ code: 'custom', message: problem })
  })
  .meta({ pattern: `^${GAME_TYPE}$` })

export const gameMode = z.enum(['PvP', 'PvE', 'PvPvE'], 'must be PvP, PvE or PvPvE')

/** The game of the Bedrock edition's servers, and the port that its clients assume. */
export const BEDROCK = { game: 'mbe', port: 19_132 } as const
/** The game whose listings may name a server of the Bedrock edition too. */
const JAVA = 'minecraft'

interface EditionFields {
  game: string
  bedrockAddress: string
  bedrockPort: number | undefined
}

/** @returns the field that breaks a rule, and the rule; undefined if all is well */
export function explainBedrock(listing: EditionFields): { field: keyof EditionFields; message: string } | undefined {
  if (listing.bedrockPort !== undefined && !listing.bedrockAddress)
    return { field: 'bedrockPort', message: 'must be given together with bedrockAddress' }
  if (listing.bedrockAddress && listing.game !== JAVA)
    return { field: 'bedrockAddress', message: `can be given only for the game ${JAVA}` }
  return undefined
}

/** `a,b` or `['a', 'b']`; each kept once; case and accents do not count. */
export const tags = z
  .union([z.string(), z.array(z.string())], 'must be a comma-separated string or a list of strings')
  .transform((input) => {
    const list = (typeof input === 'string' ? splitList(input) : input).map((tag) => tag.normalize('NFC').trim())
    const kept = new Map<string, string>()
    for (const tag of list) if (tag && !kept.has(fold(tag))) kept.set(fold(tag), tag)
    return [...kept.values()]
  })
  .pipe(
    z
      .array(
        z
          .string()
          .check(maxLength(30, 'must have at most 30 characters'), visible())
          .refine((tag) => !tag.includes(','), 'must not contain a comma'),
      )
      .max(10, 'must have at most 10 tags'),
  )

/** `xp:2,harvest:3.5` (comma-separated pairs name:number), names in lower case. */
export const rates = text().transform((input, context) => {
  const refuse = (message: string) => {
    context.issues.push({ code: 'custom', message, input })
    return z.NEVER
  }
  const pairs = splitList(input).map((pair) =>
    /^([\p{L}\p{N}][\p{L}\p{N} _-]{0,29}?)\s*:\s*(\d{1,9}(?:\.\d{1,6})?)$/u.exec(pair),
  )
  if (pairs.some((pair) => !pair)) return refuse('must be comma-separated pairs name:number, as xp:2,harvest:3.5')
  const named = new Map(pairs.map((pair) => [pair?.[1]?.toLowerCase() ?? '', Number(pair?.[2])]))
  if (named.size < pairs.length) return refuse('must name each rate only once')
  if (named.size > MAX_RATES) return refuse(`must have at most ${MAX_RATES} rates`)
  return [...named].map(([rate, number]) => `${rate}:${number}`).join(',')
})

/** Comma-separated names. */
export const mods = text()
  .check(maxLength(MAX_LIST), visible())
  .transform((text) => splitList(text).join(','))

/**
 * An ISO 8601 time. One day of tolerance covers time zones and clocks; a wipe in the future would count as recent
 * forever.
 */
export const lastWipeAt = z
  .union([z.iso.datetime({ offset: true }).transform((text) => new Date(text)), z.date()], 'must be an ISO 8601 time')
  .refine(
    (at) => at >= EARLIEST_WIPE && at.getTime() <= Date.now() + DAY_MS,
    'must be in the past, and not before 1990',
  )

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
const MAX_WIPE_DAYS = 366

/** An offset such as `+02:00` is none here: PostgreSQL reads its sign the other way round. */
function isTimeZone(name: string): boolean {
  if (/^[+\-\d]/.test(name)) return false
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

/**
 * Abbreviations that are names of IANA too. Of others, Node and PostgreSQL have different zones: of `IST` India and
 * Israel, of `PST` Los Angeles and a zone without summer time.
 */
const IANA_ABBREVIATIONS = new Set(['CET', 'EET', 'EST', 'GMT', 'HST', 'MET', 'MST', 'UCT', 'WET'])
const isAmbiguous = (zone: string) => /^[a-z]{2}t$/i.test(zone) && !IANA_ABBREVIATIONS.has(zone.toUpperCase())

const ZONE_RULE = 'must be a time zone as Europe/Berlin'

const storedWeekly = z.strictObject({
  weekday: z.enum(WEEKDAYS, `must be ${WEEKDAYS.slice(0, -1).join(', ')} or ${WEEKDAYS.at(-1)}`),
  time: text().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time as 19:30'),
  timeZone: text()
    .check(maxLength(50))
    .refine(isTimeZone, ZONE_RULE)
    .default('UTC')
    .describe('IANA time zone, of which summer time counts'),
})
const weekly = storedWeekly.refine(({ timeZone }) => !isAmbiguous(timeZone), { path: ['timeZone'], error: ZONE_RULE })
const at = z.iso.datetime({ offset: true, error: 'must be an ISO 8601 date and time' })

/** When a server wipes next; `next_wipe` in SQL has the same fields. */
export const storedWipeSchedule = z.union([storedWeekly, z.strictObject({ at })])

/** Times are stored in UTC: PostgreSQL reads fewer years and offsets than ISO 8601 allows. */
const once = z.strictObject({
  at: at
    .refine((at) => Date.parse(at) >= EARLIEST_WIPE.getTime(), 'must not be before 1990')
    .refine((at) => Date.parse(at) <= Date.now() + MAX_WIPE_DAYS * DAY_MS, `must be in the next ${MAX_WIPE_DAYS} days`)
    .transform((at) => new Date(at).toISOString()),
})
export const wipeSchedule = z.union(
  [weekly, once],
  'must be a weekday with a time as 19:30 and a time zone as Europe/Berlin, or a date and time in the next 366 days',
)

/**
 * A server to list: the fields of `createServer` and, for imports, of `updateServer`.
 * `game` defaults to the setting DEFAULT_GAME, the ports to the game's usual ones.
 */
export const NewServer = z.object({
  name,
  ipAddress,
  gamePort: port.optional(),
  queryPort: port.optional(),
  game: game.optional(),
  bedrockAddress: bedrockAddress.default(''),
  bedrockPort: port.optional(),
  nameFromServer: z.boolean('must be true or false').default(false),
  gameMode: gameMode.optional(),
  description: description.default(''),
  region: region.default(''),
  tags: tags.default([]),
  website: webAddress.default(''),
  chatUrl: webAddress.default(''),
  bannerUrl: webAddress.default(''),
  rates: rates.default(''),
  mods: mods.default(''),
  lastWipeAt: lastWipeAt.optional(),
})

export type NewServer = z.output<typeof NewServer>
/** The input before validation and normalization. */
export type NewServerInput = z.input<typeof NewServer>
