// A proven listing that somebody else claims: its owner is warned, and can stop the claim before the listing changes hands.
import { createHash, randomBytes } from 'node:crypto'
import type * as z from 'zod'
import type { Deps } from '../../deps.ts'
import { type Db, inTransaction, type Pool } from '../../platform/db/pool.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { recordAction } from '../audit/index.ts'
import { type Mail, mail } from '../mail/index.ts'
import { notify } from '../notifications/index.ts'
import type { StoppedClaims } from './claims.schema.ts'
import { findWarning, markWarned, noteSighting, setStopToken, stopByToken, stopWaiting } from './takeovers.sql.ts'

const hashOf = (token: string) => createHash('sha256').update(token).digest()

/** @returns whether the listing changes hands now; warns its owner when that is due */
export async function seeTakeover(
  tx: Db,
  jobs: Pick<Deps['jobs'], 'enqueue'>,
  { claimId, serverId, ownerId }: { claimId: string; serverId: string; ownerId: string },
): Promise<boolean> {
  const { isWarningDue, isDue, at } = await noteSighting(tx, claimId, ownerId)
  if (isWarningDue) {
    await jobs.enqueue(tx, mail, [{ kind: 'takeover-warning', userId: ownerId, serverId, claimId }])
    await jobs.enqueue(tx, notify, [
      { event: 'serverTakeover', at: at.toISOString(), serverId, userId: ownerId, data: {} },
    ])
  }
  return isDue
}

/** The mail of kind `takeover-warning`. @returns undefined when there is nothing to warn of, or no proven address to write to */
export async function writeTakeoverWarning(
  { pool, settings }: Pick<Deps, 'pool'> & { settings: Pick<Deps['settings'], 'PUBLIC_BASE_URL'> },
  { userId, serverId, claimId }: { userId: string; serverId: string; claimId: string },
): Promise<Mail | undefined> {
  const warning = await findWarning(pool, claimId, userId)
  if (!warning) return undefined
  const token = randomBytes(32).toString('base64url')
  await setStopToken(pool, claimId, hashOf(token))
  const base = settings.PUBLIC_BASE_URL
  return {
    to: warning.email,
    subject: `Somebody claims your listing ${warning.serverName}`,
    text: `Hello ${warning.username},

the game server behind your listing "${warning.serverName}"
shows the token of somebody else, who claims it. If the server goes on
showing it, the listing becomes theirs in ten minutes at the earliest.

If you have not sold or given away the server, stop the claim:

${base}/stop-claim#${token}

Or without a browser:

    curl ${base}/api/claims/stop \\
      -H 'Content-Type: application/json' \\
      -d '{"token":"${token}"}'

Logged in, or with an API key:
POST ${base}/api/servers/${serverId}/claim/stop

Whoever claims it can then not claim it again for 30 days.
`,
    sent: () => markWarned(pool, hashOf(token)),
  }
}

export interface TakeoversService {
  /** @throws ApiError 400 `invalid_token` */
  stopByMail(token: string): Promise<z.input<typeof StoppedClaims>>
  /** @throws ApiError 404, 403 for anybody but the owner and administrators */
  stop(actor: Actor, serverId: string): Promise<z.input<typeof StoppedClaims>>
}

export interface TakeoversOptions {
  pool: Pool
  /** `lockManaged` of the servers feature, which builds on this one. */
  lockManaged: (tx: Db, actor: Actor, serverId: string) => Promise<unknown>
}

export function createTakeoversService({ pool, lockManaged }: TakeoversOptions): TakeoversService {
  const record = (tx: Db, actorId: string, serverId: string, claimIds: readonly string[]) =>
    recordAction(tx, {
      actorId,
      action: 'server.claim-stop',
      targetType: 'server',
      targetId: serverId,
      details: { claimIds: [...claimIds] },
    })

  return {
    async stopByMail(token) {
      await inTransaction(pool, async (tx) => {
        const stopped = await stopByToken(tx, hashOf(token))
        if (!stopped)
          throw new ApiError(400, 'invalid_token', 'This link was used already, or there is nothing to stop.')
        await record(tx, stopped.ownerId, stopped.serverId, [stopped.claimId])
      })
      return stoppedReply(1)
    },

    async stop(actor, serverId) {
      const claimIds = await inTransaction(pool, async (tx) => {
        await lockManaged(tx, actor, serverId)
        const ids = await stopWaiting(tx, serverId)
        if (ids.length) await record(tx, actor.userId, serverId, ids)
        return ids
      })
      return stoppedReply(claimIds.length)
    },
  }
}

const stoppedReply = (stopped: number) => ({
  stopped,
  message: stopped
    ? 'The listing stays yours. Whoever claimed it can’t claim it again for 30 days.'
    : 'No claim waits to take this server over.',
})
