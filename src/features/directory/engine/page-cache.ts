// Rendered list pages, cached by query while they show what the snapshot shows.
import { gzipSync } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { RenderedJson } from '../../../platform/http/reply-kinds.ts'
import { pageLookups } from '../metrics.ts'
import { type DirectoryQuery, filterKey } from './plan.ts'
import { findServers } from './query.ts'
import { renderList, type View } from './render.ts'
import type { Snapshot } from './snapshot.ts'

export interface PageCache {
  /**
   * @param now epoch ms
   * @param compressed whether the client accepts gzip
   */
  get(snapshot: Snapshot, query: DirectoryQuery, view: View, now: number, compressed: boolean): RenderedJson
}

interface Page {
  rendered: RenderedJson
  snapshot: Snapshot
  version: number
  /** What depends on the time is rendered as of this second. */
  second: number
}

const MAX_BYTES = 8 * 1024 * 1024
/** Of pages with a cursor or selected fields: their number is unlimited, and they must not displace the others. */
const MAX_BYTES_OF_RARE = 2 * 1024 * 1024
/** Overhead of an entry besides its bytes. */
const ENTRY_BYTES = 1024
// One network packet: below it compression gains nothing.
const COMPRESSED_FROM_BYTES = 1400

export function createPageCache(): PageCache {
  const cacheOf = (maxSize: number) =>
    new LRUCache<string, Page>({
      maxSize,
      sizeCalculation: ({ rendered }) => rendered.bytes.length + (rendered.gzip?.length ?? 0) + ENTRY_BYTES,
    })
  const common = cacheOf(MAX_BYTES)
  const rare = cacheOf(MAX_BYTES_OF_RARE)
  return {
    get(snapshot, query, view, now, compressed) {
      const pages = query.page === undefined || typeof view !== 'string' ? rare : common
      const key = keyOf(query, view)
      const second = Math.floor(now / 1000)
      const known = pages.get(key)
      if (known?.snapshot === snapshot && known.version === snapshot.version && known.second === second) {
        pageLookups.inc({ from: 'cache' })
        // Compressed at its second use: a page requested only once is not worth it.
        if (compressed && !known.rendered.gzip && known.rendered.bytes.length >= COMPRESSED_FROM_BYTES) {
          const rendered = withGzip(known.rendered)
          pages.set(key, { ...known, rendered })
          return rendered
        }
        return known.rendered
      }
      pageLookups.inc({ from: 'rendered' })
      const rendered = renderList(snapshot, findServers(snapshot, query), query, view, now)
      pages.set(key, { rendered, snapshot, version: snapshot.version, second })
      return rendered
    },
  }
}

const withGzip = ({ bytes, etag, maxAgeSeconds, pagination }: RenderedJson) =>
  new RenderedJson(bytes, etag, { maxAgeSeconds, pagination, gzip: gzipSync(bytes, { level: 1 }) })

/** Equal for equal pages. */
function keyOf(query: DirectoryQuery, view: View): string {
  const { page, after, limit } = query
  const from = after ? `${after.value} ${after.createdAt} ${after.id}` : (page ?? '')
  return `${view} ${from} ${limit} ${filterKey(query)}`
}
