// The directory's rules: what is answered from the snapshot, and when it is too old to answer from.
import type * as z from 'zod'
import type { Clock } from '../../deps.ts'
import { notFound, unavailable } from '../../platform/http/errors.ts'
import type { RenderedJson } from '../../platform/http/route.ts'
import type { PublicServersQuery, ServersQuery } from './directory.schema.ts'
import { createPages } from './pages.ts'
import { renderDetail, renderPublicDetail, renderStats } from './render.ts'
import type { Snapshot } from './snapshot.ts'

export interface DirectoryService {
  /** @throws ApiError 503 `unavailable` */
  fresh(): { snapshot: Snapshot; now: number }
  /** @throws ApiError 404 for an id that no listed server has; a malformed one is such an id */
  find(id: string): { snapshot: Snapshot; slot: number; now: number }
  /** @throws ApiError 503 `unavailable` like every function here, while the snapshot is too old */
  publicList(query: z.output<typeof PublicServersQuery>, compressed: boolean): RenderedJson
  list(query: z.output<typeof ServersQuery>, compressed: boolean): RenderedJson
  /** @throws ApiError 404 like `find` */
  publicDetail(id: string): RenderedJson
  detail(id: string): RenderedJson
  stats(): RenderedJson
}

interface ServiceOptions {
  clock: Clock
  current(): Snapshot
  ageSeconds(): number
  maxAgeSeconds: number
  justWipedDays: number
}

const DAY_MS = 86_400_000
// The feed tries each second, so a client that waits this long most likely finds it in step again.
const RETRY_AFTER_SECONDS = 5

export const noSuchServer = () => notFound('There is no such server.')

export function createDirectoryService(options: ServiceOptions): DirectoryService {
  const pages = createPages()

  /** The snapshot as of `now`. Past its bound it is no answer at all: an old list must not look like a fresh one. */
  function fresh(now: number): Snapshot {
    if (!(options.ageSeconds() <= options.maxAgeSeconds))
      throw unavailable('The directory is being brought up to date. Try again shortly.', RETRY_AFTER_SECONDS)
    const snapshot = options.current()
    snapshot.advance(now)
    return snapshot
  }

  function find(id: string): { snapshot: Snapshot; slot: number; now: number } {
    const now = options.clock()
    const snapshot = fresh(now)
    const slot = snapshot.slotOf(id)
    if (slot === undefined) throw noSuchServer()
    return { snapshot, slot, now }
  }

  return {
    fresh() {
      const now = options.clock()
      return { snapshot: fresh(now), now }
    },
    find,
    publicList(query, compressed) {
      const now = options.clock()
      return pages.get(fresh(now), { ...query, sortBy: 'totalVotes', sortOrder: 'desc' }, 'public', now, compressed)
    },
    list({ justWiped, ...query }, compressed) {
      const now = options.clock()
      // Whole seconds, so that one set of wiped servers serves all queries of a second.
      const wipedSince = justWiped ? Math.floor(now / 1000) * 1000 - options.justWipedDays * DAY_MS : undefined
      return pages.get(fresh(now), { ...query, wipedSince }, 'full', now, compressed)
    },
    publicDetail(id) {
      const { snapshot, slot } = find(id)
      return renderPublicDetail(snapshot, slot)
    },
    detail(id) {
      const { snapshot, slot, now } = find(id)
      return renderDetail(snapshot, slot, now)
    },
    stats: () => renderStats(fresh(options.clock())),
  }
}
