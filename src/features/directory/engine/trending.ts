// The servers with the most recent votes: refreshed once a minute while requested, and awaited only after a pause.
import pTimeout from 'p-timeout'
import type { Clock } from '../../../deps.ts'
import type { Log } from '../../../platform/observability/log.ts'
import { uint32At } from './number-at.ts'
import type { Snapshot } from './snapshot.ts'

export interface TrendingSource {
  /** Votes of the last 24 hours by server id. */
  recentVotes(): Promise<ReadonlyMap<string, number>>
}

interface RecentVotes {
  /** The server's id. */
  id: string
  votes: number
}

const REFRESH_MS = 60_000
/** Older votes are not shown as recent ones. */
const MAX_AGE_MS = 2 * REFRESH_MS
/**
 * Requests wait for votes that replace older ones: early enough that those they do not wait for stay
 * current until the reply.
 */
const AWAITED_FROM_MS = 1.5 * REFRESH_MS
/** The time between reads after one that failed, so that a database that is down is not queried by each request. */
const RETRY_MS = 2_000
/** How long suggestions wait: a database that hangs answers only after half a minute. */
export const SUGGESTIONS_WAIT_MS = 2_000
/** How long lists wait, which are refused without current votes. */
export const LISTS_WAIT_MS = 10_000
/** More servers than are ever shown, because some may leave the directory before the next refresh. */
const KEPT = 200

export type Trending = ReturnType<typeof createTrending>

export function createTrending({ recentVotes, log, clock }: TrendingSource & { log: Log; clock: Clock }) {
  let kept: readonly RecentVotes[] = []
  let votes: ReadonlyMap<string, number> = new Map()
  let shown: { snapshot: Snapshot; votes: ReadonlyMap<string, number> } | undefined
  let triedAt = Number.NEGATIVE_INFINITY
  let hasFailed = false
  let reading: Promise<void> | undefined
  /** When the kept votes were read. */
  let keptAt = Number.NEGATIVE_INFINITY

  async function read(current: () => Snapshot): Promise<void> {
    const readAt = clock()
    try {
      votes = await recentVotes()
      const recent = Array.from(votes, ([id, count]) => ({ id, votes: count }))
      kept = mostVoted(current(), recent, KEPT)
      keptAt = readAt
      hasFailed = false
    } catch (err) {
      hasFailed = true
      log.warn({ err }, 'could not read recent votes; trending servers are not refreshed')
    } finally {
      reading = undefined
    }
  }

  const age = () => Math.abs(clock() - keptAt)

  return {
    /**
     * Refreshes the votes if they are older than a minute, and waits for them if they are older than a minute and a
     * half. If that takes longer than `maxWaitMs`, or fails, the last ones are kept: see `isCurrent`.
     * @param current the snapshot that breaks ties
     */
    async ready(current: () => Snapshot, maxWaitMs: number): Promise<void> {
      if (!reading && Math.abs(clock() - triedAt) >= (hasFailed ? RETRY_MS : REFRESH_MS)) {
        triedAt = clock()
        reading = read(current)
      }
      if (reading && age() >= AWAITED_FROM_MS)
        await pTimeout(reading, { milliseconds: maxWaitMs, fallback: () => undefined })
    },
    /** Whether the votes are less than two minutes old. Ask it after `ready`. */
    isCurrent: () => age() < MAX_AGE_MS,
    /** Writes the votes into the snapshot, for its order by them. Call it after `ready`. */
    show(snapshot: Snapshot): void {
      if (shown?.snapshot === snapshot && shown.votes === votes) return
      shown = { snapshot, votes }
      snapshot.setRecentVotes(votes)
    },
    /** @returns slots: servers with the most recent votes, then those with the most votes overall; at most `limit` */
    pick(snapshot: Snapshot, limit: number): number[] {
      const found = new Set(mostVoted(snapshot, kept, limit).map(({ slot }) => slot))
      const all = snapshot.orders.sorted('totalVotes', 'desc')
      for (let at = 0; found.size < limit && at < all.length; at++) found.add(uint32At(all, at))
      return [...found]
    },
  }
}

/** @returns those that are listed, most recent votes first, then in the default order of lists; at most `limit` */
function mostVoted(
  { orders, slotOf }: Snapshot,
  recent: readonly RecentVotes[],
  limit: number,
): (RecentVotes & { slot: number })[] {
  const { rank } = orders.ranking('totalVotes', 'desc')
  return recent
    .flatMap(({ id, votes }) => {
      const slot = slotOf(id)
      return slot === undefined ? [] : [{ id, votes, slot, rank: rank(slot) }]
    })
    .sort((a, b) => b.votes - a.votes || a.rank - b.rank)
    .slice(0, limit)
}
