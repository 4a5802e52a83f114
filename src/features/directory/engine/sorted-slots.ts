// A sorted list of all servers that is repaired when it is used: only what changed since then is placed again.
import { uint32At } from './number-at.ts'

export interface SortedSlots {
  slots: Uint32Array
  /** The slots that may have to move. */
  changed: Set<number> | 'all'
  /** The index in `slots` by slot; filled by the first `positionOf` after a repair. */
  positions: Uint32Array
  hasPositions: boolean
}

/** Which slots hold a server. */
export interface TakenSlots {
  isTaken(slot: number): boolean
  /** Used slots are below this. */
  slotsEnd(): number
}

export interface Sorting {
  /** Sorts in place, or returns another array. */
  sort(slots: Uint32Array): Uint32Array
  isBefore(slot: number, other: number): boolean
}

// Above this share of changed servers, sorting all again is cheaper than placing them one by one.
const REBUILD_SHARE = 0.25

export const createSortedSlots = (): SortedSlots => ({
  slots: new Uint32Array(0),
  changed: 'all',
  positions: new Uint32Array(0),
  hasPositions: false,
})

export const isSorted = ({ changed }: SortedSlots): boolean => changed !== 'all' && changed.size === 0

/** The slot was added, removed, or may have to move. */
export function markChanged(list: SortedSlots, slot: number): void {
  if (list.changed === 'all') return
  list.changed.add(slot)
  if (!isSmall(list.changed, list.slots.length)) list.changed = 'all' // stops collecting changes for a list that is not used
}

const isSmall = (changed: SortedSlots['changed'], total: number): changed is Set<number> =>
  changed !== 'all' && changed.size < total * REBUILD_SHARE

/**
 * Sorts the list again where it changed. It may overwrite `slots` that the caller read before.
 * @returns whether anything changed
 */
export function repair(list: SortedSlots, { isTaken, slotsEnd }: TakenSlots, { sort, isBefore }: Sorting): boolean {
  if (isSorted(list)) return false
  if (isSmall(list.changed, list.slots.length)) {
    const fresh = sort(Uint32Array.from([...list.changed].filter(isTaken)))
    insert(list, dropChanged(list.slots, list.changed, slotsEnd()), fresh, isBefore)
  } else list.slots = sort(takenSlots(isTaken, slotsEnd()))
  list.changed = new Set()
  list.hasPositions = false
  return true
}

/** @returns the index of a taken slot in the list, which must be sorted */
export function positionOf(list: SortedSlots, slot: number): number {
  if (!list.hasPositions) fillPositions(list)
  return uint32At(list.positions, slot)
}

function fillPositions(list: SortedSlots): void {
  const { slots } = list
  const end = slots.reduce((highest, slot) => Math.max(highest, slot + 1), 0)
  if (end > list.positions.length) list.positions = new Uint32Array(end)
  const { positions } = list
  for (let at = 0; at < slots.length; at++) positions[uint32At(slots, at)] = at
  list.hasPositions = true
}

/** @returns the first number below `end` for which `holds` is true, by binary search; else `end` */
export function partitionPoint(end: number, holds: (at: number) => boolean): number {
  let low = 0
  for (let high = end; low < high; ) {
    const middle = (low + high) >>> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}

function takenSlots(isTaken: (slot: number) => boolean, end: number): Uint32Array {
  const slots = new Uint32Array(end)
  let count = 0
  for (let slot = 0; slot < end; slot++) if (isTaken(slot)) slots[count++] = slot
  return slots.subarray(0, count)
}

/** Moves the slots that stay to the front. @returns how many there are */
function dropChanged(slots: Uint32Array, changed: ReadonlySet<number>, end: number): number {
  const isChanged = new Uint8Array(end)
  for (const slot of changed) isChanged[slot] = 1
  let count = 0
  for (let at = 0; at < slots.length; at++) {
    const slot = uint32At(slots, at)
    if (isChanged[slot] === 0) slots[count++] = slot
  }
  return count
}

/** Inserts sorted slots into the first `count` of the list, from its end: each run of others moves once. */
function insert(list: SortedSlots, count: number, fresh: Uint32Array, isBefore: Sorting['isBefore']): void {
  const slots = withLength(list.slots, count, count + fresh.length)
  let end = count
  for (let next = fresh.length - 1; next >= 0; next--) {
    const slot = uint32At(fresh, next)
    const insertAt = partitionPoint(end, (at) => !isBefore(uint32At(slots, at), slot))
    slots.copyWithin(insertAt + next + 1, insertAt, end)
    slots[insertAt + next] = slot
    end = insertAt
  }
  list.slots = slots
}

/** @returns the same memory if it is large enough, with its first `kept` slots */
function withLength(slots: Uint32Array, kept: number, length: number): Uint32Array {
  if (length * slots.BYTES_PER_ELEMENT <= slots.buffer.byteLength) return new Uint32Array(slots.buffer, 0, length)
  const larger = new Uint32Array(Math.ceil(length * 1.05))
  larger.set(slots.subarray(0, kept))
  return larger.subarray(0, length)
}
