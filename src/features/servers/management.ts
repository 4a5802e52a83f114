// Server management put together: rules and endpoints.
import type { Route } from '../../platform/http/route.ts'
import { managementRoutes } from './management.routes.ts'
import { createManagementService, type ManagementOptions } from './management.service.ts'

export interface ServerManagement {
  routes: Route[]
}

export function createServerManagement(options: ManagementOptions): ServerManagement {
  return { routes: managementRoutes(createManagementService(options)) }
}
