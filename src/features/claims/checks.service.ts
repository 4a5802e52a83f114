// Checks of claimed servers: the tokens to look for, and what follows from finding one.
import type { Deps } from '../../deps.ts'
import type { ProcessSettings } from '../../platform/config/settings.ts'
import { retryDeadlocks } from '../../platform/db/deadlock.ts'
import { type Db, inTransaction } from '../../platform/db/pool.ts'
import type { JobQueue } from '../../platform/queue/jobs.ts'
import { recordAction } from '../audit/index.ts'
import { srvServiceOf } from '../games/index.ts'
import { type Mail, mail } from '../mail/index.ts'
import { notifyFormerMembers } from '../notifications/index.ts'
import { eraseRewardRecords } from '../rewards/index.ts'
import { deleteTeams, notifyDirectory, serverLink } from '../servers/index.ts'
import { deleteEndpointsOfServer } from '../webhooks/index.ts'
import {
  type CheckedClaim,
  findFormerOwner,
  findPendingTokens,
  lockOwner,
  markProven,
  type TokenCheck,
  transferServer,
  writeChecks,
} from './checks.sql.ts'
import { claimCheck } from './claims.jobs.ts'
import { type ClaimedServer, findClaimedServer } from './claims.store.ts'
import { recordTakeover } from './takeovers.service.ts'

/** Tokens to look for, read just before the servers are queried. */
export interface PendingTokens {
  byServer: Map<string, string[]>
  /** When the tokens were read, by the database's clock; unused if there are none. */
  askedAt: Date
}

/**
 * Which of the tokens the server shows; `silent` if it did not answer, `contradictory` if answers to one request
 * differed.
 */
export type TokensShown = readonly string[] | 'silent' | 'contradictory'
/** What a proof query found out. `address`: the IP address that was queried. */
export interface Proof {
  shown: TokensShown
  address?: string | undefined
}
/** @returns undefined if nothing was found out about the server */
type ProofQuery = (server: ClaimedServer, tokens: string[]) => Promise<Proof | undefined>

/** Rolls back what was recorded of a server whose address changed while it was queried. */
class ServerMoved extends Error {
  override name = 'ServerMoved'
}

export async function readPendingTokens(db: Db, serverIds: readonly string[]): Promise<PendingTokens> {
  const byServer = new Map<string, string[]>()
  let askedAt = new Date(0)
  for (const { serverId, token, readAt } of await findPendingTokens(db, serverIds)) {
    byServer.set(serverId, [...(byServer.get(serverId) ?? []), token])
    askedAt = readAt
  }
  return { byServer, askedAt }
}

/**
 * Writes what polls saw, in the caller's transaction. A poll proves nothing, because claimants know the sockets that
 * polls come from: a token that a poll saw causes a proof query.
 */
export async function recordPolledTokens(tx: Db, jobs: JobQueue, checks: TokenCheck[], askedAt: Date): Promise<void> {
  if (!checks.length) return
  const claims = await writeChecks(tx, checks, { askedAt, isProofQuery: false })
  // While a takeover waits, a proof query follows each poll, so that the server itself can refute it.
  const toProve = claims.filter(({ seen, isWaiting }) => seen || isWaiting)
  for (const serverId of new Set(toProve.map((claim) => claim.serverId)))
    await jobs.enqueue(tx, claimCheck, [{ serverId }], { singletonKey: serverId })
}

