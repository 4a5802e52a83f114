// Finds the servers that match a plan: intersects the sets of its filters, and checks what sets don't decide.
import { needsChecks, type Plan, type Range } from './plan.ts'
import { countBits, hasBit, intersectBits, listBits, type Posting, setBit } from './posting.ts'
import type { Snapshot } from './snapshot.ts'

/** Working memory shared by all queries, which run synchronously. */
let bits = new Int32Array(64)
let matches = new Uint32Array(1024)

function roomFor(slots: number): void {
  const words = (slots >>> 5) + 1
  if (bits.length < words) bits = new Int32Array(Math.ceil(words * 1.25))
  if (matches.length < slots) matches = new Uint32Array(Math.ceil(slots * 1.25))
}

/** The servers that match, as a set or as a list, whichever was found; valid until the next query. */
export interface Matches {
  total: number
  set: SlotSet | undefined
}

/** The members are set bits of the first `words` words. */
export interface SlotSet {
  bits: Int32Array
  words: number
}

export function findMatches(snapshot: Snapshot, plan: Plan): Matches {
  const { terms, multipliers, ranges, hasFreeSlots } = plan
  const postings = plan.postings.length === 0 ? [snapshot.taken] : plan.postings.sort((a, b) => a.size - b.size)
  roomFor(snapshot.slotsEnd())
  const shortest = postings.find((posting) => posting.list)
  if (!shortest && !needsChecks(plan)) {
    const words = intersect(postings)
    return { total: countBits(bits, words), set: { bits, words } }
  }
  let total = shortest ? matchList(shortest, postings) : listBits(bits, intersect(postings), matches)
  for (const range of ranges) total = keepInRange(total, range)
  if (hasFreeSlots) total = keepNotFull(snapshot, total)
  for (const term of terms) total = keepNamed(snapshot, total, term)
  if (multipliers) total = keepMultiplied(snapshot, total, multipliers.min, multipliers.max)
  return { total, set: undefined }
}

export function asSet(snapshot: Snapshot, { total, set }: Matches): SlotSet {
  if (set) return set
  bits.fill(0)
  for (let i = 0; i < total; i++) setBit(bits, matches[i] ?? 0)
  return { bits, words: Math.min(bits.length, (snapshot.slotsEnd() >>> 5) + 1) }
}

export function asList({ total, set }: Matches): Uint32Array {
  return set ? listOf(set) : matches.subarray(0, total)
}

export const listOf = ({ bits, words }: SlotSet): Uint32Array => matches.subarray(0, listBits(bits, words, matches))

/** Stores the slots that are in every posting in `matches`. @returns how many there are */
function matchList(shortest: Posting, postings: Posting[]): number {
  let count = shortest.size
  if (shortest.list) matches.set(shortest.list.subarray(0, count))
  for (const posting of postings) {
    if (posting.bits) count = keepIn(posting.bits, count)
    else if (posting.list && posting !== shortest) {
      bits.fill(0)
      for (let i = 0; i < posting.size; i++) setBit(bits, posting.list[i] ?? 0)
      count = keepIn(bits, count)
    }
  }
  return count
}

// Each check is a separate loop over plain arrays: a call per server would cost several times the check.

function keepIn(set: Int32Array, count: number): number {
  const slots = matches
  let kept = 0
  for (let i = 0; i < count; i++) {
    const slot = slots[i] ?? 0
    if (hasBit(set, slot)) slots[kept++] = slot
  }
  return kept
}

function keepInRange(count: number, { values, min, max }: Range): number {
  const slots = matches
  let kept = 0
  for (let i = 0; i < count; i++) {
    const slot = slots[i] ?? 0
    const value = values[slot] ?? Number.NaN
    if (value >= min && value <= max) slots[kept++] = slot
  }
  return kept
}

function keepNotFull({ columns: { currentPlayers, maxPlayers } }: Snapshot, count: number): number {
  const slots = matches
  let kept = 0
  for (let i = 0; i < count; i++) {
    const slot = slots[i] ?? 0
    if ((currentPlayers[slot] ?? 0) < (maxPlayers[slot] ?? 0)) slots[kept++] = slot
  }
  return kept
}

function keepNamed({ names }: Snapshot, count: number, term: string): number {
  const slots = matches
  let kept = 0
  for (let i = 0; i < count; i++) {
    const slot = slots[i] ?? 0
    if (names.at(slot).includes(term)) slots[kept++] = slot
  }
  return kept
}

/** Keeps servers with at least one multiplier in the range; a missing one is NaN, which is in no range. */
function keepMultiplied({ columns }: Snapshot, count: number, min: number, max: number): number {
  const { xp, taming, harvest, lowestMultiplier, highestMultiplier } = columns
  const slots = matches
  let kept = 0
  for (let i = 0; i < count; i++) {
    const slot = slots[i] ?? 0
    const lowest = lowestMultiplier[slot] ?? Number.NaN
    const highest = highestMultiplier[slot] ?? Number.NaN
    if (!(highest >= min && lowest <= max)) continue
    const isWithin =
      highest <= max ||
      lowest >= min ||
      isBetween(xp[slot], min, max) ||
      isBetween(taming[slot], min, max) ||
      isBetween(harvest[slot], min, max)
    if (isWithin) slots[kept++] = slot
  }
  return kept
}

const isBetween = (value: number | undefined, min: number, max: number) =>
  value !== undefined && value >= min && value <= max

/** Stores the slots that are in every bitset in `bits`. @returns how many words of it are used */
const intersect = (postings: Posting[]): number =>
  intersectBits(
    postings.flatMap((posting) => (posting.bits ? [posting.bits] : [])),
    bits,
  )
