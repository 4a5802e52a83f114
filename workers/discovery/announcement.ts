// Queries servers that announced themselves, and lists those that answer.
import { LRUCache } from 'lru-cache'
import {
  ANNOUNCEMENTS,
  type Announcement,
  beginAnnouncementQuery,
  enqueueAnnouncementQuery,
  type FoundServer,
  listFoundServers,
  type Refusal,
  recordAnnouncementQuery,
  relistAnsweringServers,
  SPACING_SECONDS,
} from '../../src/features/discovery/index.ts'
import { forgetServers, notifyDirectory } from '../../src/features/servers/index.ts'
import { inTransaction, type Pool } from '../../src/platform/db/pool.ts'
import type { JobQueue } from '../../src/platform/queue/jobs.ts'
import { announcedList } from '../polling/announced-lists.ts'
import type { Outcome } from '../polling/outcome.ts'
import type { PublicLists } from '../polling/public-lists.ts'
import { createAskServer } from '../polling/query.ts'
import type { QueryPool } from '../polling/query-pool.ts'
import type { ResolveTarget } from '../polling/target-address.ts'
import { createAddressOf, type KnownNames, refusalOf, resolveKnownNames } from './known-names.ts'

/** Names of a game's listings are resolved once for all announcements within this time. */
const NAMES_FRESH_MS = 10 * 60_000
const MAX_GAMES = 50

export interface AnnouncementOptions {
  pool: Pool
  jobs: JobQueue
  queries: QueryPool
  resolve: ResolveTarget
  lists: PublicLists
}

export function createAnnouncementCheck({ pool, jobs, queries, resolve, lists }: AnnouncementOptions) {
  const addressOf = createAddressOf(resolve)
  const names = new LRUCache<string, KnownNames>({
    max: MAX_GAMES,
    ttl: NAMES_FRESH_MS,
    fetchMethod: (game) => resolveKnownNames(pool, addressOf, [game]),
  })

  /** A Luanti server is known only by what it announced. */
  function query(
    { game, host, address, gamePort, queryPort, details }: Announcement,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const entry = details && { ...(JSON.parse(details) as object), address: host, ip: address, port: gamePort }
    const own: PublicLists = { of: () => Promise.resolve(announcedList(entry ? [entry] : [])) }
    const ask = createAskServer({ pool: queries, resolve, lists: entry ? own : lists })
    return ask({ game, ipAddress: address, gamePort, queryPort, isOnline: false }, signal)
  }

  /**
   * @returns why the server is not listed; null: it is; `skipped`: it was not queried, as too many wait at its address
   */
  async function place(announcement: Announcement, signal: AbortSignal): Promise<Refusal | 'skipped' | null> {
    const { host, address } = announcement
    try {
      if ((await addressOf(host)) !== address) return 'foreign'
    } catch (error) {
      return refusalOf(error)
    }
    const server: FoundServer = announcement
    const known = await names.forceFetch(announcement.game)
    const outcome = await query(announcement, signal)
    if (!outcome.answered) return outcome.reason === 'skipped' ? 'skipped' : 'silent'
    const options = { ...known, source: ANNOUNCEMENTS, pollWithinSeconds: 0 }
    const placed = await listFoundServers(pool, [server], options)
    const forgotten = placed.forgotten.map((one) => one.server)
    await relistAnsweringServers(pool, forgotten, options)
    return placed.refused[0] ?? null
  }

  return async function check(key: { address: string; queryPort: number }, signal: AbortSignal): Promise<void> {
    const announcement = await beginAnnouncementQuery(pool, key)
    if (!announcement) return
    const refusal = await place(announcement, signal)
    if (refusal === 'skipped') return enqueueAnnouncementQuery(pool, jobs, key, SPACING_SECONDS)
    await inTransaction(pool, async (tx) => {
      const withdrawn = await recordAnnouncementQuery(tx, announcement, refusal)
      if ((await forgetServers(tx, withdrawn)).length) await notifyDirectory(tx)
    })
  }
}
