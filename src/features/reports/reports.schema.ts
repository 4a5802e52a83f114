// Reports as users send them and administrators see them (api-decisions.md "Server features", "Admin and operators").
import * as z from 'zod'
import { Pagination, pageQuery } from '../../platform/http/paging.ts'
import { paragraphs } from '../../platform/text.ts'

const REASONS = ['offline', 'spam', 'abuse', 'misleading', 'other'] as const
const STATUSES = ['open', 'resolved', 'dismissed'] as const

const reason = z.enum(REASONS, `must be one of ${REASONS.join(', ')}`)
const status = z.enum(STATUSES, `must be one of ${STATUSES.join(', ')}`)

const instant = z.iso.datetime({ precision: 3 })

export const ReportParams = z.object({ id: z.string().describe('Report id') })

export const NewReport = z.object({
  reason,
  details: paragraphs(0, 1_000).default('').describe('At most 1000 characters'),
})
export type NewReport = z.output<typeof NewReport>

export const FiledReport = z
  .object({ id: z.uuid(), serverId: z.uuid(), reason, details: z.string(), status, createdAt: instant })
  .meta({ id: 'Report' })

export const ReportsQuery = z.object({
  ...pageQuery({ limit: 20, maxLimit: 100 }),
  status: status.optional(),
  reason: reason.optional(),
  serverId: z.uuid('must be a server’s id').optional(),
})
export type ReportsQuery = z.output<typeof ReportsQuery>

export const AdminReport = z
  .object({
    id: z.uuid(),
    serverId: z.uuid(),
    serverName: z.string(),
    isListed: z.boolean().describe('Whether the server is still in the directory'),
    reporterId: z.uuid().nullable().describe('Null when the account is gone'),
    reporterUsername: z.string().describe('Empty when the account is gone'),
    reason,
    details: z.string(),
    status,
    note: z.string().describe('The administrators’ own; the reporter does not see it'),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'AdminReport' })

export const Reports = z.object({ reports: z.array(AdminReport), pagination: Pagination })

export const ReportChange = z.strictObject({
  status: status.optional(),
  note: paragraphs(0, 1_000).optional().describe('At most 1000 characters'),
})
export type ReportChange = z.output<typeof ReportChange>
