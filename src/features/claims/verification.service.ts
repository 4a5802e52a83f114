// Makes a worker query a claimed server at once, and waits for the result.
import { setTimeout as sleep } from 'node:timers/promises'
import type { JobWithMetadata } from 'pg-boss'
import type * as z from 'zod'
import type { Deps } from '../../deps.ts'
import { readClock } from '../../platform/db/clock.ts'
import { ApiError, unavailable } from '../../platform/http/errors.ts'
import type { Directory } from '../directory/index.ts'
import { noSuchServer } from '../servers/index.ts'
import { claimCheck } from './claims.jobs.ts'
import type { ClaimVerification } from './claims.schema.ts'
import { findOwnClaim, type OwnClaim } from './claims.store.ts'
import { describeClaim } from './token.ts'

/** A silent server takes a worker 8 s of attempts, and its name may have to be resolved first. */
const WAIT_MS = 12_000
const POLL_EVERY_MS = 150
const RETRY_AFTER_SECONDS = 10

export interface VerificationOptions extends Pick<Deps, 'pool' | 'jobs'> {
  directory: Pick<Directory, 'refresh'>
  /** How long to wait for a worker; 12 s by default. */
  waitMs?: number
}

const OPEN_STATES: JobWithMetadata['state'][] = ['created', 'retry', 'active']

export function createVerification({ pool, jobs, directory, waitMs = WAIT_MS }: VerificationOptions) {
  /** Whether a worker is to check the server, or does. */
  async function isCheckOpen(serverId: string): Promise<boolean> {
    const checks = await jobs.boss.findJobs(claimCheck.queue, { key: serverId })
    return checks.some(({ state }) => OPEN_STATES.includes(state))
  }

  /**
   * @param ownClaim the user's claim when called
   * @throws ApiError 404; 400 `no_pending_claim`; 503 if no worker queried the server in time (each poll queries it
   * too)
   */
  return async function verify(
    { userId, serverId }: { userId: string; serverId: string },
    ownClaim: OwnClaim,
  ): Promise<z.output<typeof ClaimVerification>> {
    const first = resultOf(ownClaim)
    if (first.status === 'verified') return first
    const askedAt = await readClock(pool) // before the job: one that is waiting already serves this call too
    await jobs.enqueue(pool, claimCheck, [{ serverId }], { singletonKey: serverId })
    const deadline = performance.now() + waitMs
    for (;;) {
      await sleep(POLL_EVERY_MS)
      // Before the claim is read: the worker ends the job after it has written its result.
      const isOver = !(await isCheckOpen(serverId))
      const now = await findOwnClaim(pool, serverId, userId)
      if (!now) throw noSuchServer()
      const result = resultOf(now)
      if (result.status === 'verified') {
        // A worker wrote the proof, and the caller must see it in this process. The proof holds even if that fails.
        await directory.refresh().catch(() => undefined)
        return result
      }
      // A check that started before this call may have missed what the owner changed just before it.
      if (now.claim?.checkedAt && now.claim.checkedAt >= askedAt) return result
      if (isOver || performance.now() > deadline)
        throw unavailable('The server could not be checked now; each poll checks it too.', RETRY_AFTER_SECONDS)
    }
  }
}

function resultOf(ownClaim: OwnClaim): z.output<typeof ClaimVerification> {
  const { status } = ownClaim
  const message = describeClaim(ownClaim)
  if (status !== 'verified' && status !== 'pending') throw new ApiError(400, 'no_pending_claim', message)
  return { status, message }
}
