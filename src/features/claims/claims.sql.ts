// Statements over ownership claims and the listings they are about. All time is the database's.
import type { Db, Optional } from '../../platform/db/pool.ts'

import { TAKEOVER_AT } from './takeovers.sql.ts'

export interface ClaimRow {
  token: string
  expiresAt: Date
  isExpired: boolean
  /** When the last check began, and whether the server answered it; null before the first, and when its answers differed. */
  checkedAt: Date | null
  serverAnswered: boolean | null
  verifiedAt: Date | null
  /** While the token is seen on a listing that is proven another's: when it can become the user's at the earliest. */
  takeoverAt: Date | null
  /** While the owner's stop holds. */
  stoppedUntil: Date | null
}

const CLAIM = `token, expires_at as "expiresAt", expires_at <= now() as "isExpired", checked_at as "checkedAt",
  server_answered as "serverAnswered", verified_at as "verifiedAt",
  case when takeover_since is not null and verified_at is null then ${TAKEOVER_AT} end as "takeoverAt",
  case when stopped_until > now() then stopped_until end as "stoppedUntil"`

/**
 * Starts a user's claim of a server, or starts it anew with this token when the former has expired or was proven.
 * @returns undefined when one is pending, or was stopped by the owner and may not start again yet; it stays as it is
 */
export async function insertClaim(
  db: Db,
  claim: { id: string; serverId: string; userId: string; token: string; days: number },
): Promise<ClaimRow | undefined> {
  const { rows } = await db.query<ClaimRow>(
    `insert into server_claims as claim (id, server_id, user_id, token, expires_at)
     values ($1, $2, $3, $4, now() + make_interval(days => $5))
     on conflict (server_id, user_id) do update
     set token = excluded.token, created_at = now(), expires_at = excluded.expires_at, checked_at = null,
       server_answered = null, verified_at = null, takeover_since = null, takeover_seen_at = null, takeover_sightings = 0,
       stop_token_hash = null
     where (claim.verified_at is not null or claim.expires_at <= now())
       and (claim.stopped_until is null or claim.stopped_until <= now())
     returning ${CLAIM}`,
    [claim.id, claim.serverId, claim.userId, claim.token, claim.days],
  )
  return rows[0]
}

export async function findClaim(db: Db, serverId: string, userId: string): Promise<ClaimRow | undefined> {
  const { rows } = await db.query<ClaimRow>(
    `select ${CLAIM} from server_claims where server_id = $1 and user_id = $2`,
    [serverId, userId],
  )
  return rows[0]
}

/** How a user stands to a server. */
export interface Standing {
  /** Whether it is theirs by proof. */
  isProven: boolean
  claim: ClaimRow | undefined
}

/**
 * One statement: between two a worker could give the server away, and the halves would not fit.
 * @returns undefined when there is no such server, or it is hidden
 */
export async function findStanding(db: Db, serverId: string, userId: string): Promise<Standing | undefined> {
  const { rows } = await db.query<Optional<ClaimRow> & { isProven: boolean }>(
    `select is_verified and owner_id is not distinct from $2 as "isProven", ${CLAIM}
     from servers left join server_claims on server_id = servers.id and user_id = $2
     where servers.id = $1 and deleted_at is null and hidden_at is null`,
    [serverId, userId],
  )
  const [row] = rows
  if (!row) return undefined
  const { isProven, ...claim } = row
  return { isProven, claim: claim.token === null ? undefined : (claim as ClaimRow) }
}

/** @returns how many claims of a user wait for their proof */
export async function countPending(db: Db, userId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'select count(*) from server_claims where user_id = $1 and verified_at is null and expires_at > now()',
    [userId],
  )
  return rows[0]?.count ?? 0
}

/** A claim that can be proven now. Of a banned user's none can. */
const PENDING = `claim.verified_at is null and claim.expires_at > now()
  and exists (select from users where users.id = claim.user_id and users.banned_at is null)`

/** @returns tokens of these servers' pending claims, each with the time of the reading */
export async function findPendingTokens(
  db: Db,
  serverIds: readonly string[],
): Promise<{ serverId: string; token: string; readAt: Date }[]> {
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

export interface ClaimedServer {
  game: string
  /** IPv4 address or DNS name. */
  ipAddress: string
  queryPort: number
  isOnline: boolean
}

/** Where to ask a server that is claimed; undefined when it was deleted or hidden. */
export async function findClaimedServer(db: Db, serverId: string): Promise<ClaimedServer | undefined> {
  const { rows } = await db.query<ClaimedServer>(
    `select game, ip_address as "ipAddress", query_port as "queryPort", is_online as "isOnline"
     from servers join server_status on server_id = id
     where id = $1 and deleted_at is null and hidden_at is null`,
    [serverId],
  )
  return rows[0]
}

/**
 * What one look at a server said about one token. `contradictory`: several answers came for one request, so at least one of
 * them was not the server's.
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
  /** Whether it waits to take over a listing that is proven another's. */
  isWaiting: boolean
}

/**
 * Writes checks that began at `askedAt` to the claims that can still be proven. A proof query that shows a server without the token
 * ends a takeover that waits; a poll's answer decides nothing, and one that shows the token is left to the proof query.
 * Locks the claims in the order of their ids, so that two checks of the same server wait for each other.
 * @returns those claims, per server the oldest first
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

/** Who has a server. */
export interface Holder {
  userId: string | null
  isProven: boolean
}

/** @returns who has the server, which stays so until the transaction ends; undefined when it was deleted or hidden meanwhile */
export async function lockHolder(db: Db, serverId: string): Promise<Holder | undefined> {
  const { rows } = await db.query<Holder>(
    `select owner_id as "userId", is_verified as "isProven" from servers
     where id = $1 and deleted_at is null and hidden_at is null
     for no key update`,
    [serverId],
  )
  return rows[0]
}

/** Gives a server, whose row the transaction has locked, to the user who proved it. */
export async function giveServer(db: Db, serverId: string, userId: string): Promise<void> {
  await db.query('update servers set owner_id = $2, is_verified = true, updated_at = now() where id = $1', [
    serverId,
    userId,
  ])
}

/** What a former owner is told with; undefined when he has no address or the server is gone. */
export async function findLoss(
  db: Db,
  serverId: string,
  userId: string,
): Promise<{ email: string; username: string; serverName: string } | undefined> {
  const { rows } = await db.query<{ email: string; username: string; serverName: string }>(
    `select email, username, servers.name as "serverName"
     from users, servers
     where users.id = $2 and users.email is not null and banned_at is null and servers.id = $1`,
    [serverId, userId],
  )
  return rows[0]
}
