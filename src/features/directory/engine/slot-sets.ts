// Many sets of slots, most of them small, without an object per set: the servers that have each word of a vocabulary.

import { addSlots } from './bits.ts'
import { uint32At } from './number-at.ts'
import { addMembers, addSlot, createPosting, membersOf, type Posting, removeSlot } from './posting.ts'

/** The number of slots that a new pool has space for. */
const MIN_POOL = 4096
/** Larger sets have a posting of their own, so that a set with a large share of all servers is a bitset. */
const MAX_POOLED = 1024

export type SlotSets = ReturnType<typeof createSlotSets>

/**
 * A pooled set of n slots is a block of the smallest power of two that holds them; blocks of one size share an array.
 */
export function createSlotSets() {
  let sizes = new Uint32Array(1024)
  /** Where the set's block starts in its pool. */
  let starts = new Uint32Array(1024)
  const pools: { slots: Uint32Array; used: number; free: number[] }[] = []
  const large = new Map<number, Posting>()

  /** 0 also for a set that no slot was ever added to. */
  const sizeOf = (set: number) => sizes[set] ?? 0

  /** The exponent of the block of a set with that many slots. */
  const exponentOf = (size: number) => 32 - Math.clz32(size - 1)

  function poolOf(exponent: number) {
    pools[exponent] ??= { slots: new Uint32Array(Math.max(MIN_POOL, 1 << exponent)), used: 0, free: [] }
    return pools[exponent]
  }

  function allocate(exponent: number): number {
    const pool = poolOf(exponent)
    const start = pool.free.pop() ?? pool.used
    if (start < pool.used) return start
    pool.used += 1 << exponent
    if (pool.used > pool.slots.length) {
      const longer = new Uint32Array(Math.ceil((pool.slots.length * 1.25) / (1 << exponent)) << exponent)
      longer.set(pool.slots)
      pool.slots = longer
    }
    return start
  }

  /** Moves a set to a block for another size. @param kept how many of its slots move */
  function move(set: number, from: number, to: number, kept: number): void {
    const start = allocate(to)
    const source = poolOf(from)
    const before = uint32At(starts, set)
    poolOf(to).slots.set(source.slots.subarray(before, before + kept), start)
    source.free.push(before)
    starts[set] = start
  }

  /** Gives space to sets up to this one. */
  function growTo(set: number): void {
    const grown = (numbers: Uint32Array) => {
      const longer = new Uint32Array(Math.max(set + 1, Math.ceil(numbers.length * 1.25)))
      longer.set(numbers)
      return longer
    }
    sizes = grown(sizes)
    starts = grown(starts)
  }

  /** The slots of a pooled set, unordered; valid until a set changes. */
  function pooledSlots(set: number, size: number): Uint32Array {
    const start = uint32At(starts, set)
    return poolOf(exponentOf(size)).slots.subarray(start, start + size)
  }

  function addPooled(set: number, slot: number, size: number): void {
    const exponent = exponentOf(size + 1)
    if (size === 0) starts[set] = allocate(exponent)
    else if (exponent !== exponentOf(size)) move(set, exponentOf(size), exponent, size)
    poolOf(exponent).slots[uint32At(starts, set) + size] = slot
  }

  /** @returns whether the set had the slot */
  function removePooled(set: number, slot: number, size: number): boolean {
    if (size === 0) return false
    const slots = pooledSlots(set, size)
    const at = slots.indexOf(slot)
    if (at === -1) return false
    const left = size - 1
    slots[at] = uint32At(slots, left)
    const exponent = exponentOf(size)
    if (left === 0) poolOf(exponent).free.push(uint32At(starts, set))
    else if (exponentOf(left) !== exponent) move(set, exponent, exponentOf(left), left)
    return true
  }

  function takeFromPool(set: number): Posting {
    const posting = createPosting()
    for (const slot of pooledSlots(set, MAX_POOLED)) addSlot(posting, slot)
    poolOf(exponentOf(MAX_POOLED)).free.push(uint32At(starts, set))
    large.set(set, posting)
    return posting
  }

  function returnToPool(set: number, posting: Posting): void {
    large.delete(set)
    membersOf(posting).forEach((slot, size) => {
      addPooled(set, slot, size)
    })
  }

  return {
    /** @param slot which the set must not have */
    add(set: number, slot: number): void {
      if (set >= sizes.length) growTo(set)
      const size = uint32At(sizes, set)
      if (size < MAX_POOLED) addPooled(set, slot, size)
      else addSlot(large.get(set) ?? takeFromPool(set), slot)
      sizes[set] = size + 1
    },
    /** Removing a slot that the set does not have changes nothing. */
    remove(set: number, slot: number): void {
      const size = sizeOf(set)
      const posting = large.get(set)
      if (posting) {
        removeSlot(posting, slot)
        sizes[set] = posting.size
        if (posting.size === MAX_POOLED) returnToPool(set, posting)
      } else if (removePooled(set, slot, size)) sizes[set] = size - 1
    },
    sizeOf,
    /** @returns how many steps `unite` takes: one for each slot, or each word of a bitset */
    stepsOf(several: readonly number[]): number {
      let steps = 0
      for (const set of several) {
        const size = sizeOf(set)
        steps += size > MAX_POOLED ? (large.get(set)?.bits?.length ?? size) : size
      }
      return steps
    },
    /** Adds several sets to a bitset that is long enough. */
    unite(bits: Int32Array, several: readonly number[]): void {
      for (const set of several) {
        const size = sizeOf(set)
        const posting = size > MAX_POOLED ? large.get(set) : undefined
        if (posting) addMembers(bits, posting)
        else if (size > 0) addSlots(bits, poolOf(exponentOf(size)).slots, uint32At(starts, set), size)
      }
    },
  }
}
