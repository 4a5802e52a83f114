// Sets of slots with one bit per slot, in words of 32. Slots beyond a set's last word are not in it.
import { int32At, uint32At } from './number-at.ts'

/** @param slotsEnd slots are below this @returns how many words hold them */
export const wordsFor = (slotsEnd: number): number => (slotsEnd >>> 5) + 1

export const setBit = (bits: Int32Array, slot: number): void => {
  bits[slot >>> 5] = int32At(bits, slot >>> 5) | (1 << (slot & 31))
}

export const clearBit = (bits: Int32Array, slot: number): void => {
  bits[slot >>> 5] = int32At(bits, slot >>> 5) & ~(1 << (slot & 31))
}

export const hasBit = (bits: Int32Array, slot: number): boolean => ((bits[slot >>> 5] ?? 0) & (1 << (slot & 31))) !== 0

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

/** Removes from `target` what is not in `other`; either may be longer. */
export function keepCommonBits(target: Int32Array, other: Int32Array): void {
  const words = Math.min(target.length, other.length)
  for (let word = 0; word < words; word++) target[word] = int32At(target, word) & int32At(other, word)
  target.fill(0, words)
}

/** @returns a new set with the slots that are in all of these sets */
export function intersectionOf(sets: readonly Int32Array[]): Int32Array {
  const [first = new Int32Array(0), ...others] = sets
  const common = first.slice()
  // Not a `for…of`: it has to close its iterator if an index is out of range, and the inner loop takes twice as long.
  others.forEach((set) => {
    keepCommonBits(common, set)
  })
  return common
}

/**
 * Stores the members in `target`, ascending.
 * @returns how many there are
 */
export function listBits(bits: Int32Array, target: Uint32Array): number {
  let count = 0
  for (let word = 0; word < bits.length; word++) {
    let rest = int32At(bits, word)
    while (rest !== 0) {
      const lowest = rest & -rest
      target[count++] = (word << 5) + 31 - Math.clz32(lowest)
      rest ^= lowest
    }
  }
  return count
}

/** @returns how many members there are */
export function countBits(bits: Int32Array): number {
  let count = 0
  for (let at = 0; at < bits.length; at++) {
    const word = int32At(bits, at)
    if (word !== 0) count += countOnes(word)
  }
  return count
}

/** @returns how many members the sets have in common */
export function countCommonBits(a: Int32Array, b: Int32Array): number {
  const words = Math.min(a.length, b.length)
  let count = 0
  for (let word = 0; word < words; word++) count += countOnes(int32At(a, word) & int32At(b, word))
  return count
}

function countOnes(word: number): number {
  let x = word - ((word >>> 1) & 0x55555555)
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333)
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
