// Requests and responses of the directory's other endpoints: mods, comparison, suggestions.
import * as z from 'zod'
import { wholeNumberWithDefault } from '../../../platform/http/query.ts'
import { maxLength } from '../../../platform/text.ts'
import { HALF_LIFE_DAYS, MAX_PEOPLE } from '../../votes/index.ts'
import { RankedServerDetail, ServerBrief } from './directory.schema.ts'

export const Mods = z.object({
  mods: z.array(z.object({ name: z.string() })).describe('In the owner’s order'),
})

const MAX_COMPARED_WITH = 4

export const CompareQuery = z.object({
  with: z
    .string({ error: ({ input }) => (input === undefined ? 'is required' : 'must be given once') })
    .check(maxLength(400))
    .transform((ids) => ids.split(',').map((id) => id.trim().toLowerCase()))
    .refine((ids) => ids.every((id) => id !== ''), { error: 'must name 1 to 4 other servers', abort: true })
    .refine((ids) => ids.length <= MAX_COMPARED_WITH, `must name at most ${MAX_COMPARED_WITH} other servers`)
    .refine((ids) => new Set(ids).size === ids.length, 'must name each server once')
    .meta({ description: 'Comma-separated ids of 1 to 4 other servers', minLength: 1 }),
})
export const Comparison = z.object({
  servers: z
    .array(
      RankedServerDetail.extend({
        peak24h: z
          .int()
          .min(0)
          .nullable()
          .describe('Highest player count in the last 24 hours; null if no poll was answered'),
      }).meta({ id: 'ComparedServer' }),
    )
    .describe('The server, then the others in the requested order'),
})

const place = z.int().min(1)
const amount = z.number().min(0)
export const ServerRank = z
  .object({
    place: place.describe('In the order of `sortBy=score` among all servers'),
    servers: place.describe('All servers'),
    placeInGame: place.describe('The same among the servers of its game'),
    serversOfGame: place,
    totalVotes: z.int().min(0),
    countedVotes: amount.describe(
      `What these votes count now: a vote counts 1, and half of it after ${HALF_LIFE_DAYS} days`,
    ),
    playing: amount.describe(
      `What playing counts, in votes: each hour log2(1 + players) / 48, with its average players, at most ${MAX_PEOPLE}; it fades like votes`,
    ),
    availability: z
      .number()
      .min(0)
      .max(1)
      .describe('Uptime of the last day times that of the last week, at least 0.01; 1 if it is unknown'),
    score: amount.describe('(`countedVotes` + `playing`) × `availability`'),
  })
  .meta({ id: 'ServerRank' })

export const SuggestionsQuery = z.object({
  q: z
    .string('must be given once')
    .trim()
    .check(maxLength(100))
    .describe(
      'The partial name; case and accents do not count; empty: servers with the most votes in the last 24 hours',
    )
    .optional(),
  limit: wholeNumberWithDefault(1, 20, 10).describe('Maximum number'),
})
export const Suggestion = ServerBrief.meta({ id: 'Suggestion' })
export const Suggestions = z.object({ suggestions: z.array(Suggestion).describe('Best first') })
