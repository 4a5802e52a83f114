// Requests and responses of votes.
import * as z from 'zod'
import { namedUnion } from '../../platform/http/named-union.ts'
import { pageOf, pageQuery } from '../../platform/http/paging.ts'
import { wholeNumberWithDefault } from '../../platform/http/query.ts'
import { Timestamp } from '../../platform/http/timestamp.ts'
import { line, maxLength, minLength, text, visible } from '../../platform/text.ts'
import { isPlatformId, NOT_A_PLATFORM_ID } from '../games/index.ts'

const count = z.int().min(0)

const MAX_USERNAME = 50
const MAX_GAME_PLATFORM_ID = 100
const MAX_PROOF = 2000

/** Not trimmed, because a program makes it. */
export const VisitorId = text()
  .check(minLength(10), maxLength(100))
  .check(visible())
  .describe('Identifies the visitor to the voting page; 10 to 100 characters')

const platformId = (min: number) => line(min, MAX_GAME_PLATFORM_ID).refine(isPlatformId, NOT_A_PLATFORM_ID)

export const VoteRequest = z.object({
  visitorId: VisitorId,
  username: line(0, MAX_USERNAME).optional().describe('The voter’s name, trimmed; at most 50 characters'),
  gamePlatformId: platformId(0)
    .optional()
    .describe(
      'The voter’s identifier on the game platform, trimmed; at most 100 characters. Of Steam in any form: SteamID64, `STEAM_0:1:2345`, ' +
        '`[U:1:4691]` or `steamcommunity.com/profiles/…`; `steamcommunity.com/id/…` contains no identifier and is refused',
    ),
  proof: text()
    .check(maxLength(MAX_PROOF))
    .optional()
    .describe(
      'The solved challenge of `getVoteChallenge`, where one is required: base64 of the JSON `{ challenge, solution }` that ' +
        'ALTCHA’s widget and libraries make',
    ),
})

export const VoteResult = z
  .object({
    success: z.boolean(),
    message: z.string().meta({ examples: ['Thank you for your vote.'] }),
    webhookSent: z.boolean().describe('Whether a webhook delivery was queued together with the vote'),
    nextVoteAt: Timestamp.describe('When the visitor may vote for this server again'),
    streak: z
      .int()
      .min(1)
      .describe(
        'Days in a row with a vote of this player for this server, with this vote. A vote within 48 hours of the last continues them. ' +
          'The player is known by `gamePlatformId`, else by `username`, else by `visitorId`',
      ),
  })
  .meta({ id: 'VoteResult' })

/**
 * Besides `error` and `message`, which is the remaining time in words. Error bodies are not encoded, so the time is a
 * text.
 */
export const VoteCooldown = z.object({
  cooldownRemaining: z.int().min(1).describe('Milliseconds'),
  nextVoteAt: z.iso.datetime({ precision: 3 }),
})

export const VoteStatusQuery = z.object({ visitorId: VisitorId })
export const VoteStatus = z
  .object({
    canVote: z.boolean(),
    cooldownRemaining: count.describe('Milliseconds; 0 if voting is allowed'),
    streak: count.describe(
      'Days in a row with a vote, as in the result of the last vote; 0 if the next vote starts again',
    ),
  })
  .meta({ id: 'VoteStatus' })

export const VoteProgressEvent = z
  .object({
    event: z.literal('progress'),
    data: z.object({
      delivered: z.boolean().nullable().describe('Whether the vote has reached the server; null if nothing is sent'),
      rewarded: z.boolean().nullable().describe('Whether the reward was given; null if there is none'),
      isOver: z.boolean().describe('Whether the stream ends'),
    }),
  })
  .meta({ id: 'VoteProgressEvent', description: 'One Server-Sent Event; `data` is JSON' })

const once = () => z.string('must be given once')
const CURSOR = /^v(0|[1-9]\d{0,9})$/
const MAX_NUMBER = 2 ** 31 - 1

/** A vote's number among its server's votes, in a form that cannot be mistaken for a page number. */
export const cursorOf = (number: number): string => Buffer.from(`v${number}`).toString('base64url')

function readCursor(cursor: string): number | undefined {
  const number = Number(CURSOR.exec(Buffer.from(cursor, 'base64url').toString())?.[1] ?? Number.NaN)
  return number <= MAX_NUMBER && cursorOf(number) === cursor ? number : undefined
}

