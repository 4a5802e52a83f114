// Requests and responses of voiding votes.
import * as z from 'zod'
import { idParam } from '../../../platform/http/operation.ts'
import { pageOf, pageQuery } from '../../../platform/http/paging.ts'
import { flag, wholeNumber } from '../../../platform/http/query.ts'
import { Timestamp } from '../../../platform/http/timestamp.ts'
import { line, paragraphs } from '../../../platform/text.ts'

const count = z.int().min(0)
const instant = z.iso.datetime({ offset: true, error: 'must be an ISO 8601 timestamp' })

const MAX_AS_NUMBER = 2 ** 32 - 1
const MAX_HOURS = 24 * 365
const MAX_NETWORKS = 20
const NETWORK_KEYS = new RegExp(String.raw`^[\w-]{1,32}(,[\w-]{1,32}){0,${MAX_NETWORKS - 1}}$`)

/** Days within which voided votes can be restored. */
export const RESTORABLE_DAYS = 30

const MUST_BE_TRUE = 'must be true'
/** A criterion that selects by being given: `false` would select all votes. */
const onlyTrue = z
  .string('must be given once')
  .toLowerCase()
  .pipe(z.literal('true', MUST_BE_TRUE))
  .transform(() => true as const)
  .meta({
    override: ({ jsonSchema }: { jsonSchema: Record<string, unknown> }) => {
      jsonSchema.enum = ['true']
    },
  })

/** What selects votes; all that are given must apply. */
const criteria = {
  serverId: z.uuid('must be a server’s id').optional().describe('Only votes for this server; default: for all'),
  networks: z
    .string()
    .regex(NETWORK_KEYS, `must be keys of networks, comma-separated, at most ${MAX_NETWORKS}`)
    .optional()
    .describe('Keys of networks, comma-separated, as in `networks` of `previewVoteVoiding`'),
  networkOwner: wholeNumber(1, MAX_AS_NUMBER)
    .optional()
    .describe('Number of the autonomous system (AS) that the network belongs to'),
  hosting: onlyTrue.optional().describe('`true`: only votes from networks of known hosting providers'),
  from: instant.optional().describe('Only votes at or after this time'),
  until: instant.optional().describe('Only votes before this time; default: now'),
  name: line(1, 100)
    .optional()
    .describe('Pattern of the name or the identifier that the voter gave, in any case; `*` stands for any characters'),
  maxVisitorAge: wholeNumber(0, MAX_HOURS)
    .optional()
    .describe('Only votes whose visitor had voted for the first time, for any server, at most this many hours before'),
  seenOnce: onlyTrue
    .optional()
    .describe(
      '`true`: only votes whose visitor has voted once only, for any server; new visitors are known within an hour',
    ),
  fromPage: flag.optional().describe('Whether a page of the site sent the vote'),
}

type Criteria = z.output<z.ZodObject<typeof criteria>>
export const VOTE_CRITERIA = Object.keys(criteria) as (keyof Criteria)[]

const selectsSome = (given: Criteria) => VOTE_CRITERIA.some((name) => given[name] !== undefined)
const SELECTS_NONE = { error: 'give at least one criterion', path: ['serverId'] }

export const VoteSelection = z.object(criteria).refine(selectsSome, SELECTS_NONE)
export type VoteSelection = Criteria

/** The same in JSON. Generators of clients understand `enum`, but no `const` that is a boolean. */
const onlyTrueInJson = z.literal(true, MUST_BE_TRUE).meta({
  override: ({ jsonSchema }: { jsonSchema: Record<string, unknown> }) => {
    delete jsonSchema.const
    jsonSchema.enum = [true]
  },
})

/** All that selects votes, in JSON. */
const body = {
  ...criteria,
  networkOwner: z.int().min(1).max(MAX_AS_NUMBER).optional().describe(String(criteria.networkOwner.description)),
  hosting: onlyTrueInJson.optional().describe(String(criteria.hosting.description)),
  maxVisitorAge: z.int().min(0).max(MAX_HOURS).optional().describe(String(criteria.maxVisitorAge.description)),
  seenOnce: onlyTrueInJson.optional().describe(String(criteria.seenOnce.description)),
  fromPage: z.boolean().optional().describe(String(criteria.fromPage.description)),
}

export const StoredSelection = z.object(body).meta({ id: 'VoteSelection' })

export const VoidingReason = paragraphs(3, 500).describe('Shown to the owners of the servers; 3 to 500 characters')

export const NewVoiding = z.object({ ...body, reason: VoidingReason }).refine(selectsSome, SELECTS_NONE)

const MonthBefore = z
  .object({
    month: z.string().meta({ examples: ['2026-10'] }),
    votes: count.describe('Selected votes of this month'),
    votesBefore: count,
    votesAfter: count,
    placeBefore: z.int().min(1).nullable().describe('Among all servers by the votes of the month; null without votes'),
    placeAfter: z.int().min(1).nullable(),
  })
  .meta({ id: 'MonthBeforeVoiding' })

export const VotePreview = z
  .object({
    votes: count.describe('Votes that are selected and count'),
    servers: count.describe('Servers that they are for'),
    voters: count.describe('Visitors that they are from'),
    until: Timestamp.describe('Votes before this time are selected: give it to `voidVotes` to void no later ones'),
    changes: z
      .array(
        z
          .object({
            serverId: z.uuid(),
            serverName: z.string(),
            votes: count,
            totalBefore: count.describe('Votes of all time'),
            totalAfter: count,
            months: z.array(MonthBefore).describe('The latest first'),
          })
          .meta({ id: 'ServerBeforeVoiding' }),
      )
      .describe('Servers with the most selected votes first, at most 50'),
    networks: z
      .array(
        z
          .object({
            network: z.string().meta({ examples: ['h3Vd9xQm2LrT7wKc'] }),
            networkOwner: z.int().nullable(),
            provider: z.string().describe('Name of the hosting provider; empty if it is none that is known'),
            votes: count,
          })
          .meta({ id: 'VoteNetwork' }),
      )
      .describe('Networks with the most selected votes first, at most 20: keyed hashes of an IPv4 /24 or an IPv6 /48'),
  })
  .meta({ id: 'VotePreview' })

const VoidingStatus = z.enum(['voiding', 'voided', 'restoring', 'restored'])
export type VoidingStatus = z.output<typeof VoidingStatus>

export const VoteVoiding = z
  .object({
    id: z.uuid(),
    createdAt: Timestamp,
    createdBy: z.uuid(),
    createdByUsername: z.string().describe('Empty if the account was deleted'),
    reason: z.string(),
    selection: StoredSelection,
    status: VoidingStatus.describe('`voiding` and `restoring` are in progress'),
    votes: count.describe('Votes voided so far'),
    restoredVotes: count.describe('Of them, restored so far'),
    servers: count.describe('Servers that they are for'),
    restorableUntil: Timestamp,
    restoredAt: Timestamp.nullable().describe('When an administrator or moderator had them restored'),
  })
  .meta({ id: 'VoteVoiding' })

export const VoteVoidings = pageOf('voidings', VoteVoiding)

export const VoidingsQuery = z.object({
  ...pageQuery({ limit: 20, maxLimit: 100 }),
  serverId: z.uuid('must be a server’s id').optional().describe('Only those of votes for this server'),
})

export const NO_SUCH_VOIDING = 'There is no such voiding.'
export const VoidingParams = z.object({ id: idParam('Voiding id', NO_SUCH_VOIDING) })
