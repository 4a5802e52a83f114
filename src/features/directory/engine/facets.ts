// The servers that have each value of a facet (a map, a region, a tag). Values that no server has are dropped.
import { addSlot, createPosting, type Posting, removeSlot, unionOf } from './posting.ts'

/** Sets of servers by a value that these have. */
export type SetsByValue<Value> = Map<Value, Posting>
export type Facet = SetsByValue<string>

/** @param value folded; an empty one counts as none */
export function addToFacet(facet: Facet, value: string, slot: number): void {
  if (value !== '') addToSets(facet, value, slot)
}

export function addToSets<Value>(sets: SetsByValue<Value>, value: Value, slot: number): void {
  let posting = sets.get(value)
  if (!posting) {
    posting = createPosting()
    sets.set(value, posting)
  }
  addSlot(posting, slot)
}

export function removeFromSets<Value>(sets: SetsByValue<Value>, value: Value, slot: number): void {
  const posting = sets.get(value)
  if (!posting) return
  removeSlot(posting, slot)
  if (posting.size === 0) sets.delete(value)
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
