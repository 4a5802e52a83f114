// The servers with the most recent votes: refreshed once a minute while requested, and awaited only the first time.
import type { Clock } from '../../../deps.ts'
import type { Log } from '../../../platform/observability/log.ts'
import type { Snapshot } from './snapshot.ts'
import { mostVoted, type RecentVotes, suggestTrending } from './suggestions.ts'

export interface TrendingSource {
  /** Votes of the last 24 hours by server id. */
  recentVotes(): Promise<ReadonlyMap<string, number>>
}

const REFRESH_MS = 60_000
/** More than are ever shown, because some may leave the directory before the next refresh. */
const KEPT = 200

export type Trending = ReturnType<typeof createTrending>

export function createTrending({ recentVotes, log, clock }: TrendingSource & { log: Log; clock: Clock }) {
  let kept: readonly RecentVotes[] = []
  let votes: ReadonlyMap<string, number> = new Map()
  let shown: { snapshot: Snapshot; votes: ReadonlyMap<string, number> } | undefined
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined
  let isFirst = true

  async function read(current: () => Snapshot): Promise<void> {
    try {
      votes = await recentVotes()
      const recent = Array.from(votes, ([id, count]) => ({ id, votes: count }))
      kept = mostVoted(current(), recent, KEPT)
      isFirst = false
    } catch (err) {
      log.warn({ err }, 'could not read recent votes; trending servers are not refreshed')
    } finally {
      reading = undefined
    }
  }

  return {
    /**
     * Refreshes the votes if they are older than a minute; waits only while there are none at all, and not for long.
     * @param current the snapshot that breaks ties
     */
    async ready(current: () => Snapshot): Promise<void> {
      // Also after a failure, so that a database that is down is not queried by each request.
      if (!reading && Math.abs(clock() - readAt) >= REFRESH_MS) {
        readAt = clock()
        reading = read(current)
      }
      if (isFirst) await reading
    },
    /** Writes the votes into the snapshot, for its order by them. Call it after `ready`. */
    show(snapshot: Snapshot): void {
      if (shown?.snapshot === snapshot && shown.votes === votes) return
      shown = { snapshot, votes }
      snapshot.setRecentVotes(votes)
    },
    /** @returns slots: most recent votes first, then by votes overall */
    pick: (snapshot: Snapshot, limit: number) => suggestTrending(snapshot, kept, limit),
  }
}
