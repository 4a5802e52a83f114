// Rendered list pages, cached by query from their second use on, while they show what the snapshot shows.
import { gzipSync } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { createAskedBefore } from '../../../platform/asked-before.ts'
import { RenderedJson } from '../../../platform/http/reply-kinds.ts'
import { pageLookups } from '../metrics.ts'
import type { DirectoryQuery } from './plan.ts'
import { findServers } from './query.ts'
import { renderList, type View } from './render.ts'
import type { Snapshot } from './snapshot.ts'

export interface PageCache {
  /** @param query is called if the page has to be rendered */
  get(request: PageRequest, query: () => DirectoryQuery): RenderedJson
}

export interface PageRequest {
  snapshot: Snapshot
  /** What the page was asked by. A frozen object always comes with the same view, so that its key is made once. */
  asked: object
  view: View
  /** With a cursor or selected fields: there are too many of these to let them displace the others. */
  isRare?: boolean
  /** Epoch ms. */
  now: number
  /** Whether the client accepts gzip. */
  compressed: boolean
}

interface Page {
  rendered: RenderedJson
  snapshot: Snapshot
  version: number
  /** What depends on the time is rendered as of this second. */
  second: number
}

const MAX_BYTES = 8 * 1024 * 1024
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
  const wasAsked = createAskedBefore()
  return {
    get({ snapshot, asked, view, isRare = false, now, compressed }, query) {
      const pages = isRare ? rare : common
      const key = keyOf(asked, view)
      const second = Math.floor(now / 1000)
      const known = pages.get(key)
      if (known?.snapshot === snapshot && known.version === snapshot.version && known.second === second) {
        pageLookups.inc({ from: 'cache' })
        if (compressed && !known.rendered.gzip && known.rendered.bytes.length >= COMPRESSED_FROM_BYTES) {
          const rendered = withGzip(known.rendered)
          pages.set(key, { ...known, rendered })
          return rendered
        }
        return known.rendered
      }
      pageLookups.inc({ from: 'rendered' })
      const directoryQuery = query()
      const rendered = renderList(snapshot, findServers(snapshot, directoryQuery), directoryQuery, view, now)
      if (known || wasAsked(key)) pages.set(key, { rendered, snapshot, version: snapshot.version, second })
      return rendered
    },
  }
}

const withGzip = ({ bytes, etag, maxAgeSeconds, pagination }: RenderedJson) =>
  new RenderedJson(bytes, etag, { maxAgeSeconds, pagination, gzip: gzipSync(bytes, { level: 1 }) })

const keys = new WeakMap<object, string>()

/** Equal for equal pages. */
function keyOf(asked: object, view: View): string {
  const known = keys.get(asked)
  if (known !== undefined) return known
  const key = `${typeof view === 'string' ? view : ''} ${JSON.stringify(asked)}`
  if (Object.isFrozen(asked)) keys.set(asked, key)
  return key
}
