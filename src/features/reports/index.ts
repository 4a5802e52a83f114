// The door of reports: what users say is wrong with a listing, and the administrators' queue of it.
import type { Route } from '../../platform/http/route.ts'
import { reportsRoutes } from './reports.routes.ts'
import { createReportsService, type ReportsOptions } from './reports.service.ts'

export interface ServerReports {
  routes: Route[]
}

export function createReports(options: ReportsOptions): ServerReports {
  return { routes: reportsRoutes(createReportsService(options)) }
}
