// A set of slots: a list while it has few members, a bitset once that is smaller.
import { int32At, uint32At } from './number-at.ts'

export interface Posting {
  size: number
  /** The members, unordered; only the first `size` entries count. Undefined while `bits` holds them. */
  list: Uint32Array | undefined
  bits: Int32Array | undefined
}

// A bitset takes one bit per slot up to its highest member, a list 32 bits per member. Between these bounds
// nothing is converted, so that a set near one of them does not go back and forth.
const BITS_WHEN_SLOTS_PER_MEMBER_BELOW = 32
const LIST_WHEN_SLOTS_PER_MEMBER_ABOVE = 128
const MIN_BITSET = 64

export const createPosting = (): Posting => ({ size: 0, list: new Uint32Array(4), bits: undefined })

/** Adds a member; adding the newest member again, or any member of a bitset, changes nothing. */
export function addSlot(posting: Posting, slot: number): void {
  if (posting.bits) addBit(posting, posting.bits, slot)
  else if (posting.list) addToList(posting, posting.list, slot)
}

function addBit(posting: Posting, bits: Int32Array, slot: number): void {
  const word = slot >>> 5
  if (word < bits.length) {
    if (hasBit(bits, slot)) return
    setBit(bits, slot)
    posting.size++
  } else if ((posting.size + 1) * LIST_WHEN_SLOTS_PER_MEMBER_ABOVE < slot) addSlot(toList(posting), slot)
  else {
    const larger = new Int32Array(Math.max(word + 1, Math.ceil(bits.length * 1.25)))
    larger.set(bits)
    posting.bits = larger
    addBit(posting, larger, slot)
  }
}

function addToList(posting: Posting, list: Uint32Array, slot: number): void {
  const { size } = posting
  if (size > 0 && list[size - 1] === slot) return
  if (size < list.length) {
    list[size] = slot
    posting.size++
    return
  }
  const highest = size < MIN_BITSET ? Number.POSITIVE_INFINITY : highestOf(list, slot)
  if (highest < size * BITS_WHEN_SLOTS_PER_MEMBER_BELOW) {
    const bits = new Int32Array((highest >>> 5) + 1)
    for (const member of list) setBit(bits, member)
    Object.assign(posting, { bits, list: undefined })
  } else {
    posting.list = new Uint32Array(size + (size >>> 2) + 2)
    posting.list.set(list)
  }
  addSlot(posting, slot)
}

function highestOf(list: Uint32Array, atLeast: number): number {
  let highest = atLeast
  for (let i = 0; i < list.length; i++) highest = Math.max(highest, uint32At(list, i))
  return highest
}

/** Removes a member; removing a non-member changes nothing. */
export function removeSlot(posting: Posting, slot: number): void {
  const { bits, list } = posting
  if (bits) {
    if (!hasBit(bits, slot)) return
    bits[slot >>> 5] = int32At(bits, slot >>> 5) & ~(1 << (slot & 31))
    posting.size--
    if (posting.size * LIST_WHEN_SLOTS_PER_MEMBER_ABOVE < bits.length * 32) toList(posting)
  } else if (list) {
    const at = list.subarray(0, posting.size).indexOf(slot)
    if (at === -1) return
    posting.size--
    list[at] = uint32At(list, posting.size)
    if (posting.size * 4 < list.length) posting.list = list.slice(0, posting.size * 2 + 2)
  }
}

export function setMember(posting: Posting, slot: number, isIn: boolean): void {
  if (!isIn) removeSlot(posting, slot)
  else if (!hasSlot(posting, slot)) addSlot(posting, slot)
}

export function hasSlot(posting: Posting, slot: number): boolean {
  if (posting.bits) return hasBit(posting.bits, slot)
  return posting.list?.subarray(0, posting.size).includes(slot) ?? false
}

/** @returns the members, unordered and read-only; valid until the posting changes */
export function membersOf({ size, list, bits }: Posting): Uint32Array {
  if (list) return list.subarray(0, size)
  const members = new Uint32Array(size)
  if (bits) listBits(bits, bits.length, members)
  return members
}

/**
 * The members as a bitset, because `hasSlot` searches a list.
 * @param slotsEnd members are below this
 * @returns read-only
 */
export function bitsOf(posting: Posting, slotsEnd: number): Int32Array {
  return posting.bits ?? copyBits(posting, (slotsEnd >>> 5) + 1)
}

