// The operations of claims, and of owners who stop them.
import { v7 as uuidv7 } from 'uuid'
import type * as z from 'zod'
import type { Db } from '../../platform/db/pool.ts'
import { hashToken } from '../../platform/hash-token.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { operation, type Resource } from '../../platform/http/operation.ts'
import { recordAction } from '../audit/index.ts'
import { managedServer, noSuchServer, ServerIdParams } from '../servers/index.ts'
import { ClaimState, ClaimVerification, StartedClaim, StoppedClaims, StopToken } from './claims.schema.ts'
import { countPending, findClaim, findOwnClaim, insertClaim, lockClaimant, type OwnClaim } from './claims.store.ts'
import { stopByToken, stopWaitingClaims } from './takeovers.store.ts'
import { createClaimToken, describeClaim, lastCheckOf, proofInstructions } from './token.ts'
import { createVerification, type VerificationOptions } from './verification.service.ts'

/** Each costs its server a query for rules at every poll. */
const MAX_PENDING = 100
/** Each sends datagrams to a game server. */
const VERIFICATIONS_PER_MINUTE = 20

const common = { tag: 'Claims', access: 'user' } as const

/** The caller's relation to a server; 404 for a hidden one. */
const claimOfCaller: Resource<'ownClaim', OwnClaim & { serverId: string }> = {
  name: 'ownClaim',
  params: ServerIdParams,
  errors: [404],
  async load(db, id, actor) {
    const ownClaim = actor && (await findOwnClaim(db, id, actor.userId))
    if (!ownClaim) throw noSuchServer()
    return { ...ownClaim, serverId: id }
  },
}

/** Starts a user's claim of a server; a pending claim stays unchanged. */
export async function startClaim(
  db: Db,
  { serverId, userId }: { serverId: string; userId: string },
): Promise<z.output<typeof StartedClaim>> {
  const claim = { id: uuidv7(), serverId, userId, token: createClaimToken() }
  const { token, expiresAt } = (await insertClaim(db, claim)) ?? (await findClaim(db, { serverId, userId }))
  return { verificationToken: token, message: proofInstructions(token), expiresAt }
}

export const claimsOperations = (options: VerificationOptions) => {
  const verify = createVerification(options)
  return [
    operation({
      ...common,
      method: 'post',
      scope: 'servers:write',
      path: '/servers/{id}/claim',
      operationId: 'claimServer',
      summary: 'Claim a server: returns the token that proves ownership',
      description:
        'A pending claim stays unchanged; an expired one starts again with a new token. A proof transfers the listing from its ' +
        'current owner, who gets a mail at a verified address. A listing that another user has proven changes owners only if the server shows the ' +
        'token for at least ten minutes, after its owner was warned and did not stop the claim; a stopped claim can start again ' +
        `after 30 days. At most ${MAX_PENDING} claims can be pending.`,
      resource: claimOfCaller,
      returns: StartedClaim,
      codes: ['already_verified', 'too_many_claims', 'claim_stopped'],
      async handle({ tx, actor: { userId }, ownClaim: { status, claim, serverId } }) {
        if (status === 'verified')
          throw new ApiError(400, 'already_verified', 'You have already proven ownership of this server.')
        if (claim?.stoppedUntil) throw new ApiError(400, 'claim_stopped', describeClaim({ status: 'expired', claim }))
        if (status !== 'pending') await requireClaimsLeft(tx, userId)
        return startClaim(tx, { serverId, userId })
      },
    }),
    operation({
      ...common,
      method: 'get',
      scope: 'read',
      path: '/servers/{id}/claim',
      operationId: 'getClaim',
      summary: 'Get your claim of a server',
      resource: claimOfCaller,
      returns: ClaimState,
      handle({ ownClaim }) {
        const { status, claim } = ownClaim
        const isPending = status === 'pending'
        return {
          status,
          verificationToken: (isPending && claim?.token) || null,
          expiresAt: ((isPending || status === 'expired') && claim?.expiresAt) || null,
          checkedAt: claim?.checkedAt ?? null,
          lastCheck: isPending ? lastCheckOf(ownClaim) : null,
          takeoverAt: (isPending && claim?.takeoverAt) || null,
          message: describeClaim(ownClaim),
        }
      },
    }),
    operation({
      ...common,
      method: 'post',
      scope: 'servers:write',
      path: '/servers/{id}/claim/verify',
      operationId: 'verifyClaim',
      summary: 'Check the server for your token now',
      description:
        'Waits up to 12 seconds for the server; 503 if it could not be queried by then. `pending` means that the server was queried ' +
        'and did not show the token, did not answer, or shows the token and becomes yours at `takeoverAt` of `getClaim`: see ' +
        `\`message\`. At most ${VERIFICATIONS_PER_MINUTE} per minute.`,
      // The worker that queries the server must see the job.
      transaction: false,
      resource: claimOfCaller,
      limit: { name: 'claim-verify', limit: VERIFICATIONS_PER_MINUTE, windowSeconds: 60, per: 'user' },
      returns: ClaimVerification,
      codes: ['no_pending_claim'],
      handle: ({ actor: { userId }, ownClaim }) => verify({ userId, serverId: ownClaim.serverId }, ownClaim),
    }),
    operation({
      ...common,
      method: 'post',
      scope: 'servers:write',
      path: '/servers/{id}/claim/stop',
      operationId: 'stopClaims',
      summary: 'Stop the claims on your server',
      description: 'The users who made them cannot claim the server again for 30 days.',
      resource: managedServer({ lock: 'update' }),
      returns: StoppedClaims,
      async handle({ tx, actor, server }) {
        const claimIds = await stopWaitingClaims(tx, server.id)
        if (claimIds.length) await recordStop(tx, actor.userId, server.id, claimIds)
        return describeStop(claimIds.length)
      },
    }),
    operation({
      tag: 'Claims',
      method: 'post',
      path: '/claims/stop',
      operationId: 'stopClaimByMail',
      summary: 'Stop a claim with the token from the owner’s mail',
      body: StopToken,
      returns: StoppedClaims,
      codes: ['invalid_token'],
      async handle({ tx, body: { token } }) {
        const stopped = await stopByToken(tx, hashToken(token))
        if (!stopped)
          throw new ApiError(400, 'invalid_token', 'This link was already used, or the claim no longer exists.')
        await recordStop(tx, stopped.ownerId, stopped.serverId, [stopped.claimId])
        return describeStop(1)
      },
    }),
  ]
}

/** @throws ApiError 400 too_many_claims */
async function requireClaimsLeft(tx: Db, userId: string): Promise<void> {
  await lockClaimant(tx, userId)
  if ((await countPending(tx, userId)) >= MAX_PENDING)
    throw new ApiError(400, 'too_many_claims', `You may have at most ${MAX_PENDING} pending claims.`)
}

/** Also records the owner's own stops, unlike the audit of `managedServer`. */
const recordStop = (tx: Db, actorId: string, targetId: string, claimIds: string[]) =>
  recordAction(tx, { actorId, action: 'server.claim-stop', targetType: 'server', targetId, details: { claimIds } })

const describeStop = (stopped: number) => ({
  stopped,
  message: stopped
    ? 'The server stays yours. The user who claimed it cannot claim it again for 30 days.'
    : 'No claim waits to take over this server.',
})
