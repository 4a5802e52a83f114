// Rendered list pages and facet counts, cached by query while they show what the snapshot shows.
import { gzipSync } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { RenderedJson } from '../../../platform/http/reply-kinds.ts'
import { createSeenOnce } from '../../../platform/seen-once.ts'
import { pageLookups } from '../metrics.ts'
import { countFacets } from './facet-counts.ts'
import { type DirectoryQuery, filterKey } from './plan.ts'
import { findServers } from './query.ts'
import { type ItemFields, renderFacets, renderList } from './render.ts'
import type { Snapshot } from './snapshot.ts'

interface PageRequest {
  snapshot: Snapshot
  /** The validated query. A frozen one always comes with the same `fields`, so its key is made only once. */
  asked: object
  fields: ItemFields
  /**
   * Whether the query has a cursor or selected fields: there are too many such pages to let them displace the others.
   */
  isRare?: boolean
  /** Epoch ms. */
  now: number
  /** Whether the client accepts gzip. */
  compressed: boolean
}

interface Entry {
  rendered: RenderedJson
  snapshot: Snapshot
  version: number
  /** The fields that depend on the time show this second. */
  second: number
}

const secondOf = (now: number) => Math.floor(now / 1000)

const entryOf = (rendered: RenderedJson, snapshot: Snapshot, now: number): Entry => ({
  rendered,
  snapshot,
  version: snapshot.version,
  second: secondOf(now),
})

const showsNow = (entry: Entry, snapshot: Snapshot, now: number): boolean =>
  entry.snapshot === snapshot && entry.version >= snapshot.currentFrom() && entry.second === secondOf(now)

const MAX_BYTES = 8 * 1024 * 1024
const MAX_BYTES_OF_RARE = 2 * 1024 * 1024
/** Memory that an entry takes in addition to its bytes and key: half of it are the links and the lines of its head. */
const ENTRY_BYTES = 2048
// One network packet: below it compression gains nothing.
const COMPRESSED_FROM_BYTES = 1400

/** Caches a page when it is rendered for the second time. */
export function createPageCache() {
  const cacheOf = (maxSize: number) =>
    new LRUCache<string, Entry>({
      maxSize,
      sizeCalculation: ({ rendered }, key) =>
        key.length + rendered.bytes.length + (rendered.gzip?.length ?? 0) + ENTRY_BYTES,
    })
  const common = cacheOf(MAX_BYTES)
  const rare = cacheOf(MAX_BYTES_OF_RARE)
  const seenOnce = createSeenOnce()
  return {
    /** @param query is called if the page has to be rendered */
    get(request: PageRequest, query: () => DirectoryQuery): RenderedJson {
      const { snapshot, asked, fields, isRare = false, now, compressed } = request
      const pages = isRare ? rare : common
      const key = keyOf(asked, fields)
      const known = pages.get(key)
      if (known && showsNow(known, snapshot, now)) {
        pageLookups.cache++
        if (compressed && !known.rendered.gzip && known.rendered.bytes.length >= COMPRESSED_FROM_BYTES) {
          const rendered = withGzip(known.rendered)
          pages.set(key, { ...known, rendered })
          return rendered
        }
        return known.rendered
      }
      pageLookups.rendered++
      const directoryQuery = query()
      const rendered = renderList(snapshot, findServers(snapshot, directoryQuery), directoryQuery, fields, now)
      if (known || seenOnce(key)) pages.set(key, entryOf(rendered, snapshot, now))
      return rendered
    },
  }
}

const withGzip = ({ bytes, etag, maxAgeSeconds, pagination }: RenderedJson) =>
  new RenderedJson(bytes, etag, { maxAgeSeconds, pagination, gzip: gzipSync(bytes, { level: 1 }) })

const keys = new WeakMap<object, string>()

/** A key that is equal for equal pages. */
function keyOf(asked: object, fields: ItemFields): string {
  const known = keys.get(asked)
  if (known !== undefined) return known
  const key = `${typeof fields === 'string' ? fields : ''} ${JSON.stringify(asked)}`
  if (Object.isFrozen(asked)) keys.set(asked, key)
  return key
}

/** A query's facet counts take at most 20 kB. */
const MAX_FACETS = 100

/** @returns the facet counts of a query */
export function createFacetCache() {
  const entries = new LRUCache<string, Entry>({ max: MAX_FACETS })
  return (snapshot: Snapshot, query: DirectoryQuery, now: number): RenderedJson => {
    const key = filterKey(query)
    const known = entries.get(key)
    if (known && showsNow(known, snapshot, now)) return known.rendered
    const rendered = renderFacets(countFacets(snapshot, query))
    entries.set(key, entryOf(rendered, snapshot, now))
    return rendered
  }
}
