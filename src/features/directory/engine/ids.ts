// The servers' ids by slot, and the slots by id. Typed arrays take 24 bytes a server, a string and its entry in a Map
// 93 (calculated for a million).
import { uint32At } from './number-at.ts'

/** 32-bit parts of a UUID, most significant first: they sort like its text. */
const PARTS = 4
/** Where each part's hex digits are in the text. */
const DIGITS = [
  [0, 1, 2, 3, 4, 5, 6, 7],
  [9, 10, 11, 12, 14, 15, 16, 17],
  [19, 20, 21, 22, 24, 25, 26, 27],
  [28, 29, 30, 31, 32, 33, 34, 35],
] as const
const DASHES = [8, 13, 18, 23] as const
const DASH = '-'.charCodeAt(0)
const LENGTH = 36
/** How many hex digits of an id's end are its short id. */
const SHORT_LENGTH = 12
/** Each part of an unused slot: together RFC 9562's Max UUID, which no server has. */
const UNUSED = 0xffffffff

/** The value of each character as a hex digit in lower case; -1 for others. */
const VALUES = new Int8Array(128).fill(-1)
for (const [value, digit] of [...'0123456789abcdef'].entries()) VALUES[digit.charCodeAt(0)] = value

/** @returns whether the text is a UUID in lower case, whose parts are then in `target` */
function parse(text: string, target: Uint32Array): boolean {
  if (text.length !== LENGTH) return false
  for (const at of DASHES) if (text.charCodeAt(at) !== DASH) return false
  for (let part = 0; part < PARTS; part++) {
    let bits = 0
    for (const at of DIGITS[part] ?? []) {
      const value = VALUES[text.charCodeAt(at)] ?? -1 // no ASCII
      if (value < 0) return false
      bits = (bits << 4) | value
    }
    target[part] = bits
  }
  return true
}

const isShortId = (text: string) => text.length === SHORT_LENGTH && /^[0-9a-f]+$/.test(text)

export type Ids = ReturnType<typeof createIds>

/** Assigns slots to ids. A new server gets a slot that became free, if there is one. */
export function createIds() {
  let parts = new Uint32Array(1024 * PARTS).fill(UNUSED)
  /** A hash table with linear probing. Slot + 1; 0: none. At least half are empty. */
  let table = new Uint32Array(2048)
  const free: number[] = []
  const wanted = new Uint32Array(PARTS)
  let end = 0

  const isTaken = (slot: number) => slot < end && !hasParts(slot, UNUSED, UNUSED, UNUSED, UNUSED)

  function hasParts(slot: number, first: number, second: number, third: number, fourth: number): boolean {
    const at = slot * PARTS
    // The last part is compared first, because it differs most often.
    return parts[at + 3] === fourth && parts[at + 2] === third && parts[at + 1] === second && parts[at] === first
  }

  /** The bucket where the search for an id begins: the last bits of the id, which are random. */
  const homeOf = (lastPart: number) => lastPart & (table.length - 1)
  const next = (bucket: number) => (bucket + 1) & (table.length - 1)

  /** @returns the bucket in the table of the id in `wanted`, or the empty one where it belongs */
  function bucketOfWanted(): number {
    const [first, second, third] = [uint32At(wanted, 0), uint32At(wanted, 1), uint32At(wanted, 2)]
    const fourth = uint32At(wanted, 3)
    let bucket = homeOf(fourth)
    for (let entry = table[bucket]; entry; entry = table[bucket]) {
      if (hasParts(entry - 1, first, second, third, fourth)) return bucket
      bucket = next(bucket)
    }
    return bucket
  }

  function insert(slot: number): void {
    let bucket = homeOf(uint32At(parts, slot * PARTS + 3))
    while (table[bucket]) bucket = next(bucket)
    table[bucket] = slot + 1
  }

  function grow(): void {
    const larger = new Uint32Array(Math.ceil(end * 1.25) * PARTS).fill(UNUSED)
    larger.set(parts)
    parts = larger
  }

  function growTable(): void {
    table = new Uint32Array(table.length * 2)
    for (let slot = 0; slot < end; slot++) if (isTaken(slot)) insert(slot)
  }

  /** Empties a bucket, and moves later entries back into the gap, so that they are still found. */
  function clearBucket(bucket: number): void {
    let hole = bucket
    for (let at = next(bucket); table[at]; at = next(at)) {
      const entry = uint32At(table, at)
      const home = homeOf(uint32At(parts, (entry - 1) * PARTS + 3))
      const isBetween = hole <= at ? hole < home && home <= at : hole < home || home <= at
      if (isBetween) continue
      table[hole] = entry
      hole = at
    }
    table[hole] = 0
  }

  /** Whether the id of one taken slot sorts before that of another. */
  function isBefore(slot: number, other: number): boolean {
    for (let part = 0; part < PARTS; part++) {
      const difference = uint32At(parts, slot * PARTS + part) - uint32At(parts, other * PARTS + part)
      if (difference !== 0) return difference < 0
    }
    return false
  }

  return {
    /** Used slots are below this. */
    end: () => end,
    isTaken,
    /** @returns undefined for an id that has none, and for any other text */
    slotOf(id: string): number | undefined {
      const entry = parse(id, wanted) ? table[bucketOfWanted()] : 0
      return entry ? entry - 1 : undefined
    },
    /**
     * The slot of the id that ends with these 12 hex digits; of several such ids, the one that sorts first. Only one in
     * 90,000 directories of 100,000 servers has several.
     */
    slotOfShort(shortId: string): number | undefined {
      if (!isShortId(shortId)) return undefined
      const [third, fourth] = [Number.parseInt(shortId.slice(0, 4), 16), Number.parseInt(shortId.slice(4), 16)]
      let found: number | undefined
      let bucket = homeOf(fourth)
      for (let entry = table[bucket]; entry; entry = table[bucket]) {
        const slot = entry - 1
        const isMatch =
          uint32At(parts, slot * PARTS + 3) === fourth && (uint32At(parts, slot * PARTS + 2) & 0xffff) === third
        if (isMatch && (found === undefined || isBefore(slot, found))) found = slot
        bucket = next(bucket)
      }
      return found
    },
    /** @returns an empty string for an unused slot */
    idOf(slot: number): string {
      if (!isTaken(slot)) return ''
      const hexOf = (part: number) =>
        uint32At(parts, slot * PARTS + part)
          .toString(16)
          .padStart(8, '0')
      const [second, third] = [hexOf(1), hexOf(2)]
      return `${hexOf(0)}-${second.slice(0, 4)}-${second.slice(4)}-${third.slice(0, 4)}-${third.slice(4)}${hexOf(3)}`
    },
    isBefore,
    /** The last 32 bits of the id, which are random. */
    bitsOf: (slot: number): number => uint32At(parts, slot * PARTS + 3) | 0,
    /** Gives a new id a slot. @throws Error if the text is not a UUID in lower case */
    add(id: string): number {
      if (!parse(id, wanted)) throw new Error(`not a UUID in lower case: ${id}`)
      const slot = free.pop() ?? end++
      if (end * PARTS > parts.length) grow()
      if (end * 2 > table.length) growTable()
      parts.set(wanted, slot * PARTS)
      insert(slot)
      return slot
    },
    /** Frees a taken slot. */
    remove(slot: number): void {
      wanted.set(parts.subarray(slot * PARTS, (slot + 1) * PARTS))
      clearBucket(bucketOfWanted())
      parts.fill(UNUSED, slot * PARTS, (slot + 1) * PARTS)
      free.push(slot)
    },
  }
}
