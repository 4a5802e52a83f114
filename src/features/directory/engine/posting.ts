// A set of slots: a list while it has few members, a bitset once that is smaller.
import { addSlots, clearBit, countBits, hasBit, listBits, setBit, uniteBits, wordsFor } from './bits.ts'
import { uint32At } from './number-at.ts'

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
    clearBit(bits, slot)
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
  if (bits) listBits(bits, members)
  return members
}

/**
 * The members as a bitset, because `hasSlot` searches a list.
 * @param slotsEnd members are below this
 * @returns read-only
 */
export function bitsOf(posting: Posting, slotsEnd: number): Int32Array {
  return posting.bits ?? copyBits(posting, wordsFor(slotsEnd))
}

/** @param length in words of 32 slots @returns a bitset with the members below that, which the caller may change */
export function copyBits(posting: Posting, length: number): Int32Array {
  const bits = new Int32Array(length)
  if (posting.bits) bits.set(posting.bits.subarray(0, length))
  else addMembers(bits, posting)
  return bits
}

const toList = (posting: Posting): Posting => Object.assign(posting, { list: membersOf(posting), bits: undefined })

/**
 * @param slotsEnd members are below this
 * @returns a posting that must not change; undefined if there is none to unite
 */
export function unionOf(postings: readonly Posting[], slotsEnd: number): Posting | undefined {
  const [first, ...others] = postings
  if (!first || others.length === 0) return first
  const bits = copyBits(first, wordsFor(slotsEnd))
  others.forEach((posting) => {
    addMembers(bits, posting)
  })
  return { size: countBits(bits), list: undefined, bits }
}

/** Adds the members of `posting` to `target`, which is long enough for them. */
export function addMembers(target: Int32Array, posting: Posting): void {
  const { bits, list, size } = posting
  if (bits) uniteBits(target, bits)
  else if (list) addSlots(target, list, 0, size)
}
