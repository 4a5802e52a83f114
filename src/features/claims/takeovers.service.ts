// Takeovers: when another user claims a proven listing, its owner is warned and can stop the claim.
import type { Deps } from '../../deps.ts'
import type { ProcessSettings } from '../../platform/config/settings.ts'
import type { Db } from '../../platform/db/pool.ts'
import { hashToken } from '../../platform/hash-token.ts'
import type { JobQueue } from '../../platform/queue/jobs.ts'
import { deriveMailToken, type Mail, mail } from '../mail/index.ts'
import { notify } from '../notifications/index.ts'
import { serverLink } from '../servers/index.ts'
import { countSighting, findWarning, markWarned, setStopToken } from './takeovers.store.ts'

/** Counts a sighting, and warns the owner if due. @returns whether the listing is transferred now */
export async function recordTakeover(
  tx: Db,
  jobs: JobQueue,
  { claimId, serverId, ownerId }: { claimId: string; serverId: string; ownerId: string },
): Promise<boolean> {
  const { isWarningDue, isDue, at } = await countSighting(tx, claimId, ownerId)
  if (isWarningDue) {
    await jobs.enqueue(tx, mail, [{ kind: 'takeover-warning', userId: ownerId, serverId, claimId }])
    await jobs.enqueue(tx, notify, [
      { event: 'serverTakeover', at: at.toISOString(), serverId, userId: ownerId, data: {} },
    ])
  }
  return isDue
}

/** The mail of kind `takeover-warning`. @returns undefined if there is nothing to warn of or no verified address */
export async function writeTakeoverWarning(
  { pool, settings }: Pick<Deps, 'pool'> & { settings: Pick<ProcessSettings, 'PUBLIC_BASE_URL' | 'APP_SECRET'> },
  { userId, serverId, claimId }: { userId: string; serverId: string; claimId: string },
  jobId: string,
): Promise<Mail | undefined> {
  const warning = await findWarning(pool, claimId, userId)
  if (!warning) return undefined
  const token = deriveMailToken(settings, { jobId, purpose: 'stop-claim', boundTo: [warning.email] })
  await setStopToken(pool, claimId, hashToken(token))
  const base = settings.PUBLIC_BASE_URL
  return {
    to: warning.email,
    subject: `A user claims your listing ${warning.serverName}`,
    text: `Hello ${warning.username},

the game server behind your listing "${warning.serverName}"
shows the token of another user, who claims it. If the server keeps
showing it, the listing becomes theirs in ten minutes at the earliest.

If you have not sold or given away the server, stop the claim:

${base}/stop-claim#${token}

That user can then not claim it again for 30 days. The server:

${serverLink(base, serverId)}
`,
    sent: () => markWarned(pool, hashToken(token)),
  }
}
