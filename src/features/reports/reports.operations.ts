// Filing a report about a server, and the queue of reports and findings for moderators and administrators.
import { v7 as uuidv7 } from 'uuid'
import * as z from 'zod'
import type { Deps } from '../../deps.ts'
import { isUniqueViolation } from '../../platform/db/pg-errors.ts'
import type { Db } from '../../platform/db/pool.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { operation, type Resource } from '../../platform/http/operation.ts'
import { SUCCESS, Success } from '../../platform/http/success.ts'
import { changesBetween, recordAction } from '../audit/index.ts'
import { listedServer, requireImpartial } from '../servers/index.ts'
import { createVoiding, VoidingReason, VoteVoiding } from '../votes/index.ts'
import { QUIET_DAYS } from './findings.sql.ts'
import {
  AdminReport,
  FiledReport,
  NewReport,
  ReportChange,
  ReportParams,
  Reports,
  ReportsQuery,
} from './reports.schema.ts'
import { deleteReport, findReports, insertReport, lockReport, updateReport } from './reports.store.ts'

/** People read each report. */
const REPORTS_AN_HOUR = 30
const moderation = { tag: 'Administration', access: 'moderator' } as const

type LockedReport = Awaited<ReturnType<typeof lockReport>>

/** A report, locked until the transaction ends. Moderators decide none about their own servers: 403. */
const lockedReport: Resource<'report', LockedReport> = {
  name: 'report',
  params: ReportParams,
  errors: [404],
  async load(tx, id, actor) {
    const report = await lockReport(tx, id)
    if (report.serverId !== null) await requireImpartial(tx, actor, report.serverId)
    return report
  },
}

const rethrowAsAlreadyReported = (message: string) => (error: unknown) => {
  throw isUniqueViolation(error) ? new ApiError(400, 'already_reported', message) : error
}

/**
 * Changes a locked report, and audits what changed.
 * @throws ApiError `already_reported` if it would be the second open one of its kind
 */
async function settleReport(
  tx: Db,
  { userId: actorId }: Actor,
  report: LockedReport,
  change: z.output<typeof ReportChange>,
): Promise<LockedReport> {
  const before = { status: report.status, note: report.note }
  const after = { status: change.status ?? before.status, note: change.note ?? before.note }
  const details = changesBetween(before, after)
  if (!details) return report
  const { updatedAt } = await updateReport(tx, report.id, after).catch(
    rethrowAsAlreadyReported(
      report.finding
        ? 'There is another open finding by this signal for this server.'
        : 'The reporter has another open report about this server.',
    ),
  )
  await recordAction(tx, { actorId, targetType: 'report', targetId: report.id, action: 'report.update', details })
  return { ...report, ...after, updatedAt }
}

export const reportsOperations = ({ jobs }: Pick<Deps, 'jobs'>) => [
  operation({
    method: 'post',
    path: '/servers/{id}/reports',
    operationId: 'reportServer',
    tag: 'Reports',
    summary: 'Report a problem with a server to the people who run the directory',
    description: `One open report per user and server; at most ${REPORTS_AN_HOUR} reports per hour.`,
    access: 'user',
    scope: 'servers:write',
    resource: listedServer({ lock: 'share' }),
    body: NewReport,
    status: 201,
    returns: FiledReport,
    codes: ['already_reported'],
    limit: { name: 'reports', limit: REPORTS_AN_HOUR, windowSeconds: 3600, per: 'user' },
    async handle({ tx, actor: { userId }, serverId, body }) {
      const report = { id: uuidv7(), serverId, ...body }
      const { createdAt } = await insertReport(tx, { ...report, userId }).catch(
        rethrowAsAlreadyReported('You already have an open report about this server.'),
      )
      return { ...report, status: 'open' as const, createdAt }
    },
  }),
  operation({
    ...moderation,
    method: 'get',
    path: '/admin/reports',
    operationId: 'listReports',
    summary: 'List reports about servers and findings of suspicious votes; oldest first',
    query: ReportsQuery,
    returns: Reports,
    handle: ({ db, actor, query }) => findReports(db, actor, query),
  }),
  operation({
    ...moderation,
    method: 'patch',
    path: '/admin/reports/{id}',
    operationId: 'settleReport',
    summary: 'Resolve, dismiss or reopen a report, with a note',
    description:
      'Moderators decide no report about a server that they own or work on: 403. A finding that is dismissed is not reported again for ' +
      `${QUIET_DAYS} days; \`voidReportedVotes\` voids its votes.`,
    resource: lockedReport,
    body: ReportChange,
    returns: AdminReport,
    codes: ['already_reported'],
    handle: ({ tx, actor, report, body }) => settleReport(tx, actor, report, body),
  }),
  operation({
    ...moderation,
    method: 'delete',
    path: '/admin/reports/{id}',
    operationId: 'deleteReport',
    summary: 'Delete a report',
    description: 'Moderators delete no report about a server that they own or work on: 403.',
    resource: lockedReport,
    returns: Success,
    async handle({ tx, actor, report: { id, serverId, reporterId, reason, status } }) {
      await deleteReport(tx, id)
      const entry = { actorId: actor.userId, targetType: 'report', targetId: id } as const
      await recordAction(tx, { ...entry, action: 'report.delete', details: { serverId, reporterId, reason, status } })
      return SUCCESS
    },
  }),
  operation({
    ...moderation,
    method: 'post',
    path: '/admin/reports/{id}/void',
    operationId: 'voidReportedVotes',
    summary: 'Void the votes of a finding, and resolve its report',
    description:
      'The same as `voidVotes` with the selection of the finding. Only an open report with a `finding` can be answered so. Moderators void no ' +
      'votes for a server that they own or work on: 403. A finding about all servers may include such votes.',
    resource: lockedReport,
    body: z.object({ reason: VoidingReason }),
    status: 202,
    returns: VoteVoiding,
    codes: ['not_voidable'],
    async handle({ tx, actor, report, body: { reason } }) {
      if (report.finding === null) throw new ApiError(400, 'not_voidable', 'This report is no finding about votes.')
      if (report.status !== 'open') throw new ApiError(400, 'not_voidable', 'This report is no longer open.')
      await settleReport(tx, actor, report, { status: 'resolved' })
      return createVoiding(tx, jobs, actor, { reason, selection: report.finding.selection })
    },
  }),
]
