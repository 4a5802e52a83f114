// What a look at a claimed server does: the tokens to look for, and what follows from having seen one.
import type { Deps } from '../../deps.ts'
import { type Db, inTransaction } from '../../platform/db/pool.ts'
import { recordAction } from '../audit/index.ts'
import { notifyDirectory } from '../directory/index.ts'
import { type Mail, mail } from '../mail/index.ts'
import { claimCheck } from './claims.jobs.ts'
import {
  type CheckedClaim,
  type ClaimedServer,
  findClaimedServer,
  findLoss,
  findPendingTokens,
  giveServer,
  lockHolder,
  markProven,
  type TokenCheck,
  writeChecks,
} from './claims.sql.ts'
import { seeTakeover } from './takeovers.service.ts'

/** Tokens to look for, read just before the servers are asked. */
export interface PendingTokens {
  byServer: Map<string, string[]>
  /** By the database's clock; of no meaning without tokens. */
  askedAt: Date
}

export interface ClaimChecks {
  pending(db: Db, serverIds: readonly string[]): Promise<PendingTokens>
  /**
   * Writes what polls saw, in the transaction of the caller. It proves nothing, because claimants know the sockets that polls come
   * from: a token that a poll saw has the server asked again by a proof query.
   */
  notePolls(tx: Db, checks: TokenCheck[], askedAt: Date): Promise<void>
  /** Writes what a proof query saw, in the transaction of the caller. Doing it again changes nothing. */
  record(tx: Db, checks: TokenCheck[], askedAt: Date): Promise<void>
  /** Asks one claimed server now. */
  checkNow(serverId: string, look: Look): Promise<void>
}

/** Which of the tokens the server shows; `silent` when it did not answer, `contradictory` when answers to one request differed. */
export type Seen = readonly string[] | 'silent' | 'contradictory'
export type Look = (server: ClaimedServer, tokens: string[]) => Promise<Seen>

export interface ClaimChecksOptions extends Pick<Deps, 'pool' | 'jobs'> {
  /** Ends what is the former owner's, in the transaction that gives the server to another. */
  changedHands: (tx: Db, serverId: string) => Promise<void>
}

/** Rolls back what was recorded of a server whose address changed while it was asked. */
class ServerMoved extends Error {
  override name = 'ServerMoved'
}

export function createClaimChecks({ pool, jobs, changedHands }: ClaimChecksOptions): ClaimChecks {
  async function pending(db: Db, serverIds: readonly string[]): Promise<PendingTokens> {
    const byServer = new Map<string, string[]>()
    let askedAt = new Date(0)
    for (const { serverId, token, readAt } of await findPendingTokens(db, serverIds)) {
      byServer.set(serverId, [...(byServer.get(serverId) ?? []), token])
      askedAt = readAt
    }
    return { byServer, askedAt }
  }

  async function notePolls(tx: Db, checks: TokenCheck[], askedAt: Date): Promise<void> {
    if (!checks.length) return
    const claims = await writeChecks(tx, checks, { askedAt, isProofQuery: false })
    // While a takeover waits each poll is followed by a proof query, so that the server itself can refute it.
    const toProve = claims.filter(({ seen, isWaiting }) => seen || isWaiting)
    for (const serverId of new Set(toProve.map((claim) => claim.serverId)))
      await jobs.enqueue(tx, claimCheck, [{ serverId }], { singletonKey: serverId })
  }

  async function record(tx: Db, checks: TokenCheck[], askedAt: Date): Promise<void> {
    if (!checks.length) return
    const seen = (await writeChecks(tx, checks, { askedAt, isProofQuery: true })).filter((claim) => claim.seen)
    let isChanged = false
    for (const [serverId, claims] of Map.groupBy(seen, (claim) => claim.serverId))
      isChanged = (await decide(tx, serverId, claims)) || isChanged
    if (isChanged) await notifyDirectory(tx)
  }

  /** @param claims whose tokens the server showed, the oldest first. @returns whether the listing was proven */
  async function decide(tx: Db, serverId: string, claims: CheckedClaim[]): Promise<boolean> {
    const former = await lockHolder(tx, serverId)
    if (!former) return false
    const { userId: ownerId, isProven } = former
    const proven: CheckedClaim[] = []
    for (const claim of claims) {
      const isOpen = !isProven || ownerId === null || ownerId === claim.userId
      if (isOpen || (await seeTakeover(tx, jobs, { claimId: claim.id, serverId, ownerId }))) proven.push(claim)
    }
    // A server that shows several tokens goes to who claimed last: older ones may have been forgotten there by a former owner.
    const newest = proven.at(-1)
    if (!newest) return false
    const claimIds = proven.map(({ id }) => id)
    await markProven(tx, claimIds)
    await giveServer(tx, serverId, newest.userId)
    await recordAction(tx, {
      actorId: newest.userId,
      action: 'server.claim',
      targetType: 'server',
      targetId: serverId,
      details: { formerOwnerId: ownerId, wasProven: isProven },
    })
    if (ownerId !== newest.userId) {
      await changedHands(tx, serverId)
      if (ownerId) await jobs.enqueue(tx, mail, [{ kind: 'listing-taken-over', userId: ownerId, serverId }])
    }
    return true
  }

  return {
    pending,
    notePolls,
    record,
    async checkNow(serverId, look) {
      const { byServer, askedAt } = await pending(pool, [serverId])
      const tokens = byServer.get(serverId)
      const server = tokens && (await findClaimedServer(pool, serverId))
      if (!tokens || !server) return
      const seen = await look(server, tokens)
      await inTransaction(pool, async (tx) => {
        await record(tx, toChecks(tokens, seen), askedAt)
        // Read once `record` has locked the listing: what a former address shows proves nothing about the present one.
        const now = await findClaimedServer(tx, serverId)
        if (now?.ipAddress !== server.ipAddress || now.queryPort !== server.queryPort) throw new ServerMoved()
      }).catch((error) => {
        if (!(error instanceof ServerMoved)) throw error
      })
    },
  }
}

export function toChecks(tokens: readonly string[], seen: Seen): TokenCheck[] {
  return tokens.map((token) => ({
    token,
    result: typeof seen === 'string' ? seen : seen.includes(token) ? 'seen' : 'absent',
  }))
}

/** The mail of kind `listing-taken-over`. @returns undefined when there is nobody to write to */
export async function writeTakenOver(
  { pool, settings }: Pick<Deps, 'pool'> & { settings: Pick<Deps['settings'], 'PUBLIC_BASE_URL'> },
  { userId, serverId }: { userId: string; serverId: string },
): Promise<Mail | undefined> {
  const loss = await findLoss(pool, serverId, userId)
  if (!loss) return undefined
  return {
    to: loss.email,
    subject: `Your listing ${loss.serverName} was taken over`,
    text: [
      `Hello ${loss.username},`,
      `somebody else proved that they run the game server behind your listing "${loss.serverName}": the server showed a token we had given them. The listing is theirs now.`,
      `If the server is yours, claim it with POST ${settings.PUBLIC_BASE_URL}/api/servers/${serverId}/claim; the newest proof decides.`,
    ].join('\n\n'),
  }
}
