// The rules of claims as their endpoints see them: who may start one, how it stands, and having it checked at once.
import { setTimeout as sleep } from 'node:timers/promises'
import { validate as isUuid, v7 as uuidv7 } from 'uuid'
import type * as z from 'zod'
import type { Deps } from '../../deps.ts'
import { readClock } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/pool.ts'
import { ApiError, unavailable } from '../../platform/http/errors.ts'
import type { LimitPolicy } from '../../platform/http/limit-policy.ts'
import type { Limits } from '../../platform/http/limits.ts'
import type { Directory } from '../directory/index.ts'
import { noSuchServer } from '../directory/index.ts'
import { claimCheck } from './claims.jobs.ts'
import type { ClaimState, ClaimVerification, StartedClaim } from './claims.schema.ts'
import { type ClaimRow, countPending, findClaim, findStanding, insertClaim } from './claims.sql.ts'
import { createToken, howToProve } from './token.ts'

/** How long a token can be proven. */
const CLAIM_DAYS = 7
/** Each costs a query for rules at every poll of its server, whoever runs that. */
export const MAX_PENDING = 100
/** Each sends datagrams to somebody's server. */
const VERIFICATIONS: LimitPolicy[] = [{ name: 'claim-verify', limit: 20, windowSeconds: 60 }]
/** A server that answers nothing takes a worker 8 s of tries, and its name may have to be looked up first. */
const CHECK_WAIT_MS = 12_000
const LOOK_EVERY_MS = 150
const RETRY_AFTER_SECONDS = 10

type Claim = z.input<typeof StartedClaim>
type State = z.input<typeof ClaimState>

export interface ClaimsService {
  /** @throws ApiError 404; 400 `already_verified` when the server is the user's by proof, `too_many_claims`, `claim_stopped` */
  start(userId: string, serverId: string): Promise<Claim>
  /** @throws ApiError 404 */
  state(userId: string, serverId: string): Promise<State>
  /**
   * Has a worker ask the server now, and waits for what it says.
   * @throws ApiError 404; 400 `no_pending_claim`; 429 after 20 in a minute; 503 when no worker looked in time (each poll looks too)
   */
  verify(userId: string, serverId: string): Promise<z.input<typeof ClaimVerification>>
}

/** Starts a user's claim of a server in the caller's transaction; one that is pending already stays as it is. */
export async function startClaim(db: Db, { serverId, userId }: { serverId: string; userId: string }): Promise<Claim> {
  const given = { id: uuidv7(), serverId, userId, token: createToken(), days: CLAIM_DAYS }
  const claim = (await insertClaim(db, given)) ?? (await findClaim(db, serverId, userId))
  if (!claim) throw new Error('a claim that was there is gone')
  return {
    verificationToken: claim.token,
    message: howToProve(claim.token),
    expiresAt: claim.expiresAt.toISOString(),
  }
}

export interface ClaimsOptions extends Pick<Deps, 'pool' | 'jobs'> {
  directory: Pick<Directory, 'refresh'>
  limits: Pick<Limits, 'take'>
  checkWaitMs?: number
}

export function createClaimsService(options: ClaimsOptions): ClaimsService {
  const { pool, jobs, directory, limits, checkWaitMs = CHECK_WAIT_MS } = options

  async function read(userId: string, serverId: string): Promise<{ status: State['status']; claim?: ClaimRow }> {
    const standing = isUuid(serverId) ? await findStanding(pool, serverId, userId) : undefined
    if (!standing) throw noSuchServer()
    const { isProven, claim } = standing
    if (isProven) return { status: 'verified', ...(claim ? { claim } : {}) }
    // Proven once, and another's since.
    if (!claim || claim.verifiedAt) return { status: 'none' }
    return { status: claim.isExpired ? 'expired' : 'pending', claim }
  }

  return {
    async start(userId, serverId) {
      const { status, claim } = await read(userId, serverId)
      if (status === 'verified') throw new ApiError(400, 'already_verified', 'This server is yours by proof already.')
      if (claim?.stoppedUntil) throw new ApiError(400, 'claim_stopped', messageOf('expired', claim))
      if (status !== 'pending' && (await countPending(pool, userId)) >= MAX_PENDING)
        throw new ApiError(400, 'too_many_claims', `At most ${MAX_PENDING} claims can wait for their proof.`)
      return startClaim(pool, { serverId, userId })
    },

    async state(userId, serverId) {
      const { status, claim } = await read(userId, serverId)
      const isOpen = status === 'pending' || status === 'expired'
      return {
        status,
        verificationToken: status === 'pending' ? (claim?.token ?? null) : null,
        expiresAt: isOpen ? (claim?.expiresAt.toISOString() ?? null) : null,
        checkedAt: claim?.checkedAt?.toISOString() ?? null,
        takeoverAt: status === 'pending' ? (claim?.takeoverAt?.toISOString() ?? null) : null,
        message: messageOf(status, claim),
      }
    },

    async verify(userId, serverId) {
      const { status } = await read(userId, serverId)
      if (status === 'verified') return { status, message: messageOf(status) }
      if (status !== 'pending') throw new ApiError(400, 'no_pending_claim', messageOf(status))

      await limits.take({ key: userId, policies: VERIFICATIONS })
      const askedAt = await readClock(pool) // before: a job that waits already, and may begin at any moment, serves this call too
      await jobs.enqueue(pool, claimCheck, [{ serverId }], { singletonKey: serverId })
      const deadline = performance.now() + checkWaitMs
      for (;;) {
        await sleep(LOOK_EVERY_MS)
        const now = await read(userId, serverId)
        if (now.status === 'verified') {
          // The worker wrote it; whoever reads here next must see it. When that fails the proof stands all the same.
          await directory.refresh().catch(() => undefined)
          return { status: 'verified', message: messageOf('verified') }
        }
        if (now.status !== 'pending') throw new ApiError(400, 'no_pending_claim', messageOf(now.status))
        // A check that began before this call may have missed what was changed just before it.
        if (now.claim?.checkedAt && now.claim.checkedAt >= askedAt)
          return { status: 'pending', message: messageOf('pending', now.claim) }
        if (performance.now() > deadline)
          throw unavailable('The server could not be checked now; it is checked at each poll too.', RETRY_AFTER_SECONDS)
      }
    },
  }
}

function messageOf(status: State['status'], claim?: ClaimRow): string {
  switch (status) {
    case 'verified':
      return 'This server is yours by proof. The token may be taken out of its name again.'
    case 'expired':
      if (claim?.stoppedUntil)
        return `The server’s owner stopped this claim. You can claim the server again from ${claim.stoppedUntil.toISOString()}.`
      return 'The token was not found in time. Start the claim again to get a new one.'
    case 'none':
      return 'You do not claim this server. Start with POST /api/servers/{id}/claim.'
    case 'pending':
      if (!claim?.checkedAt) return howToProve(claim?.token ?? 'the token')
      if (claim.serverAnswered === null)
        return `The server gave several answers to one question, so none of them proves anything. ${howToProve(claim.token)}`
      if (claim.takeoverAt)
        return (
          'The server shows your token, but is proven another’s, who was warned. It becomes yours at ' +
          `${claim.takeoverAt.toISOString()} at the earliest: leave the token where it is.`
        )
      if (!claim.serverAnswered) return `The server did not answer when it was asked. ${howToProve(claim.token)}`
      return `The server answered, but did not show the token. ${howToProve(claim.token)}`
  }
}
