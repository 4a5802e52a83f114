// Claims: how somebody proves that a game server is theirs, and how owners keep one that somebody else claims.
import type { Pages } from '../../platform/http/pages.ts'
import type { Route } from '../../platform/http/route.ts'
import { claimsRoutes, takeoverRoutes } from './claims.routes.ts'
import { type ClaimsOptions, createClaimsService } from './claims.service.ts'
import { createTakeoversService, type TakeoversOptions } from './takeovers.service.ts'

export {
  type ClaimChecks,
  createClaimChecks,
  type PendingTokens,
  type Seen,
  toChecks,
  writeTakenOver,
} from './checks.service.ts'
export { ClaimCheck, claimCheck } from './claims.jobs.ts'
export { startClaim } from './claims.service.ts'
export type { ClaimedServer } from './claims.sql.ts'
export { writeTakeoverWarning } from './takeovers.service.ts'

export interface Claims {
  routes: Route[]
  pages: Pages
}

/** @param options.checkWaitMs how long POST claim/verify waits for a worker; 12 s unless given */
export function createClaims(options: ClaimsOptions & TakeoversOptions): Claims {
  return {
    routes: [...claimsRoutes(createClaimsService(options)), ...takeoverRoutes(createTakeoversService(options))],
    pages: { '/stop-claim': new URL('pages/stop-claim.html', import.meta.url) },
  }
}
