// The filters of the list of servers: validation, types and the OpenAPI document's words.
import * as z from 'zod'
import { isCountry } from '../../../platform/countries.ts'
import { fold } from '../../../platform/fold-text.ts'
import { flag, wholeNumber, withOpenApiSchema } from '../../../platform/http/query.ts'
import { maxLength, splitList } from '../../../platform/text.ts'
import { explainInvalidGame, GAME_TYPE } from '../../games/index.ts'

/** Text in a query. */
export const text = (max: number) => z.string('must be given once').check(maxLength(max))

const MAX_MULTIPLIED = 1_000_000_000
const MAX_PLAYERS = 1_000_000_000

/** A multiplier may have up to 30 decimal places, because clients calculate with floating-point numbers. */
const multiplier = z
  .string('must be given once')
  .regex(/^\d{1,10}(\.\d{1,30})?$/, { error: 'must be a number, not negative', abort: true })
  .transform(Number)
  .pipe(z.number().max(MAX_MULTIPLIED, `must be at most ${MAX_MULTIPLIED}`))
  .meta(withOpenApiSchema({ type: 'number', minimum: 0, maximum: MAX_MULTIPLIED }))

const within = (unit: string) =>
  wholeNumber(1, 3650).describe(`Only servers ${unit} in the last so many days`).optional()

const share01 = z
  .string('must be given once')
  .regex(/^\d(\.\d{1,30})?$/, { error: 'must be a number from 0 to 1', abort: true })
  .transform(Number)
  .pipe(z.number().max(1, 'must be a number from 0 to 1'))
  .meta(withOpenApiSchema({ type: 'number', minimum: 0, maximum: 1 }))

/** Comma-separated values without repetition. */
const listOf = (max: number) => text(max).transform((values) => [...new Set(splitList(values))])

/** The pattern in the OpenAPI document. The server also accepts spaces and empty parts, but no client needs them. */
const listPattern = (item: string) => `^(${item}(,${item})*)?$`

export const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, `must be one of ${values.join(', ')}`)

/** The filters that select servers: the same for lists and counts. */
export const filters = {
  q: text(200)
    .describe(
      'Words in the name, tags, mods, map or description, all of them in any order, each possibly only the beginning of a word; from five letters on with one typo. Words of one or two letters count in the description only as whole words. Symbols such as emoji are found in the name only. Punctuation counts only in a query without words, which is a part of the name then. Case and accents do not count; empty: all. ' +
        'Words that name a game (also shortly: `cs2`, `mc`), a country, a continent or a mode find its servers too, the last name also while it is incomplete. An address, with or without a port, finds only the servers at it, if there are any',
    )
    .optional(),
  search: text(100).describe('Part of the server’s name; case and accents do not count; empty: all').optional(),
  map: text(200).describe('Name of the map; case and accents do not count; empty: all').optional(),
  game: listOf(400)
    .superRefine((types, context) => {
      for (const message of types.map(explainInvalidGame).filter((problem) => problem !== undefined))
        context.addIssue({ code: 'custom', message })
    })
    .meta({ pattern: listPattern(GAME_TYPE) })
    .describe('Comma-separated gamedig type ids; servers of any of them')
    .optional(),
  country: text(400)
    .transform((codes) => [...new Set(splitList(fold(codes).toUpperCase()))])
    .refine((codes) => codes.every(isCountry), 'must be country codes of ISO 3166-1 alpha-2, such as DE,AT')
    .meta({ pattern: listPattern('[A-Za-z]{2}') })
    .describe('Comma-separated country codes (ISO 3166-1 alpha-2); servers in any of them')
    .optional(),
  gameMode: oneOf(['PvP', 'PvE', 'PvPvE']).optional(),
  region: text(50)
    .describe('Name of the region, also of one derived from the country; case and accents do not count; empty: all')
    .optional(),
  tags: listOf(400)
    .describe('Comma-separated tags; case and accents do not count; only servers that have all of them')
    .optional(),
  onlineOnly: flag.describe('`true`: only servers that are online. `false` does not filter').optional(),
  justWiped: flag
    .describe(
      '`true`: only recently wiped servers (7 days, unless the operator set another period). `false` does not filter',
    )
    .optional(),
  minMultiplier: multiplier
    .describe('Only servers with at least one of the rates `xp`, `taming` and `harvest` in the range, bounds included')
    .optional(),
  maxMultiplier: multiplier.describe('Upper bound of the range').optional(),
  minPlayers: wholeNumber(0, MAX_PLAYERS).describe('Only servers with at least as many players now').optional(),
  maxPlayers: wholeNumber(0, MAX_PLAYERS).describe('Only servers with at most as many players now').optional(),
  hasFreeSlots: flag.describe('`true`: only online servers that are not full. `false` does not filter').optional(),
  notEmpty: flag.describe('`true`: only servers with players. `false` does not filter').optional(),
  minUptime: share01.describe('Only servers with at least this uptime in the last month').optional(),
  hasPassword: flag
    .describe('`true`: only servers that need a password. `false`: only servers that are not known to need one')
    .optional(),
  isFeatured: flag.describe('`true`: only servers with a running placement. `false` does not filter').optional(),
  isVerified: flag.describe('`true`: only servers with a proven owner. `false` does not filter').optional(),
  isClaimed: flag
    .describe('`true`: only servers that an account owns. `false`: only servers that none owns')
    .optional(),
  version: text(100)
    .describe('Version that the game server reports; case and accents do not count; empty: all')
    .optional(),
  wipedWithinDays: within('wiped'),
  wipesWithinDays: wholeNumber(1, 3650)
    .describe('Only servers whose owner says that they wipe within as many days')
    .optional(),
  createdWithinDays: within('listed'),
}

/** Filters that are undefined or empty do not filter. */
export type Filters = z.output<z.ZodObject<typeof filters>>