export function createClaimChecks({ pool, jobs }: Pick<Deps, 'pool' | 'jobs'>) {
  /**
   * Writes what a proof query saw, in the caller's transaction. Idempotent.
   * @param query.address the IP address that was queried
   */
  async function record(
    tx: Db,
    checks: TokenCheck[],
    { askedAt, address }: { askedAt: Date; address?: string | undefined },
  ): Promise<void> {
    if (!checks.length) return
    const seen = (await writeChecks(tx, checks, { askedAt, isProofQuery: true })).filter((claim) => claim.seen)
    let isChanged = false
    for (const [serverId, claims] of Map.groupBy(seen, (claim) => claim.serverId))
      isChanged = (await decide(tx, { serverId, address }, claims)) || isChanged
    if (isChanged) await notifyDirectory(tx)
  }

  /** @param claims whose tokens the server showed, oldest first. @returns whether the listing was proven */
  async function decide(
    tx: Db,
    { serverId, address }: { serverId: string; address: string | undefined },
    claims: CheckedClaim[],
  ): Promise<boolean> {
    const former = await lockOwner(tx, serverId)
    if (!former) return false
    const { userId: ownerId, isProven } = former
    const proven: CheckedClaim[] = []
    for (const claim of claims) {
      const isOpen = !isProven || ownerId === null || ownerId === claim.userId
      if (isOpen || (await recordTakeover(tx, jobs, { claimId: claim.id, serverId, ownerId }))) proven.push(claim)
    }
    // A server with several tokens goes to the newest claim, because a former owner may have left an older token there.
    const newest = proven.at(-1)
    if (!newest) return false
    const claimIds = proven.map(({ id }) => id)
    await markProven(tx, claimIds)
    await transferServer(tx, serverId, { userId: newest.userId, address })
    await recordAction(tx, {
      actorId: newest.userId,
      action: 'server.claim',
      targetType: 'server',
      targetId: serverId,
      details: { formerOwnerId: ownerId, wasProven: isProven },
    })
    if (ownerId !== newest.userId) {
      await deleteEndpointsOfServer(tx, serverId) // they belong to the former owner
      await eraseRewardRecords(tx, serverId)
      await notifyFormerMembers(tx, { jobs }, await deleteTeams(tx, [serverId]), newest.userId)
      if (ownerId) await jobs.enqueue(tx, mail, [{ kind: 'listing-taken-over', userId: ownerId, serverId }])
    }
    return true
  }

  return {
    record,
    /** Queries one claimed server now. Writes nothing if nothing was found out about it. */
    async checkNow(serverId: string, query: ProofQuery): Promise<void> {
      const { byServer, askedAt } = await readPendingTokens(pool, [serverId])
      const tokens = byServer.get(serverId)
      const server = tokens && (await findClaimedServer(pool, serverId))
      if (!tokens || !server) return
      const proof = await query(server, tokens)
      if (proof === undefined) return
      const write = async (tx: Db) => {
        await record(tx, toChecks(tokens, proof.shown), { askedAt, address: proof.address })
        // Read after `record` has locked the listing: what a former address shows proves nothing about the current one.
        const now = await findClaimedServer(tx, serverId)
        if (!now || isElsewhere(now, server)) throw new ServerMoved()
      }
      // An owner who stops claims locks the listing before its claims.
      await retryDeadlocks(() => inTransaction(pool, write)).catch((error) => {
        if (!(error instanceof ServerMoved)) throw error
      })
    },
  }
}

/** Whether a query of one would not be a query of the other. */
const isElsewhere = (one: ClaimedServer, other: ClaimedServer): boolean =>
  one.ipAddress !== other.ipAddress || one.queryPort !== other.queryPort || srvServiceOf(one) !== srvServiceOf(other)

export function toChecks(tokens: readonly string[], shown: TokensShown): TokenCheck[] {
  return tokens.map((token) => ({
    token,
    result: typeof shown === 'string' ? shown : shown.includes(token) ? 'seen' : 'absent',
  }))
}

/** The mail of kind `listing-taken-over`. @returns undefined if there is no recipient */
export async function writeTakenOver(
  { pool, settings }: Pick<Deps, 'pool'> & { settings: Pick<ProcessSettings, 'PUBLIC_BASE_URL'> },
  { userId, serverId }: { userId: string; serverId: string },
): Promise<Mail | undefined> {
  const former = await findFormerOwner(pool, serverId, userId)
  if (!former) return undefined
  return {
    to: former.email,
    subject: `Your listing ${former.serverName} was taken over`,
    text: [
      `Hello ${former.username},`,
      `another user has proven that they run the game server behind your listing "${former.serverName}": the server showed a token we had given them. The listing now belongs to them.`,
      `If the server is yours, claim it again: the newest proof decides. The server:`,
      serverLink(settings.PUBLIC_BASE_URL, serverId),
    ].join('\n\n'),
  }
}
