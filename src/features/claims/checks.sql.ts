// SQL, because checks decide races between claims, by the database's clock, and write sets of rows.
import type { Db } from '../../platform/db/pool.ts'

/** A claim that can be proven now; a banned user's cannot. */
const PENDING = `claim.verified_at is null and claim.expires_at > now()
  and exists (select from users where users.id = claim.user_id and users.banned_at is null)`

/** @returns tokens of these servers' pending claims, each with the time of the read */
export async function findPendingTokens(db: Db, serverIds: readonly string[]) {
  const { rows } = await db.query<{ serverId: string; token: string; readAt: Date }>({
    name: 'claims-pending-tokens',
    text: `
      select claim.server_id as "serverId", claim.token, now() as "readAt"
      from server_claims as claim
      where claim.server_id = any($1::uuid[]) and ${PENDING}`,
    values: [serverIds],
  })
  return rows
}

/**
 * What one query of a server said about one token. `contradictory`: one request got several answers, so that at least
 * one of them was not the server's.
 */
export interface TokenCheck {
  token: string
  result: 'silent' | 'contradictory' | 'absent' | 'seen'
}

export interface CheckedClaim {
  id: string
  serverId: string
  userId: string
  seen: boolean
  /** Whether the claim waits to take over a listing that another user has proven. */
  isWaiting: boolean
}

/**
 * Writes checks that began at `askedAt` to the claims that can still be proven. A proof query that shows a server
 * without the token ends a waiting takeover; a poll's answer decides nothing, and one that shows the token is left to
 * the proof query. Locks the claims in id order, so that two checks of the same server wait for each other.
 * @returns those claims, by server, oldest first
 */
export async function writeChecks(
  db: Db,
  checks: readonly TokenCheck[],
  { askedAt, isProofQuery }: { askedAt: Date; isProofQuery: boolean },
): Promise<CheckedClaim[]> {
  const { rows } = await db.query<CheckedClaim>({
    name: 'claims-write-checks',
    text: `
      with checkable as (
        select claim.id, result, $4 and result = 'absent' as refuted, $4 or result <> 'seen' as written
        from server_claims as claim
        join unnest($1::text[], $2::text[]) as checked (token, result) using (token)
        where ${PENDING}
        order by claim.id
        for update of claim
      ),
      written as (
        update server_claims as claim
        set checked_at = case when written then greatest(claim.checked_at, $3) else claim.checked_at end,
          server_answered = case
            when not written then server_answered
            when result = 'contradictory' then null
            else result <> 'silent' end,
          takeover_since = case when not refuted then takeover_since end,
          takeover_seen_at = case when not refuted then takeover_seen_at end,
          takeover_sightings = case when refuted then 0 else takeover_sightings end
        from checkable
        where claim.id = checkable.id
        returning claim.id, claim.server_id, claim.user_id, claim.created_at, result, claim.takeover_since
      )
      select id, server_id as "serverId", user_id as "userId", result = 'seen' as seen, takeover_since is not null as "isWaiting"
      from written
      order by server_id, created_at, id`,
    values: [checks.map(({ token }) => token), checks.map(({ result }) => result), askedAt, isProofQuery],
  })
  return rows
}

export async function markProven(db: Db, claimIds: readonly string[]): Promise<void> {
  await db.query(
    `update server_claims
     set verified_at = now(), takeover_since = null, takeover_seen_at = null, takeover_sightings = 0, stop_token_hash = null
     where id = any($1::uuid[])`,
    [claimIds],
  )
}

/** Locks the server until the transaction ends. @returns its owner; undefined if the server was deleted or hidden */
export async function lockOwner(db: Db, serverId: string) {
  const { rows } = await db.query<{ userId: string | null; isProven: boolean }>(
    `select owner_id as "userId", is_verified as "isProven" from servers
     where id = $1 and deleted_at is null and hidden_at is null
     for no key update`,
    [serverId],
  )
  return rows[0]
}

/** Transfers a server, whose row the transaction has locked, to the user who proved it at an IP address. */
export async function transferServer(
  db: Db,
  serverId: string,
  { userId, address }: { userId: string; address: string | undefined },
): Promise<void> {
  await db.query(
    'update servers set owner_id = $2, is_verified = true, proven_address = $3, updated_at = now() where id = $1',
    [serverId, userId, address],
  )
}

/**
 * The recipient of the mail about a takeover; undefined if the former owner has no verified address or
 * the server was removed.
 */
export async function findFormerOwner(db: Db, serverId: string, userId: string) {
  const { rows } = await db.query<{ email: string; username: string; serverName: string }>(
    `select email, username, servers.name as "serverName"
     from users, servers
     where users.id = $2 and users.email is not null and email_verified_at is not null and banned_at is null and servers.id = $1`,
    [serverId, userId],
  )
  return rows[0]
}