export const VotesQuery = z.object({
  cursor: once()
    .transform((cursor, context) => {
      const number = readCursor(cursor)
      if (number !== undefined) return number
      context.issues.push({ code: 'custom', message: 'must be a nextCursor of this endpoint', input: cursor })
      return z.NEVER
    })
    .meta({ pattern: '^dj[\\w-]{1,14}$' })
    .optional()
    .describe('`nextCursor` of the previous page'),
  order: z
    .enum(['asc', 'desc'], 'must be asc or desc')
    .default('asc')
    .describe('`asc`: as they were counted; `desc`: latest first'),
  since: z.iso
    .datetime({
      offset: true,
      error: ({ input }) => (typeof input === 'string' ? 'must be an ISO 8601 timestamp' : 'must be given once'),
    })
    .optional()
    .describe('Only votes at or after this time'),
  limit: wholeNumberWithDefault(1, 100, 20).describe('Votes per page'),
})

export const Votes = z.object({
  votes: z.array(
    z
      .object({
        id: z.uuid(),
        username: z.string().describe('As the voter gave it; empty if they gave none'),
        gamePlatformId: z.string().describe('As the voter gave it; empty if they gave none'),
        votedAt: Timestamp,
        claimedAt: Timestamp.nullable(),
        source: z
          .enum(['visitor', 'owner'])
          .describe(
            '`owner`: sent with an API key of the server’s owner, and so not subject to the limit of votes per client address',
          ),
        voidedAt: Timestamp.nullable().describe(
          'When an administrator or moderator voided it: it no longer counts. Null: it counts',
        ),
        voidReason: z.string().describe('Why it was voided; empty: it counts'),
      })
      .meta({ id: 'Vote' }),
  ),
  nextCursor: z
    .string()
    .nullable()
    .describe(
      'Continues after the last vote of this page; null if the page is empty, and with `order=desc` if it has the first vote',
    ),
})

const ONE_OF_BOTH = 'give either gamePlatformId or username'
export const voterFields = {
  gamePlatformId: platformId(1).optional(),
  username: line(1, MAX_USERNAME).optional(),
}
/** @returns a check whether an object has one of the fields, and not both */
export const hasExactlyOne =
  <Field extends string>(one: Field, other: Field) =>
  (fields: { [Name in Field]?: unknown }) =>
    (fields[one] === undefined) !== (fields[other] === undefined)

/** Exactly one of the two, compared as `player-keys.ts` of the games says. */
export const VoterNames = z
  .object(voterFields)
  .refine(hasExactlyOne('gamePlatformId', 'username'), { error: ONE_OF_BOTH, path: ['gamePlatformId'] })
  .meta(namedUnion('VoterClaim', 'oneOf', { gamePlatformId: 'VoterByGamePlatformId', username: 'VoterByUsername' }))
export type VoterNames = z.output<typeof VoterNames>

export const VoterStatus = z.object({
  voted: z.boolean().describe('Whether they voted for this server within the last 24 hours'),
  claimed: count.describe('Their claimed votes'),
  unclaimed: count.describe('Their votes that `votes/claim` would claim'),
  nextVoteAt: Timestamp.nullable().describe('24 hours after their last vote; null if that has passed'),
})

export const RedeemedVotes = z.object({
  claimed: count,
  voteIds: z.array(z.uuid()).describe('The votes claimed by this request, oldest first'),
})

export const TopVotersQuery = z.object({
  month: once()
    .regex(/^(?!0000)\d{4}-(0[1-9]|1[0-2])$/, 'must be a month as 2026-11')
    .optional()
    .describe('A calendar month, UTC; default: the current one'),
})
export const TopVoters = z.object({
  month: z.string(),
  voters: z.array(z.object({ username: z.string(), votes: count })).describe('At most 100, most votes first'),
})

export const VoteNetworksQuery = z.object({
  ...pageQuery({ limit: 20, maxLimit: 100 }),
  minVotes: wholeNumberWithDefault(1, 1_000_000, 20).describe(
    'Only servers with at least this many votes in the last 7 days',
  ),
})

export const VoteNetworks = pageOf(
  'servers',
  z
    .object({
      id: z.uuid(),
      name: z.string(),
      votes: count.describe('Visitors’ votes in the last 7 days, except those of releases that stored no network'),
      networks: count.describe('Networks they came from: IPv4 /24 and IPv6 /48'),
      topNetwork: z
        .string()
        .nullable()
        .describe('The network that sent most, as `networks` of `previewVoteVoiding`; null without visitors’ votes'),
      topNetworkVotes: count.describe('Votes from it'),
      topNetworkShare: z.number().min(0).max(1).describe('Its share of the visitors’ votes'),
      ownerVotes: count.describe('Votes that the owner sent with an API key, counted apart'),
    })
    .meta({ id: 'ServerVoteNetworks' }),
)
