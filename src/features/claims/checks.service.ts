// What a look at a claimed server does: the tokens to look for, and what follows from having seen one.
import type { Deps } from '../../deps.ts'
import { type Db, inTransaction } from '../../platform/db/pool.ts'
import { recordAction } from '../audit/index.ts'
import { notifyDirectory } from '../directory/index.ts'
import { type Mail, mail } from '../mail/index.ts'
import {
  type ClaimedServer,
  findClaimedServer,
  findLoss,
  findPendingTokens,
  giveServer,
  type TokenCheck,
  writeChecks,
} from './claims.sql.ts'

/** Tokens to look for, read just before the servers are asked. */
export interface PendingTokens {
  byServer: Map<string, string[]>
  /** By the database's clock; of no meaning without tokens. */
  askedAt: Date
}

export interface ClaimChecks {
  pending(db: Db, serverIds: readonly string[]): Promise<PendingTokens>
  /** Writes what was seen, in the transaction of the caller. Doing it again changes nothing. */
  record(tx: Db, checks: TokenCheck[], askedAt: Date): Promise<void>
  /** Asks one claimed server now: `look` tells which of the tokens it shows, undefined when it did not answer. */
  checkNow(serverId: string, look: Look): Promise<void>
}

export type Look = (server: ClaimedServer, tokens: string[]) => Promise<readonly string[] | undefined>

export interface ClaimChecksOptions extends Pick<Deps, 'pool' | 'jobs'> {
  /** Ends what is the former owner's, in the transaction that gives the server to another. */
  changedHands: (tx: Db, serverId: string) => Promise<void>
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

  async function record(tx: Db, checks: TokenCheck[], askedAt: Date): Promise<void> {
    if (!checks.length) return
    const proven = await writeChecks(tx, checks, askedAt)
    // A server that shows several tokens goes to who claimed last: older ones may have been forgotten there by a former owner.
    const newest = new Map(proven.map(({ serverId, userId }) => [serverId, userId]))
    for (const [serverId, userId] of newest) await handOver(tx, serverId, userId)
    if (newest.size) await notifyDirectory(tx)
  }

  /**
   * Whoever makes a server show a token runs it now, so the newest proof wins, over a proven owner too: servers are sold,
   * and a host gives an address to its next customer.
   */
  async function handOver(tx: Db, serverId: string, userId: string): Promise<void> {
    const former = await giveServer(tx, serverId, userId)
    if (!former) return
    await recordAction(tx, {
      actorId: userId,
      action: 'server.claim',
      targetType: 'server',
      targetId: serverId,
      details: { formerOwnerId: former.userId, wasProven: former.wasProven },
    })
    if (former.userId === userId) return
    await changedHands(tx, serverId)
    if (former.userId) await jobs.enqueue(tx, mail, [{ kind: 'listing-taken-over', userId: former.userId, serverId }])
  }

  return {
    pending,
    record,
    async checkNow(serverId, look) {
      const { byServer, askedAt } = await pending(pool, [serverId])
      const tokens = byServer.get(serverId)
      const server = tokens && (await findClaimedServer(pool, serverId))
      if (!tokens || !server) return
      const seen = await look(server, tokens)
      await inTransaction(pool, (tx) => record(tx, toChecks(tokens, seen), askedAt))
    },
  }
}

/** @param seen undefined when the server did not answer */
export function toChecks(tokens: readonly string[], seen: readonly string[] | undefined): TokenCheck[] {
  return tokens.map((token) => ({ token, answered: seen !== undefined, seen: seen?.includes(token) ?? false }))
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
