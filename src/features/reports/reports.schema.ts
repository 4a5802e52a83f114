// Reports as users file them, and as moderators and administrators see them, with the findings of the search
// for suspicious votes.
import * as z from 'zod'
import { idParam } from '../../platform/http/operation.ts'
import { pageOf, pageQuery } from '../../platform/http/paging.ts'
import { Timestamp } from '../../platform/http/timestamp.ts'
import { paragraphs } from '../../platform/text.ts'
import { StoredSelection } from '../votes/index.ts'

const REASONS = ['offline', 'spam', 'abuse', 'misleading', 'other'] as const
/** The reason of findings, which no user files. */
export const FINDING_REASON = 'votes'
const SHOWN_REASONS = [...REASONS, FINDING_REASON] as const
const STATUSES = ['open', 'resolved', 'dismissed'] as const

/** What votes are suspicious by (docs/decisions/0076). */
const SIGNALS = ['fewNetworks', 'hosting', 'burst', 'seenOnce', 'withoutPage'] as const

export type Reason = (typeof REASONS)[number]
export type ShownReason = (typeof SHOWN_REASONS)[number]
export type Signal = (typeof SIGNALS)[number]
export type Status = (typeof STATUSES)[number]

const reason = z.enum(REASONS, `must be one of ${REASONS.join(', ')}`)
const shownReason = z.enum(SHOWN_REASONS, `must be one of ${SHOWN_REASONS.join(', ')}`)
const status = z.enum(STATUSES, `must be one of ${STATUSES.join(', ')}`)

export const NO_SUCH_REPORT = 'There is no such report.'

export const ReportParams = z.object({ id: idParam('Report id', NO_SUCH_REPORT) })

export const NewReport = z.object({
  reason,
  details: paragraphs(0, 1_000).default('').describe('At most 1000 characters'),
})

export const FiledReport = z
  .object({ id: z.uuid(), serverId: z.uuid(), reason, details: z.string(), status, createdAt: Timestamp })
  .meta({ id: 'Report' })

export const ReportsQuery = z.object({
  ...pageQuery({ limit: 20, maxLimit: 100 }),
  status: status.optional(),
  reason: shownReason.optional().describe('`votes`: findings of suspicious votes'),
  serverId: z.uuid('must be a server’s id').optional(),
})

const count = z.int().min(0)

export const FindingNumbers = z.object({
  votes: count.describe('Votes of visitors that were looked at'),
  selected: count.describe('Those of them that are suspicious'),
  usualShare: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe(
      'Share of such votes elsewhere: among those for other servers, or in the four weeks before for all servers',
    ),
  busiestDay: count.nullable().describe('Of `burst`: votes on the busiest of the 28 days before'),
})

export const VoteFinding = z
  .object({ signal: z.enum(SIGNALS), ...FindingNumbers.shape, selection: StoredSelection })
  .meta({ id: 'VoteFinding' })

export const AdminReport = z
  .object({
    id: z.uuid(),
    serverId: z.uuid().nullable().describe('Null for a finding about the votes of all servers'),
    serverName: z.string().describe('Empty for a finding about the votes of all servers'),
    isListed: z.boolean().describe('Whether visitors see the server'),
    reporterId: z
      .uuid()
      .nullable()
      .describe(
        'Null for findings, if the account was deleted, and for moderators about a server that they own or work on',
      ),
    reporterUsername: z.string().describe('Empty where `reporterId` is null'),
    reason: shownReason,
    details: z.string(),
    finding: VoteFinding.nullable().describe('Suspicious votes that a daily job has found; null for reports of users'),
    status,
    note: z.string().describe('Visible to moderators and administrators only'),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'AdminReport' })

export const Reports = pageOf('reports', AdminReport)

export const ReportChange = z.strictObject({
  status: status.optional(),
  note: paragraphs(0, 1_000).optional().describe('At most 1000 characters'),
})
