// The servers that got most votes lately: read again once a minute while somebody asks, and never waited for but the first time.
import type { Clock } from '../../deps.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { Snapshot } from './snapshot.ts'
import { mostVoted, type RecentVotes, suggestTrending } from './suggestions.ts'

export interface Trending {
  /**
   * Has the votes read again when they are older than a minute; waits only while there are none at all, and not for long.
   * @param current the snapshot that decides between servers with as many votes
   */
  ready(current: () => Snapshot): Promise<void>
  /** @returns slots: most recent votes first, then by votes altogether */
  pick(snapshot: Snapshot, limit: number): number[]
}

interface TrendingOptions {
  /** Votes of the last day by server id. */
  recentVotes(): Promise<ReadonlyMap<string, number>>
  log: Log
  clock: Clock
}

const REFRESH_MS = 60_000
/** More than are ever shown, since some of them may leave the directory until the next time. */
const KEPT = 200

export function createTrending({ recentVotes, log, clock }: TrendingOptions): Trending {
  let kept: readonly RecentVotes[] = []
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined
  let isFirst = true

  async function read(current: () => Snapshot): Promise<void> {
    try {
      const votes = await recentVotes()
      const recent = Array.from(votes, ([id, count]) => ({ id, votes: count }))
      kept = mostVoted(current(), recent, KEPT)
      isFirst = false
    } catch (err) {
      log.warn({ err }, 'recent votes could not be read; what trends stays as it was')
    } finally {
      reading = undefined
    }
  }

  return {
    async ready(current) {
      // Also after a failure: a database that is away is not asked by each request.
      if (!reading && Math.abs(clock() - readAt) >= REFRESH_MS) {
        readAt = clock()
        reading = read(current)
      }
      if (isFirst) await reading
    },
    pick: (snapshot, limit) => suggestTrending(snapshot, kept, limit),
  }
}