/** @param length in words of 32 slots @returns a bitset with the members below that, which the caller may change */
export function copyBits(posting: Posting, length: number): Int32Array {
  const bits = new Int32Array(length)
  if (posting.bits) bits.set(posting.bits.subarray(0, length))
  else addMembers(bits, posting)
  return bits
}

const toList = (posting: Posting): Posting => Object.assign(posting, { list: membersOf(posting), bits: undefined })

export const setBit = (bits: Int32Array, slot: number): void => {
  bits[slot >>> 5] = int32At(bits, slot >>> 5) | (1 << (slot & 31))
}
/** False for slots beyond the set's last word. */
export const hasBit = (bits: Int32Array, slot: number): boolean => ((bits[slot >>> 5] ?? 0) & (1 << (slot & 31))) !== 0

/**
 * @param slotsEnd members are below this
 * @returns a posting that must not change; undefined if there is none to unite
 */
export function unionOf(postings: readonly Posting[], slotsEnd: number): Posting | undefined {
  const [first, ...others] = postings
  if (!first || others.length === 0) return first
  const bits = copyBits(first, (slotsEnd >>> 5) + 1)
  others.forEach((posting) => {
    addMembers(bits, posting)
  })
  return { size: countBits(bits, bits.length), list: undefined, bits }
}

/** Adds the members of `posting` to `target`, which is long enough for them. */
export function addMembers(target: Int32Array, posting: Posting): void {
  const { bits, list, size } = posting
  if (bits) uniteBits(target, bits)
  else if (list) addSlots(target, list, 0, size)
}

/** Adds `count` slots of `slots`, from index `start` on. */
export function addSlots(target: Int32Array, slots: Uint32Array, start: number, count: number): void {
  for (let at = start; at < start + count; at++) {
    const slot = uint32At(slots, at)
    // Not `setBit`: V8's Maglev compiler inlines this loop into its callers, but no further function into the loop, and
    // a call for each slot made it three times as slow.
    target[slot >>> 5] = int32At(target, slot >>> 5) | (1 << (slot & 31))
  }
}

/** Adds the members of `other` to `target`, as far as it is long enough: either may end with empty words. */
export function uniteBits(target: Int32Array, other: Int32Array): void {
  const words = Math.min(target.length, other.length)
  for (let word = 0; word < words; word++) target[word] = int32At(target, word) | int32At(other, word)
}

/** Removes from `target` what is not in `other`, which has at least as many words. */
export function keepCommonBits(target: Int32Array, other: Int32Array): void {
  for (let word = 0; word < target.length; word++) target[word] = int32At(target, word) & int32At(other, word)
}

/**
 * Stores the intersection of all sets in `target`.
 * @returns how many of its words are written; the rest is unchanged
 */
export function intersectBits(sets: readonly Int32Array[], target: Int32Array): number {
  const words = Math.min(target.length, ...sets.map((set) => set.length))
  const [first, ...others] = sets
  if (first) target.set(first.subarray(0, words))
  const common = target.subarray(0, words)
  // Not a `for…of`: it has to close its iterator if an index is out of range, and the inner loop takes twice as long.
  others.forEach((set) => {
    keepCommonBits(common, set)
  })
  return words
}

/**
 * Stores the positions of the set bits of the first `words` words in `target`, ascending.
 * @returns how many there are
 */
export function listBits(bits: Int32Array, words: number, target: Uint32Array): number {
  let count = 0
  for (let word = 0; word < words; word++) {
    let rest = int32At(bits, word)
    while (rest !== 0) {
      const lowest = rest & -rest
      target[count++] = (word << 5) + 31 - Math.clz32(lowest)
      rest ^= lowest
    }
  }
  return count
}

/** @returns how many bits of the first `words` words are set */
export function countBits(bits: Int32Array, words: number): number {
  let count = 0
  for (let word = 0; word < words; word++) count += countOnes(int32At(bits, word))
  return count
}

/** @returns how many bits are set in both sets' first `words` words */
export function countCommonBits(a: Int32Array, b: Int32Array, words: number): number {
  const common = Math.min(words, a.length, b.length)
  let count = 0
  for (let word = 0; word < common; word++) count += countOnes(int32At(a, word) & int32At(b, word))
  return count
}

function countOnes(word: number): number {
  let x = word - ((word >>> 1) & 0x55555555)
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333)
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
