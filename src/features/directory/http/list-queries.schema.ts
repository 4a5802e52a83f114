// Queries of the directory's lists and facets: filters, pages, order.
import * as z from 'zod'
import { optionalPage, pageQuery } from '../../../platform/http/paging.ts'
import { splitList } from '../../../platform/text.ts'
import { isOnlySelected, LIST_FIELDS, SELECTABLE_FIELDS } from '../engine/fields.ts'
import { type Filters, filters, oneOf, text } from '../engine/filters.ts'
import { readListCursor } from '../engine/list-cursor.ts'

const paging = pageQuery({ limit: 20, maxLimit: 100 })

export const PublicServersQuery = z.object({ ...paging, search: filters.search, map: filters.map })

/** The selected fields in the order of replies, each once, so that equal selections are equal; undefined: all. */
const fields = text(400)
  .transform((names, context) => {
    const selected = new Set<string>(splitList(names))
    const known = SELECTABLE_FIELDS.filter((field) => selected.delete(field))
    if (selected.size > 0) {
      const message = `must name only ${SELECTABLE_FIELDS.join(', ')}`
      context.issues.push({ code: 'custom', message, input: names })
    }
    const isWhole = known.length === 0 || (known.length === LIST_FIELDS.length && !known.some(isOnlySelected))
    return isWhole ? undefined : known
  })
  .describe(
    `Comma-separated fields that the items have; the reply is then a \`SelectedServerItemPage\`. Empty: all but \`playersByHour\` and \`standing\`. Of ${SELECTABLE_FIELDS.join(', ')}`,
  )

/** Cursors of an order by name are the longest: 100 × U+FDFA are folded to 1,800 characters, in base64url 4,500. */
const MAX_CURSOR = 5_000

/** Null: the first page by cursor. */
const cursor = text(MAX_CURSOR)
  .transform((given, context) => {
    const read = given === '' ? null : readListCursor(given)
    if (read !== undefined) return read
    context.issues.push({ code: 'custom', message: 'must be a nextCursor of this endpoint', input: given })
    return z.NEVER
  })
  // base64url of a list that begins with a text: the third letter depends on whether that begins with a letter.
  .meta({ pattern: '^(Wy[IJ][\\w-]+)?$' })
  .describe(
    '`nextCursor` of the previous page, with the same filters and order; empty: the first page. Not together with `page`',
  )

const hasMultiplierRange = ({ minMultiplier = 0, maxMultiplier = Number.POSITIVE_INFINITY }: Filters) =>
  minMultiplier <= maxMultiplier
const hasPlayerRange = ({ minPlayers = 0, maxPlayers = Number.POSITIVE_INFINITY }: Filters) => minPlayers <= maxPlayers
const NO_MULTIPLIER_RANGE = { path: ['minMultiplier'], error: 'must not be above maxMultiplier' }
const NO_PLAYER_RANGE = { path: ['minPlayers'], error: 'must not be above maxPlayers' }

export const FacetsQuery = z
  .object(filters)
  .refine(hasMultiplierRange, NO_MULTIPLIER_RANGE)
  .refine(hasPlayerRange, NO_PLAYER_RANGE)

export const ServersQuery = z
  .object({
    page: optionalPage,
    limit: paging.limit,
    cursor: cursor.optional(),
    fields: fields.optional(),
    ...filters,
    sortBy: oneOf([
      'score',
      'totalVotes',
      'monthlyVotes',
      'recentVotes',
      'currentPlayers',
      'createdAt',
      'name',
      'uptime',
      'lastWipeAt',
      'nextWipeAt',
      'rank',
      'random',
    ])
      .describe(
        'By default `totalVotes`; with `q` the best matches first: what the words name (a game, a country, a continent, a mode), then all words in the name, then in name, tags, mods and map, then with those in the description; correct words before misspelled ones, then most votes. ' +
          'Ties are sorted by age, oldest first, then by id. `score`: votes, which lose half their weight every ten days, and players, times uptime, as in ' +
          '`GET /servers/{id}/rank`; scores that differ by less than a millionth are equal. `recentVotes`: votes of the last 24 hours, up to two minutes old (503 while they can’t be read), counted for the 10,000 servers with the most. `uptime`: of the last ' +
          'month; unknown last, like `lastWipeAt` and `nextWipeAt`, which are compared by the second. `name`: by code units, case and accents do not count. `random`: needs `seed`',
      )
      .optional(),
    sortOrder: oneOf(['asc', 'desc'])
      .describe('Of `sortBy`. Default: `asc` for `name`, `rank` and `nextWipeAt`, else `desc`')
      .optional(),
    seed: text(100)
      .describe('For `sortBy=random`: each seed has an order of its own, which stays over all pages and processes')
      .optional(),
  })
  .refine(({ sortBy, seed }) => sortBy !== 'random' || seed, { path: ['seed'], error: 'is required by sortBy=random' })
  .refine(hasPlayerRange, NO_PLAYER_RANGE)
  .refine(hasMultiplierRange, NO_MULTIPLIER_RANGE)
  .refine(({ page, cursor }) => page === undefined || cursor === undefined, {
    path: ['cursor'],
    error: 'must not be given together with page',
  })
