// Reports as users file them, and as moderators and administrators see them.
import * as z from 'zod'
import { idParam } from '../../platform/http/operation.ts'
import { pageOf, pageQuery } from '../../platform/http/paging.ts'
import { Timestamp } from '../../platform/http/timestamp.ts'
import { paragraphs } from '../../platform/text.ts'

const REASONS = ['offline', 'spam', 'abuse', 'misleading', 'other'] as const
const STATUSES = ['open', 'resolved', 'dismissed'] as const

export type Reason = (typeof REASONS)[number]
export type Status = (typeof STATUSES)[number]

const reason = z.enum(REASONS, `must be one of ${REASONS.join(', ')}`)
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
  reason: reason.optional(),
  serverId: z.uuid('must be a server’s id').optional(),
})

export const AdminReport = z
  .object({
    id: z.uuid(),
    serverId: z.uuid(),
    serverName: z.string(),
    isListed: z.boolean().describe('Whether visitors see the server'),
    reporterId: z.uuid().nullable().describe('Null if the account was deleted'),
    reporterUsername: z.string().describe('Empty if the account was deleted'),
    reason,
    details: z.string(),
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
