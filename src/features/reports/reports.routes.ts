// The endpoints of reports: filing one, and the administrators' queue.
import { type Route, route } from '../../platform/http/route.ts'
import { DONE, Success } from '../../platform/http/success.ts'
import { ServerParams } from '../directory/index.ts'
import {
  AdminReport,
  FiledReport,
  NewReport,
  ReportChange,
  ReportParams,
  Reports,
  ReportsQuery,
} from './reports.schema.ts'
import { REPORTS_AN_HOUR, type ReportsService } from './reports.service.ts'

const administration = { tag: 'Administration', access: 'admin' } as const

export function reportsRoutes(reports: ReportsService): Route[] {
  return [
    route({
      method: 'post',
      path: '/servers/{id}/reports',
      operationId: 'reportServer',
      tag: 'Reports',
      summary: 'Tells the administrators what is wrong with a server',
      description: `One open report a user and server; at most ${REPORTS_AN_HOUR} in an hour.`,
      access: 'user',
      params: ServerParams,
      body: NewReport,
      status: 201,
      returns: FiledReport,
      errors: [404],
      codes: ['already_reported'],
      handle: ({ actor, params, body }) => reports.file(actor.userId, params.id, body),
    }),
    route({
      ...administration,
      method: 'get',
      path: '/admin/reports',
      operationId: 'listReports',
      summary: 'Reports about servers; the oldest first',
      query: ReportsQuery,
      returns: Reports,
      handle: ({ query }) => reports.list(query),
    }),
    route({
      ...administration,
      method: 'patch',
      path: '/admin/reports/{id}',
      operationId: 'settleReport',
      summary: 'Resolves a report, dismisses it or opens it again, with a note',
      params: ReportParams,
      body: ReportChange,
      returns: AdminReport,
      errors: [404],
      codes: ['already_reported'],
      handle: ({ actor, params, body }) => reports.change(actor.userId, params.id, body),
    }),
    route({
      ...administration,
      method: 'delete',
      path: '/admin/reports/{id}',
      operationId: 'deleteReport',
      summary: 'Deletes a report',
      params: ReportParams,
      returns: Success,
      errors: [404],
      async handle({ actor, params }) {
        await reports.remove(actor.userId, params.id)
        return DONE
      },
    }),
  ]
}
