// Text that game servers report, for replies and filters: map and version.

import { createBoundedCache } from '../../../platform/bounded-cache.ts'
import { fold } from '../../../platform/fold-text.ts'
import { addToFacet, type Facet, removeFromSets } from './facets.ts'

const EMPTY = '""'
/** Maximum number of cached texts: servers with the same text share a string. */
const MAX_SHARED = 10_000

/** Stores a text for each server, as JSON for replies, and the servers that have each text. */
export function createReported() {
  const facet: Facet = new Map()
  const json: string[] = []
  const shared = createBoundedCache<string>(MAX_SHARED, { memoMethod: (text) => JSON.stringify(text) })
  const jsonOf = (slot: number) => json[slot] ?? EMPTY
  const textOf = (slot: number) => JSON.parse(jsonOf(slot)) as string

  return {
    facet,
    jsonOf,
    textOf,
    /** @returns the previous text; undefined if it is the same */
    set(slot: number, text: string): string | undefined {
      const now = shared.memo(text)
      if (now === jsonOf(slot)) return undefined
      const before = textOf(slot)
      removeFromSets(facet, fold(before), slot)
      addToFacet(facet, fold(text), slot)
      json[slot] = now
      return before
    },
  }
}
