// The servers that have each value of a facet (a map, a region, a tag). Values that no server has are dropped.
import { addSlot, createPosting, type Posting, removeSlot, unionOf } from './posting.ts'

export type Facet = Map<string, Posting>

/** @param value folded; an empty one counts as none */
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

/**
 * @param values distinct; a server has at most one of them
 * @param slotsEnd used slots are below this
 * @returns the servers that have one of the values; undefined if none has
 */
export const havingAnyOf = (facet: Facet, values: readonly string[], slotsEnd: number): Posting | undefined =>
  unionOf(
    values.flatMap((value) => facet.get(value) ?? []),
    slotsEnd,
  )
