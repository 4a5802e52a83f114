// The endpoints of claims.
import { type Route, route } from '../../platform/http/route.ts'
import { ServerParams } from '../directory/index.ts'
import { ClaimState, ClaimVerification, StartedClaim, StoppedClaims, StopToken } from './claims.schema.ts'
import { type ClaimsService, MAX_PENDING } from './claims.service.ts'
import type { TakeoversService } from './takeovers.service.ts'

const common = { tag: 'Claims', access: 'user', params: ServerParams } as const

export function claimsRoutes(claims: ClaimsService): Route[] {
  return [
    route({
      ...common,
      method: 'post',
      path: '/servers/{id}/claim',
      operationId: 'claimServer',
      summary: 'Starts a claim: shows the token that proves a server yours',
      description:
        'A claim that is pending stays as it is; one that expired starts anew with another token. A proof takes the ' +
        'listing over from whoever has it, who is told by mail. A listing that is proven another’s changes hands only when the ' +
        'server shows the token for at least ten minutes, after its owner was warned and has not stopped the claim; a claim that ' +
        `was stopped can start again after 30 days. At most ${MAX_PENDING} can be pending.`,
      returns: StartedClaim,
      errors: [404],
      codes: ['already_verified', 'too_many_claims', 'claim_stopped'],
      handle: ({ actor, params }) => claims.start(actor.userId, params.id),
    }),
    route({
      ...common,
      method: 'get',
      path: '/servers/{id}/claim',
      operationId: 'getClaim',
      summary: 'How your claim of a server stands',
      returns: ClaimState,
      errors: [404],
      handle: ({ actor, params }) => claims.state(actor.userId, params.id),
    }),
    route({
      ...common,
      method: 'post',
      path: '/servers/{id}/claim/verify',
      operationId: 'verifyClaim',
      summary: 'Asks the server now whether it shows your token',
      description:
        'Waits up to 12 seconds for the server; 503 when it could not be asked by then. `pending` says that it was asked ' +
        'and did not show the token, or did not answer. At most 20 in a minute.',
      returns: ClaimVerification,
      errors: [404],
      codes: ['no_pending_claim'],
      handle: ({ actor, params }) => claims.verify(actor.userId, params.id),
    }),
  ]
}

/** By which owners keep a listing that somebody else claims. */
export function takeoverRoutes(takeovers: TakeoversService): Route[] {
  return [
    route({
      ...common,
      method: 'post',
      path: '/servers/{id}/claim/stop',
      operationId: 'stopClaims',
      summary: 'Stops the claims that wait to take your server over',
      description: 'Those who made them can’t claim the server again for 30 days.',
      returns: StoppedClaims,
      errors: [404],
      handle: ({ actor, params }) => takeovers.stop(actor, params.id),
    }),
    route({
      tag: 'Claims',
      method: 'post',
      path: '/claims/stop',
      operationId: 'stopClaimByMail',
      summary: 'Stops a claim by the token that was mailed to the server’s owner',
      body: StopToken,
      returns: StoppedClaims,
      codes: ['invalid_token'],
      handle: ({ body }) => takeovers.stopByMail(body.token),
    }),
  ]
}
