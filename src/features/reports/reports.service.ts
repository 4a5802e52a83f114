// The rules of reports: one open report a user and server, and what administrators do with the queue.
import { validate as isUuid, v7 as uuidv7 } from 'uuid'
import type * as z from 'zod'
import type { Deps } from '../../deps.ts'
import { type Db, inTransaction } from '../../platform/db/pool.ts'
import { isTaken } from '../../platform/db/taken.ts'
import { ApiError, notFound } from '../../platform/http/errors.ts'
import type { LimitPolicy } from '../../platform/http/limit-policy.ts'
import type { Limits } from '../../platform/http/limits.ts'
import { offsetOf, paginationOf } from '../../platform/http/paging.ts'
import { changesBetween, recordAction } from '../audit/index.ts'
import { noSuchServer } from '../directory/index.ts'
import type { AdminReport, FiledReport, NewReport, ReportChange, Reports, ReportsQuery } from './reports.schema.ts'
import {
  countReports,
  deleteReport,
  findReports,
  holdListed,
  insertReport,
  lockReport,
  type ReportRow,
  updateReport,
} from './reports.sql.ts'

/** Somebody has to read each. */
export const REPORTS_AN_HOUR = 30
const REPORTS: LimitPolicy[] = [{ name: 'reports', limit: REPORTS_AN_HOUR, windowSeconds: 3600 }]

export interface ReportsService {
  /** @throws ApiError 404; 400 `already_reported`; 429 after 30 in an hour */
  file(userId: string, serverId: string, report: NewReport): Promise<z.input<typeof FiledReport>>
  list(query: ReportsQuery): Promise<z.input<typeof Reports>>
  /** Leaves fields that are not given as they are. @throws ApiError 404; 400 `already_reported` */
  change(actorId: string, id: string, change: ReportChange): Promise<z.input<typeof AdminReport>>
  /** @throws ApiError 404 */
  remove(actorId: string, id: string): Promise<void>
}

export interface ReportsOptions extends Pick<Deps, 'pool'> {
  settings: Pick<Deps['settings'], 'LISTING_REQUIRES_VERIFICATION'>
  limits: Pick<Limits, 'take'>
}

export function createReportsService({ pool, settings, limits }: ReportsOptions): ReportsService {
  const requireVerified = settings.LISTING_REQUIRES_VERIFICATION

  /** Runs `work` on a report that stays as it is meanwhile. */
  const withReport = <T>(id: string, work: (tx: Db, report: ReportRow) => Promise<T>): Promise<T> =>
    inTransaction(pool, async (tx) => {
      const report = isUuid(id) ? await lockReport(tx, requireVerified, id) : undefined
      if (!report) throw notFound('There is no such report.')
      return work(tx, report)
    })

  return {
    async file(userId, serverId, { reason, details }) {
      if (!isUuid(serverId)) throw noSuchServer()
      await limits.take({ key: userId, policies: REPORTS })
      return inTransaction(pool, async (tx) => {
        if (!(await holdListed(tx, requireVerified, serverId))) throw noSuchServer()
        const report = { id: uuidv7(), serverId, reason, details }
        const filed = await insertReport(tx, { ...report, userId })
        if (!filed)
          throw new ApiError(
            400,
            'already_reported',
            'You have reported this server already; somebody will look at it.',
          )
        return { ...report, status: 'open' as const, createdAt: filed.createdAt.toISOString() }
      })
    },

    async list({ page, limit, status, reason, serverId }) {
      const filter = { status, reason, serverId }
      const total = await countReports(pool, filter)
      const rows = await findReports(pool, requireVerified, filter, { limit, offset: offsetOf({ page, limit }) })
      return { reports: rows.map(toReport), pagination: paginationOf({ page, limit }, total) }
    },

    change: (actorId, id, { status, note }) =>
      withReport(id, async (tx, report) => {
        const before = { status: report.status, note: report.note }
        const after = { status: status ?? before.status, note: note ?? before.note }
        const changes = changesBetween(before, after)
        if (!changes) return toReport(report)
        const updatedAt = await updateReport(tx, id, after).catch((cause: unknown) => {
          if (!isTaken(cause)) throw cause
          throw new ApiError(400, 'already_reported', 'The same user has another open report about this server.')
        })
        await recordAction(tx, {
          actorId,
          action: 'report.update',
          targetType: 'report',
          targetId: report.id,
          details: changes,
        })
        return toReport({ ...report, ...after, updatedAt })
      }),

    remove: (actorId, id) =>
      withReport(id, async (tx, report) => {
        await deleteReport(tx, report.id)
        const { serverId, reporterId, reason, status } = report
        const details = { serverId, reporterId, reason, status }
        await recordAction(tx, { actorId, action: 'report.delete', targetType: 'report', targetId: report.id, details })
      }),
  }
}

const toReport = ({ createdAt, updatedAt, ...report }: ReportRow): z.input<typeof AdminReport> => ({
  ...report,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})
