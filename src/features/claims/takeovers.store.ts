// Claims of listings that another user has proven. SQL, because the database's clock decides sightings, warnings and
// stops.
import type { Db } from '../../platform/db/pool.ts'

/** A forger would have to answer this often, for this long, while no answer of the real server arrives. */
const SIGHTINGS = 4
const SIGHTING_EVERY = `interval '2 minutes'`
const WAIT = `interval '10 minutes'`
/** If the warning could not be mailed: the owner has only the notification in the product. */
const WAIT_WITHOUT_MAIL = `interval '24 hours'`
/** A token that comes and goes must not send a mail each time. */
const WARNING_EVERY = `interval '1 day'`
const STOP_HOLDS = `interval '30 days'`

export const TAKEOVER_AT = `greatest(takeover_since + ${WAIT},
  coalesce(warned_at + ${WAIT}, warning_ordered_at + ${WAIT_WITHOUT_MAIL}))`

/**
 * Counts a sighting of a claim's token on a listing of `ownerId`. Warnings to a former owner do not count.
 * @returns `isWarningDue`: whether to warn the owner now; `isDue`: whether the listing is transferred now
 */
export async function countSighting(db: Db, claimId: string, ownerId: string) {
  const { rows } = await db.query<{ isWarningDue: boolean; isDue: boolean; at: Date }>(
    `with before as (
       select id, takeover_since is null or warned_user_id is distinct from $2 as is_first,
         warned_user_id is distinct from $2 or warning_ordered_at is null
           or (takeover_since is null and warning_ordered_at <= now() - ${WARNING_EVERY}) as is_warning_due
       from server_claims
       where id = $1
     )
     update server_claims as claim
     set takeover_since = case when is_first then now() else takeover_since end,
       takeover_sightings = case
         when is_first then 1
         else takeover_sightings + (takeover_seen_at <= now() - ${SIGHTING_EVERY})::integer end,
       takeover_seen_at = case
         when is_first or takeover_seen_at <= now() - ${SIGHTING_EVERY} then now()
         else takeover_seen_at end,
       warned_user_id = $2,
       warning_ordered_at = case when is_warning_due then now() else warning_ordered_at end,
       warned_at = case when not is_warning_due then warned_at end,
       stop_token_hash = case when not is_warning_due then stop_token_hash end
     from before
     where claim.id = before.id
     returning is_warning_due as "isWarningDue", takeover_sightings >= ${SIGHTINGS} and ${TAKEOVER_AT} <= now() as "isDue",
       now() as at`,
    [claimId, ownerId],
  )
  if (!rows[0]) throw new Error('a locked claim is gone')
  return rows[0]
}

/** The recipient of a warning about a claim, if it is still needed. Mail goes to verified addresses only. */
export async function findWarning(db: Db, claimId: string, ownerId: string) {
  const { rows } = await db.query<{ email: string; username: string; serverName: string }>(
    `select email, username, servers.name as "serverName"
     from server_claims as claim
     join servers on servers.id = claim.server_id and servers.owner_id = claim.warned_user_id and deleted_at is null
     join users on users.id = claim.warned_user_id
     where claim.id = $1 and claim.warned_user_id = $2 and claim.verified_at is null and claim.expires_at > now()
       and email_verified_at is not null and banned_at is null`,
    [claimId, ownerId],
  )
  return rows[0]
}

/** Replaces the token of a mail of another job. */
export async function setStopToken({ prisma }: Db, id: string, stopTokenHash: Buffer<ArrayBuffer>): Promise<void> {
  await prisma.serverClaim.updateMany({ where: { id }, data: { stopTokenHash } })
}

/** Call when the mail server has accepted the mail with this token. */
export async function markWarned(db: Db, tokenHash: Buffer): Promise<void> {
  await db.query('update server_claims set warned_at = now() where stop_token_hash = $1 and warned_at is null', [
    tokenHash,
  ])
}

const STOP = `set expires_at = now(), stopped_until = now() + ${STOP_HOLDS}, takeover_since = null, takeover_seen_at = null,
  takeover_sightings = 0, stop_token_hash = null`

/**
 * @returns undefined unless the token stops a claim that can still be proven, of a listing that its recipient still
 * owns
 */
export async function stopByToken(db: Db, tokenHash: Buffer) {
  const { rows } = await db.query<{ claimId: string; serverId: string; ownerId: string }>(
    `update server_claims as claim ${STOP}
     from servers
     where stop_token_hash = $1 and claim.verified_at is null and claim.expires_at > now()
       and servers.id = claim.server_id and servers.owner_id = claim.warned_user_id and servers.deleted_at is null
     returning claim.id as "claimId", servers.id as "serverId", servers.owner_id as "ownerId"`,
    [tokenHash],
  )
  return rows[0]
}

/** Stops the claims that wait to take a server over. @returns their ids */
export async function stopWaitingClaims(db: Db, serverId: string): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `with waiting as (
       select id from server_claims
       where server_id = $1 and takeover_since is not null and verified_at is null and expires_at > now()
       order by id
       for update)
     update server_claims as claim ${STOP}
     from waiting
     where claim.id = waiting.id
     returning claim.id`,
    [serverId],
  )
  return rows.map(({ id }) => id)
}

/** Of claims that can still be proven, deletes what the game server at the former address has shown. */
export async function forgetChecks(db: Db, serverId: string): Promise<void> {
  await db.query(
    `with pending as (
       select id from server_claims where server_id = $1 and verified_at is null
       order by id
       for update)
     update server_claims as claim
     set checked_at = null, server_answered = null, takeover_since = null, takeover_seen_at = null, takeover_sightings = 0
     from pending
     where claim.id = pending.id`,
    [serverId],
  )
}
