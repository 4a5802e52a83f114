// Distinguishes our own outage from that of game servers: in our own, failed polls are discarded
// (docs/decisions/0004-own-outage.md).
import { createBoundedCache } from '../../src/platform/bounded-cache.ts'

/** The result of one server that was shown online. */
export interface Evidence {
  serverId: string
  address: string
  answered: boolean
  /** When its query ended, epoch milliseconds. */
  at: number
}

export type GuardReason = 'no answers' | 'event loop stalled'

export interface OutageGuard {
  /** Records the result of a server that was shown online, as soon as it is known. */
  note(evidence: Evidence): void
  /** Removes a server from the evidence: it is shown offline, so its silence is expected. */
  forget(serverId: string): void
  /**
   * Judges the failures of queries that started at or after `since`.
   * @returns why they look like an outage of our own; undefined if they are the servers'
   */
  suspectOutage(since: number, now: number): GuardReason | undefined
}

export interface OutageGuardOptions {
  /** Time between two polls of a server: how long a failure counts unless an answer contradicts it. */
  intervalMs: number
  /** Whether the event loop was blocked at some time since then, so that replies were not read. */
  stalledSince?: (since: number) => boolean
}

/** Share of failed addresses, of all with a recent result. */
const FAILED_SHARE = 0.9
/** If fewer servers fail at once, they may really be down. */
const MIN_SERVERS = 5
/** Silence of fewer addresses may be the outage of one hoster, if no other server was polled in the meantime. */
const MIN_ADDRESSES = 5
/**
 * How long failures are held back: an hour if many hosters fail at once, minutes if it may be one hoster or our event
 * loop.
 */
const HELD_MS = 60 * 60_000
const HELD_IN_DOUBT_MS = 5 * 60_000
const MAX_EVIDENCE = 200_000
/** Whose answers are known. More never answer within one query's time. */
const MAX_ADDRESSES = 50_000

export function createOutageGuard(options: OutageGuardOptions): OutageGuard {
  const { intervalMs, stalledSince = () => false } = options
  const lookBackMs = Math.max(2 * intervalMs, 60_000)
  /** Servers whose last result is a failure, oldest first. */
  const failed = new Map<string, { address: string; at: number }>()
  /** The same, counted per address. */
  const failedAt = new Map<string, number>()
  /** When each address answered last. */
  const answeredAt = createBoundedCache<number>(MAX_ADDRESSES)
  /** The suspected outage: since when failures are held back, and when they last were. */
  let outage: { since: number; last: number } | undefined

  function forget(serverId: string): void {
    const entry = failed.get(serverId)
    if (!entry) return
    failed.delete(serverId)
    const left = (failedAt.get(entry.address) ?? 1) - 1
    if (left > 0) failedAt.set(entry.address, left)
    else failedAt.delete(entry.address)
  }

  function forgetOld(now: number): void {
    for (const [serverId, { at }] of failed) {
      if (at >= now - lookBackMs && failed.size <= MAX_EVIDENCE) break
      forget(serverId)
    }
  }

  /**
   * Whether enough addresses answered since then to make the failed ones a minority. Stops as soon as that is certain.
   */
  function othersAnswer(since: number): boolean {
    const needed = (failedAt.size * (1 - FAILED_SHARE)) / FAILED_SHARE
    let answering = 0
    for (const [, at] of answeredAt.entries()) {
      // Newest first.
      if (at < since) break
      answering++
      if (answering > needed) return true
    }
    return false
  }

  /** @returns why the failures are suspicious, and how long they are held back for that */
  function suspicion(since: number, now: number): { reason: GuardReason; heldMs: number } | undefined {
    if (stalledSince(since)) return { reason: 'event loop stalled', heldMs: HELD_IN_DOUBT_MS }
    forgetOld(now)
    // Answers from before these queries prove nothing about the time of the failures.
    if (failed.size < MIN_SERVERS || othersAnswer(since)) return undefined
    return { reason: 'no answers', heldMs: failedAt.size < MIN_ADDRESSES ? HELD_IN_DOUBT_MS : HELD_MS }
  }

  return {
    note({ serverId, address, answered, at }) {
      forget(serverId)
      if (answered) answeredAt.set(address, at)
      else {
        failed.set(serverId, { address, at })
        failedAt.set(address, (failedAt.get(address) ?? 0) + 1)
      }
    },
    forget,
    suspectOutage(since, now) {
      const suspected = suspicion(since, now)
      if (!suspected) {
        outage = undefined
        return undefined
      }
      // An outage long ago is unrelated to the current one.
      const continued = outage && now - outage.last <= lookBackMs ? outage : undefined
      outage = { since: continued?.since ?? now, last: now }
      return now - outage.since < suspected.heldMs ? suspected.reason : undefined
    },
  }
}
