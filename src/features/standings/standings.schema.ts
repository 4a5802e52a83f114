// Requests and responses of standings.
import * as z from 'zod'
import { Pagination, pageQuery } from '../../platform/http/paging.ts'
import { Timestamp } from '../../platform/http/timestamp.ts'
import { ServerBrief } from '../directory/index.ts'
import { explainInvalidGame, GAME_TYPE } from '../games/index.ts'

const MONTH = /^(?!0000)\d{4}-(0[1-9]|1[0-2])$/
const once = () => z.string('must be given once')

export const StandingsQuery = z.object({
  ...pageQuery({ limit: 25, maxLimit: 100 }),
  month: once()
    .regex(MONTH, 'must be a month as 2026-11')
    .optional()
    .describe('A calendar month, UTC; default: the running one; a later month is empty'),
  game: once()
    .superRefine((game, context) => {
      const message = explainInvalidGame(game)
      if (message) context.issues.push({ code: 'custom', message, input: game })
    })
    .meta({ pattern: `^${GAME_TYPE}$` })
    .optional()
    .describe('gamedig type id: only servers that had this game in the month, with places among them'),
})

const place = z.int().min(1)
const month = z.string().meta({ examples: ['2026-10'] })
const votes = z.int().min(1)

const Standing = z
  .object({
    place: place.describe('Servers with equal votes share a place'),
    previousPlace: place.nullable().describe('In the month before; null if it had no votes then'),
    votes: votes.describe('In the month'),
    server: ServerBrief.meta({ id: 'StandingServer' }).nullable().describe('Null if it is no longer listed'),
  })
  .meta({ id: 'Standing' })

export const Standings = z
  .object({
    month,
    isRunning: z.boolean().describe('Whether the month still runs, so that places change with each vote'),
    correctedAt: Timestamp.nullable().describe(
      'When votes of the month were last voided or restored after its end, which changed its places; null: never',
    ),
    standings: z.array(Standing).describe('Most votes first'),
    pagination: Pagination,
  })
  .meta({ id: 'Standings' })

export const ServerStandings = z.object({
  standings: z
    .array(
      z
        .object({ month, votes, place, placeInGame: place.describe('Among the servers of the game that it had then') })
        .meta({ id: 'ServerStanding' }),
    )
    .describe('Finished months in which it had votes, best places first, at most 12'),
})
