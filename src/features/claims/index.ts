// The door of claims: how somebody proves that a game server is theirs.
import type { Route } from '../../platform/http/route.ts'
import { claimsRoutes } from './claims.routes.ts'
import { type ClaimsOptions, createClaimsService } from './claims.service.ts'

export { type ClaimChecks, createClaimChecks, type PendingTokens, toChecks, writeTakenOver } from './checks.service.ts'
export { ClaimCheck, claimCheck } from './claims.jobs.ts'
export { startClaim } from './claims.service.ts'

export interface Claims {
  routes: Route[]
}

/** @param options.checkWaitMs how long POST claim/verify waits for a worker; 12 s unless given */
export function createClaims(options: ClaimsOptions): Claims {
  return { routes: claimsRoutes(createClaimsService(options)) }
}
