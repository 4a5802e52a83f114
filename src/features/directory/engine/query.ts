// Finds the servers of one page: intersects the sets of its filters, counts them, and picks the page in the requested
// order.
import type { Place, SortKey, SortOrder } from './orders.ts'
import { type DirectoryQuery, isUnfiltered, makePlan, needsChecks, type Plan, type Range } from './plan.ts'
import { countBits, hasBit, intersectBits, listBits, type Posting, setBit } from './posting.ts'
import type { Snapshot } from './snapshot.ts'

export interface Found {
  slots: ArrayLike<number>
  /** Matches on all pages. */
  total: number
  /** The place of the last of `slots`; undefined if no matches follow. */
  next: Place | undefined
}

/** A page within an order: of its matches, or of those after a place, the ones from `from` to before `to`. */
interface Window {
  sortBy: SortKey
  sortOrder: SortOrder
  after: Place | undefined
  from: number
  to: number
}

const NOTHING: Found = { slots: [], total: 0, next: undefined }
// Ranking a match costs about as much as skipping this many servers in the order.
const STEPS_A_RANK = 4
// Up to this many leading matches, a small sorted window is cheaper than sorting all matches.
const WINDOW = 256

/** Working memory shared by all queries, which run synchronously. */
let bits = new Int32Array(64)
let matches = new Uint32Array(1024)

function roomFor(slots: number): void {
  const words = (slots >>> 5) + 1
  if (bits.length < words) bits = new Int32Array(Math.ceil(words * 1.25))
  if (matches.length < slots) matches = new Uint32Array(Math.ceil(slots * 1.25))
}

export function findServers(snapshot: Snapshot, query: DirectoryQuery): Found {
  const plan = makePlan(snapshot, query)
  if (!plan) return NOTHING
  if (isUnfiltered(plan) && !needsNoOrder(pageOf(query, snapshot.taken.size))) return pageOfAll(snapshot, query)
  const { total, words } = match(snapshot, plan)
  if (plan.tiers) return pickByRelevance(snapshot, query, words ?? setMatches(snapshot, total), plan.tiers)
  const window = pageOf(query, total)
  if (isDense(snapshot, window, total)) return pickByWalk(snapshot, window, words ?? setMatches(snapshot, total), total)
  if (words !== undefined) listBits(bits, words, matches)
  return pickByRank(snapshot, window, total)
}

/** All servers, or a set of which `words` words count; valid until the next query. */
export type Matching = 'all' | { set: Int32Array; words: number }

export function findMatching(snapshot: Snapshot, query: DirectoryQuery): Matching {
  const plan = makePlan(snapshot, query)
  if (!plan) return { set: bits, words: 0 }
  if (isUnfiltered(plan)) return 'all'
  const { total, words } = match(snapshot, plan)
  return { words: words ?? setMatches(snapshot, total), set: bits }
}

/** Stores the servers that match in the first `words` words of `bits`, or without `words` in `matches`. */
function match(snapshot: Snapshot, plan: Plan): { total: number; words: number | undefined } {
  const { term, multipliers, ranges, hasFreeSlots } = plan
  const postings = plan.postings.length === 0 ? [snapshot.taken] : plan.postings.sort((a, b) => a.size - b.size)
  roomFor(snapshot.slotsEnd())
  const shortest = postings.find((posting) => posting.list)
  if (!shortest && !needsChecks(plan)) {
    const words = intersect(postings)
    return { total: countBits(bits, words), words }
  }
  let total = shortest ? matchList(shortest, postings) : listBits(bits, intersect(postings), matches)
  for (const range of ranges) total = keepInRange(total, range)
  if (hasFreeSlots) total = keepNotFull(snapshot, total)
  if (term !== undefined) total = keepNamed(snapshot, total, term)
  if (multipliers) total = keepMultiplied(snapshot, total, multipliers.min, multipliers.max)
  return { total, words: undefined }
}

/** Whether walking the order to the page's end, skipping non-matches, is cheaper than ranking all matches. */
function isDense(snapshot: Snapshot, window: Window, total: number): boolean {
  if (needsNoOrder(window)) return false
  const steps = (window.to / total) * snapshot.taken.size
  return steps < total * STEPS_A_RANK
}

/** A random order is used once or a few times: its first pages are found without sorting all servers. */
const needsNoOrder = ({ sortBy, to }: Window): boolean => sortBy.startsWith('random') && to <= WINDOW

/** Stores the first `total` of `matches` in `bits`. @returns how many words of it are used */
function setMatches(snapshot: Snapshot, total: number): number {
  const set = bits.fill(0)
  for (let i = 0; i < total; i++) setBit(set, matches[i] ?? 0)
  return Math.min(set.length, (snapshot.slotsEnd() >>> 5) + 1)
}

function pageOfAll(snapshot: Snapshot, query: DirectoryQuery): Found {
  const { sortBy, sortOrder, after, limit } = query
  const all = snapshot.orders.sorted(sortBy, sortOrder)
  const total = all.length
  const from = after ? snapshot.orders.indexAfter(sortBy, sortOrder, after) : pageOf(query, total).from
  const slots = all.subarray(from, from + limit)
  return { slots, total, next: placeAfter(snapshot, sortBy, slots, from + limit < total) }
}

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

