// What the endpoints of votes take and return (interface.md §2 "Vote request" to "Vote status", api-decisions.md "Server features").
import * as z from 'zod'
import { alternatives } from '../../platform/http/alternatives.ts'
import { integer } from '../../platform/http/query.ts'
import { atLeast, atMost, hasNoInvisibleChars, INVISIBLE_CHARS_MESSAGE, line, text } from '../../platform/text.ts'

const count = z.int().min(0)
const timestamp = z.iso.datetime({ precision: 3 })

const MAX_USERNAME = 50
const MAX_GAME_PLATFORM_ID = 100

/** Compared as it is, not trimmed: it is made by a program. */
const visitorId = text()
  .check(atLeast(10), atMost(100))
  .refine(hasNoInvisibleChars, INVISIBLE_CHARS_MESSAGE)
  .describe('What the voting page knows its visitor by, 10 to 100 characters')

export const VoteRequest = z.object({
  visitorId,
  username: line(0, MAX_USERNAME).optional().describe('The voter’s name, trimmed; at most 50 characters'),
  gamePlatformId: line(0, MAX_GAME_PLATFORM_ID)
    .optional()
    .describe('The voter’s identifier on the game platform, trimmed; at most 100 characters'),
})
export type VoteRequest = z.output<typeof VoteRequest>

export const VoteResult = z
  .object({
    success: z.boolean(),
    message: z.string(),
    webhookSent: z.boolean().describe('Whether a webhook delivery was queued together with the vote'),
    nextVoteAt: timestamp.describe('When the visitor may vote for this server again'),
  })
  .meta({ id: 'VoteResult' })

/** Besides `error` and `message`, which is the remaining time in words. */
export const VoteCooldown = z.object({
  cooldownRemaining: z.int().min(1).describe('Milliseconds'),
  nextVoteAt: timestamp,
})

export const VoteStatusQuery = z.object({ visitorId })
export const VoteStatus = z
  .object({ canVote: z.boolean(), cooldownRemaining: count.describe('Milliseconds; 0 when voting is allowed') })
  .meta({ id: 'VoteStatus' })

const once = () => z.string('must be given once')
const CURSOR = /^v(0|[1-9]\d{0,9})$/
const LARGEST_NUMBER = 2 ** 31 - 1

/** A vote's number among its server's votes, in a form that nobody takes for a page. */
export const cursorOf = (number: number): string => Buffer.from(`v${number}`).toString('base64url')

function readCursor(cursor: string): number | undefined {
  const number = Number(CURSOR.exec(Buffer.from(cursor, 'base64url').toString())?.[1] ?? Number.NaN)
  return number <= LARGEST_NUMBER && cursorOf(number) === cursor ? number : undefined
}

export const VotesQuery = z.object({
  cursor: once()
    .transform((cursor, context) => {
      const number = readCursor(cursor)
      if (number !== undefined) return number
      context.issues.push({ code: 'custom', message: 'must be a nextCursor of this endpoint', input: cursor })
      return z.NEVER
    })
    .optional()
    .describe('`nextCursor` of the page before'),
  since: z.iso
    .datetime({
      offset: true,
      error: ({ input }) => (typeof input === 'string' ? 'must be an ISO 8601 timestamp' : 'must be given once'),
    })
    .optional()
    .describe('Only votes of this instant or later'),
  limit: integer(1, 100, 20).describe('Votes a page'),
})
export type VotesQuery = z.output<typeof VotesQuery>

export const Votes = z.object({
  votes: z.array(
    z
      .object({
        id: z.uuid(),
        username: z.string().describe('As the voter gave it; empty when they did not'),
        gamePlatformId: z.string().describe('As the voter gave it; empty when they did not'),
        votedAt: timestamp,
        claimedAt: timestamp.nullable(),
        source: z
          .enum(['visitor', 'owner'])
          .describe(
            '`owner`: sent with an API key of the server’s owner, and so not subject to the limit of votes per network',
          ),
      })
      .meta({ id: 'Vote' }),
  ),
  nextCursor: z.string().nullable().describe('Goes on after the last vote of this page; null when the page is empty'),
})

const ONE_OF_BOTH = 'give either gamePlatformId or username'
const voterFields = {
  gamePlatformId: line(1, MAX_GAME_PLATFORM_ID).optional(),
  username: line(1, MAX_USERNAME).optional(),
}
const hasOne = ({ gamePlatformId, username }: { gamePlatformId?: unknown; username?: unknown }) =>
  (gamePlatformId === undefined) !== (username === undefined)

/** Exactly one of the two. Spelled as in the vote: upper and lower case differ. */
export const VoterNames = z
  .object(voterFields)
  .refine(hasOne, { error: ONE_OF_BOTH, path: ['gamePlatformId'] })
  .meta(alternatives('VoterClaim', 'oneOf', { gamePlatformId: 'VoterByGamePlatformId', username: 'VoterByUsername' }))
export type VoterInput = z.output<typeof VoterNames>

export const VoterStanding = z.object({
  voted: z.boolean().describe('Whether they voted for this server within the last 24 hours'),
  claimed: count.describe('Their votes that were claimed'),
  unclaimed: count.describe('Their votes that `votes/claim` would claim'),
  nextVoteAt: timestamp.nullable().describe('24 hours after their last vote; null when that is over'),
})

export const ClaimedVotes = z.object({
  claimed: count,
  voteIds: z.array(z.uuid()).describe('The votes claimed by this very call, oldest first'),
})

export const TopVotersQuery = z.object({
  month: once()
    .regex(/^(?!0000)\d{4}-(0[1-9]|1[0-2])$/, 'must be a month as 2026-11')
    .optional()
    .describe('A calendar month, UTC; this one unless given'),
})
export const TopVoters = z.object({
  month: z.string(),
  voters: z.array(z.object({ username: z.string(), votes: count })).describe('At most 100, most votes first'),
})
