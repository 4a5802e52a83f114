// Claims as claimants see them. SQL where the database's clock decides; models for rows by key and counts.
import type * as z from 'zod'
import type { Db, Optional } from '../../platform/db/pool.ts'
import type { ClaimState } from './claims.schema.ts'
import { TAKEOVER_AT } from './takeovers.store.ts'

/** How long a token can be proven. */
const PENDING_FOR = `interval '7 days'`

export interface ClaimRow {
  token: string
  expiresAt: Date
  isExpired: boolean
  /**
   * When the last check started, and whether the server answered it; null before the first, and if its answers
   * differed.
   */
  checkedAt: Date | null
  serverAnswered: boolean | null
  verifiedAt: Date | null
  /** While the token is seen on a listing that another user has proven: the earliest time of the transfer. */
  takeoverAt: Date | null
  /** When the owner's stop ends; null if there is none. */
  stoppedUntil: Date | null
}

/** A user's relation to a server. */
export interface OwnClaim {
  status: z.output<typeof ClaimState>['status']
  claim: ClaimRow | undefined
}

/**
 * Starts a user's claim of a server, or starts it again with this token if the former has expired or was proven.
 * @returns undefined if a claim is pending, or was stopped by the owner and must not start again yet; it stays as it is
 */
export async function insertClaim(db: Db, claim: { id: string; serverId: string; userId: string; token: string }) {
  const { rows } = await db.query<Pick<ClaimRow, 'token' | 'expiresAt'>>(
    `insert into server_claims as claim (id, server_id, user_id, token, expires_at)
     values ($1, $2, $3, $4, now() + ${PENDING_FOR})
     on conflict (server_id, user_id) do update
     set token = excluded.token, created_at = now(), expires_at = excluded.expires_at, checked_at = null,
       server_answered = null, verified_at = null, takeover_since = null, takeover_seen_at = null, takeover_sightings = 0,
       stop_token_hash = null, warned_user_id = null, warned_at = null, warning_ordered_at = null
     where (claim.verified_at is not null or claim.expires_at <= now())
       and (claim.stopped_until is null or claim.stopped_until <= now())
     returning token, expires_at as "expiresAt"`,
    [claim.id, claim.serverId, claim.userId, claim.token],
  )
  return rows[0]
}

export const findClaim = ({ prisma }: Db, serverId_userId: { serverId: string; userId: string }) =>
  prisma.serverClaim.findUniqueOrThrow({ where: { serverId_userId }, select: { token: true, expiresAt: true } })

/**
 * Reads the server and the claim in one statement, because a worker could transfer the server between two.
 * @returns undefined if there is no such server or it is hidden
 */
export async function findOwnClaim(db: Db, serverId: string, userId: string): Promise<OwnClaim | undefined> {
  const { rows } = await db.query<Optional<ClaimRow> & { isProven: boolean }>(
    `select is_verified and owner_id is not distinct from $2 as "isProven", token, expires_at as "expiresAt",
       expires_at <= now() as "isExpired", checked_at as "checkedAt", server_answered as "serverAnswered",
       verified_at as "verifiedAt",
       case when is_verified and takeover_since is not null and verified_at is null then ${TAKEOVER_AT} end as "takeoverAt",
       case when stopped_until > now() then stopped_until end as "stoppedUntil"
     from servers left join server_claims on server_id = servers.id and user_id = $2
     where servers.id = $1 and deleted_at is null and hidden_at is null`,
    [serverId, userId],
  )
  const [row] = rows
  if (!row) return undefined
  const claim = row.token === null ? undefined : (row as ClaimRow)
  if (row.isProven) return { status: 'verified', claim }
  // Another user has proven the server since.
  if (!claim || claim.verifiedAt) return { status: 'none', claim: undefined }
  return { status: claim.isExpired ? 'expired' : 'pending', claim }
}

/** Locks a user's row, so that of parallel claims each counts those before it. */
export async function lockClaimant(db: Db, userId: string): Promise<void> {
  await db.query('select from users where id = $1 for no key update', [userId])
}

/** Claims of removed servers cost nothing, so they do not count. */
export const countPending = ({ prisma }: Db, userId: string): Promise<number> =>
  prisma.serverClaim.count({
    where: { userId, verifiedAt: null, expiresAt: { gt: new Date() }, server: { deletedAt: null } },
  })

export interface ClaimedServer {
  game: string
  /** IPv4 address, IPv6 address or DNS name. */
  ipAddress: string
  /** With `gamePortGiven`: whether the service of the game's client decides where the name leads, as for polls. */
  gamePort: number
  gamePortGiven: boolean
  queryPort: number
  isOnline: boolean
}

/** Where to query a claimed server; undefined if it was deleted or hidden. */
export async function findClaimedServer({ prisma }: Db, serverId: string): Promise<ClaimedServer | undefined> {
  const found = await prisma.serverStatus.findFirst({
    where: { serverId, server: { deletedAt: null, hiddenAt: null } },
    select: {
      isOnline: true,
      server: { select: { game: true, ipAddress: true, gamePort: true, gamePortGiven: true, queryPort: true } },
    },
  })
  return found ? { ...found.server, isOnline: found.isOnline } : undefined
}
