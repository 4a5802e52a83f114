// The endpoints of claims.
import { type Route, route } from '../../platform/http/route.ts'
import { ServerParams } from '../directory/index.ts'
import { ClaimState, ClaimVerification, StartedClaim } from './claims.schema.ts'
import { type ClaimsService, MAX_PENDING } from './claims.service.ts'

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
        `listing over from whoever has it, who is told by mail. At most ${MAX_PENDING} can be pending.`,
      returns: StartedClaim,
      errors: [404],
      codes: ['already_verified', 'too_many_claims'],
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
