// Rendered facet counts, cached by query while they show what the snapshot shows.
import { LRUCache } from 'lru-cache'
import type { RenderedJson } from '../../../platform/http/reply-kinds.ts'
import { countFacets } from './facet-counts.ts'
import { type DirectoryQuery, filterKey } from './plan.ts'
import { renderFacets } from './render.ts'
import type { Snapshot } from './snapshot.ts'

export interface FacetCache {
  /** @param now epoch ms */
  get(snapshot: Snapshot, query: DirectoryQuery, now: number): RenderedJson
}

interface Entry {
  rendered: RenderedJson
  snapshot: Snapshot
  version: number
  /** Filters by days are as of this second. */
  second: number
}

/** Of at most 20 kB each. */
const MOST_CACHED = 100

export function createFacetCache(): FacetCache {
  const entries = new LRUCache<string, Entry>({ max: MOST_CACHED })
  return {
    get(snapshot, query, now) {
      const key = filterKey(query)
      const second = Math.floor(now / 1000)
      const known = entries.get(key)
      if (known?.snapshot === snapshot && known.version === snapshot.version && known.second === second)
        return known.rendered
      const rendered = renderFacets(countFacets(snapshot, query))
      entries.set(key, { rendered, snapshot, version: snapshot.version, second })
      return rendered
    },
  }
}
