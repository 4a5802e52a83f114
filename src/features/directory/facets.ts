// For each value of a facet (a map, a region, a tag) the servers that have it. Values nobody has any more are forgotten.
import { addSlot, createPosting, type Posting, removeSlot } from './posting.ts'

export type Facet = Map<string, Posting>

/** @param value folded; an empty one is no value */
export function addToFacet(facet: Facet, value: string, slot: number): void {
  if (value === '') return
  let posting = facet.get(value)
  if (!posting) {
    posting = createPosting()
    facet.set(value, posting)
  }
  addSlot(posting, slot)
}

export function removeFromFacet(facet: Facet, value: string, slot: number): void {
  const posting = facet.get(value)
  if (!posting) return
  removeSlot(posting, slot)
  if (posting.size === 0) facet.delete(value)
}