function pageOf({ page = 1, limit, sortBy, sortOrder, after }: DirectoryQuery, total: number): Window {
  const from = Math.min((page - 1) * limit, total)
  return { sortBy, sortOrder, after, from, to: Math.min(from + limit, total) }
}

function placeAfter({ orders }: Snapshot, sortBy: SortKey, slots: ArrayLike<number>, hasMore: boolean) {
  const last = slots[slots.length - 1]
  return hasMore && last !== undefined ? orders.placeOf(sortBy, last) : undefined
}

/** Picks the page from the `total` members of `bits`. */
function pickByWalk(snapshot: Snapshot, window: Window, words: number, total: number): Found {
  const { sortBy, sortOrder, after, from, to } = window
  const slots: number[] = []
  const found = (hasMore: boolean) => ({ slots, total, next: placeAfter(snapshot, sortBy, slots, hasMore) })
  if (from === to) return found(false)
  const order = snapshot.orders.sorted(sortBy, sortOrder)
  const matching = bits
  let position = 0
  let at = after ? snapshot.orders.indexAfter(sortBy, sortOrder, after) : 0
  for (; position < to && at < order.length; at++) {
    const slot = order[at] ?? 0
    if (slot >>> 5 >= words || !hasBit(matching, slot)) continue
    if (position >= from) slots.push(slot)
    position++
  }
  if (!after) return found(to < total)
  for (; at < order.length; at++) {
    const slot = order[at] ?? 0
    if (slot >>> 5 < words && hasBit(matching, slot)) return found(true)
  }
  return found(false)
}

/** Picks the page from the first `total` of `matches`. */
function pickByRank(snapshot: Snapshot, window: Window, total: number): Found {
  const { sortBy, sortOrder, after, from } = window
  const left = after ? keepAfter(snapshot, window, after, total) : total
  const to = Math.min(window.to, left)
  if (from >= to) return { slots: [], total, next: undefined }
  const { rank, slotOf } = snapshot.orders.ranking(sortBy, sortOrder)
  const ranks = to <= WINDOW ? lowestRanks(left, to, rank) : Float64Array.from(matches.subarray(0, left), rank).sort()
  const slots = Array.from(ranks.subarray(from, to), slotOf)
  return { slots, total, next: placeAfter(snapshot, sortBy, slots, to < left) }
}

function keepAfter({ orders }: Snapshot, { sortBy, sortOrder }: Window, place: Place, count: number): number {
  const slots = matches
  let kept = 0
  for (let i = 0; i < count; i++) {
    const slot = slots[i] ?? 0
    if (orders.isAfter(sortBy, sortOrder, slot, place)) slots[kept++] = slot
  }
  return kept
}

// A place in the order by relevance is one in a tier's order; its value has the tier, too. Values are below this.
const TIERS = 2 ** 32

/** Picks the page from the members of `bits`: tier by tier, each in the query's order. */
function pickByRelevance(
  snapshot: Snapshot,
  query: DirectoryQuery,
  words: number,
  tiers: readonly Int32Array[],
): Found {
  const total = countBits(bits, words)
  const left = bits.slice(0, words)
  const { sortBy, sortOrder, after, limit } = query
  const start = after ? Math.floor(Number(after.value) / TIERS) : 0
  const slots: number[] = []
  let skipped = after ? 0 : pageOf(query, total).from
  let next: Place | undefined
  for (const [tier, set] of tiers.entries()) {
    const count = takeTier(left, set)
    if (count === 0 || tier < start) continue
    if (slots.length === limit) return { slots, total, next } // the page before this tier
    const place = after && tier === start ? { ...after, value: Number(after.value) - start * TIERS } : undefined
    const to = Math.min(skipped + limit - slots.length, count)
    const window = { sortBy, sortOrder, after: place, from: Math.min(skipped, count), to }
    const isDenseTier = isDense(snapshot, window, count)
    if (!isDenseTier) listBits(bits, words, matches)
    const found = isDenseTier ? pickByWalk(snapshot, window, words, count) : pickByRank(snapshot, window, count)
    for (let i = 0; i < found.slots.length; i++) slots.push(found.slots[i] ?? 0)
    skipped -= window.from
    const last = placeAfter(snapshot, sortBy, found.slots, true)
    if (last) next = { ...last, value: Number(last.value) + tier * TIERS }
    if (found.next) return { slots, total, next }
  }
  return { slots, total, next: undefined }
}

/** Moves the members of a tier from `left` to `bits`. @returns how many there are */
function takeTier(left: Int32Array, tier: Int32Array): number {
  for (let word = 0; word < left.length; word++) {
    bits[word] = (left[word] ?? 0) & (tier[word] ?? 0)
    left[word] = (left[word] ?? 0) & ~(tier[word] ?? 0)
  }
  return countBits(bits, left.length)
}

/** @returns the `wanted` lowest ranks, ascending */
function lowestRanks(total: number, wanted: number, rank: (slot: number) => number): Float64Array {
  const lowest = new Float64Array(wanted + 1)
  let filled = 0
  for (let i = 0; i < total; i++) {
    const candidate = rank(matches[i] ?? 0)
    if (filled === wanted && candidate > (lowest[wanted - 1] ?? 0)) continue
    let at = filled
    for (; at > 0 && (lowest[at - 1] ?? 0) > candidate; at--) lowest[at] = lowest[at - 1] ?? 0
    lowest[at] = candidate
    if (filled < wanted) filled++
  }
  return lowest.subarray(0, filled)
}
