// Rendered list pages, cached by query while they show what the snapshot shows.
import { gzipSync } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { RenderedJson } from '../../../platform/http/reply-kinds.ts'
import { pageLookups } from '../metrics.ts'
import { type DirectoryQuery, findServers } from './query.ts'
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
/** Overhead of an entry besides its bytes. */
const ENTRY_BYTES = 1024
// One network packet: below it compression gains nothing.
const COMPRESSED_FROM_BYTES = 1400

export function createPageCache(): PageCache {
  const pages = new LRUCache<string, Page>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ rendered }) => rendered.bytes.length + (rendered.gzip?.length ?? 0) + ENTRY_BYTES,
  })
  return {
    get(snapshot, query, view, now, compressed) {
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

/** Equal for equal queries. `wipedSince` follows from the time, which is compared separately. */
function keyOf(query: DirectoryQuery, view: View): string {
  const { page, limit, sortBy, sortOrder, search, map, region, gameMode, tags } = query
  const { onlineOnly, wipedSince, minMultiplier, maxMultiplier } = query
  const texts = search || map || region || tags?.length ? JSON.stringify([search, map, region, tags]) : ''
  return (
    `${view} ${page} ${limit} ${sortBy} ${sortOrder} ${onlineOnly ?? ''} ${wipedSince !== undefined} ` +
    `${minMultiplier ?? ''} ${maxMultiplier ?? ''} ${gameMode ?? ''} ${texts}`
  )
}
