// The door of API keys: their endpoints, and who a request that comes with one acts for.
import type { Deps } from '../../deps.ts'
import type { Authenticator } from '../../platform/http/actor.ts'
import type { Route } from '../../platform/http/route.ts'
import { apiKeysRoutes } from './api-keys.routes.ts'
import { createApiKeysService } from './api-keys.service.ts'
import { updateLastUsed } from './api-keys.sql.ts'
import { createUsage } from './usage.ts'

export { revokeKeysOf } from './api-keys.sql.ts'
export { TIERS, type Tier } from './tiers.ts'

export interface ApiKeys {
  routes: Route[]
  byKey: Authenticator['byKey']
  recallKey: Authenticator['recallKey']
  /** Writes down the last uses; call it once no request comes any more. */
  stop(): Promise<void>
}

export function createApiKeys({ pool, log }: Pick<Deps, 'pool' | 'log'>): ApiKeys {
  const usage = createUsage({ write: (uses) => updateLastUsed(pool, uses), log })
  const service = createApiKeysService({ pool, usage })
  return { routes: apiKeysRoutes(service), byKey: service.byKey, recallKey: service.recallKey, stop: usage.stop }
}
