// Finds the servers of one page: intersects the sets of its filters, counts them, and picks the page in the requested
// order.
import { fold } from './fold.ts'
import type { SortKey, SortOrder } from './orders.ts'
import { countBits, hasBit, intersectBits, listBits, type Posting, setBit } from './posting.ts'
import type { Snapshot } from './snapshot.ts'

/** Filters that are undefined or empty do not filter. */
export interface DirectoryQuery {
  page: number
  limit: number
  sortBy: SortKey
  sortOrder: SortOrder
  /** Part of the name, case-insensitive. */
  search?: string | undefined
  map?: string | undefined
  region?: string | undefined
  gameMode?: string | undefined
  tags?: readonly string[] | undefined
  onlineOnly?: boolean | undefined
  /** Epoch ms: wiped at this time or later. */
  wipedSince?: number | undefined
  minMultiplier?: number | undefined
  maxMultiplier?: number | undefined
}

export interface Found {
  slots: ArrayLike<number>
  /** Matches on all pages. */
  total: number
}

/** The sets a server must be in, and the checks on each that is. */
interface Plan {
  postings: Posting[]
  /** Folded; undefined if the postings decide alone. */
  term: string | undefined
  multipliers: { min: number; max: number } | undefined
}

const NOTHING: Found = { slots: [], total: 0 }
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
  const { postings, term, multipliers } = plan
  const needsChecks = term !== undefined || multipliers !== undefined
  if (postings.length === 0) {
    if (!needsChecks) return pageOfAll(snapshot, query)
    postings.push(snapshot.taken)
  }
  roomFor(snapshot.slotsEnd())
  postings.sort((a, b) => a.size - b.size)
  const shortest = postings.find((posting) => posting.list)
  if (!shortest && !needsChecks) {
    const words = intersect(postings)
    const total = countBits(bits, words)
    if (isDense(snapshot, query, total)) return { slots: pickByWalk(snapshot, query, words, total), total }
    listBits(bits, words, matches)
    return { slots: pickByRank(snapshot, query, total), total }
  }
  let total = shortest ? matchList(shortest, postings) : listBits(bits, intersect(postings), matches)
  if (term !== undefined) total = keepNamed(snapshot, total, term)
  if (multipliers) total = keepMultiplied(snapshot, total, multipliers.min, multipliers.max)
  if (!isDense(snapshot, query, total)) return { slots: pickByRank(snapshot, query, total), total }
  return { slots: pickByWalk(snapshot, query, setMatches(snapshot, total), total), total }
}

/** Whether walking the order to the page's end, skipping non-matches, is cheaper than ranking all matches. */
function isDense(snapshot: Snapshot, query: DirectoryQuery, total: number): boolean {
  const steps = (pageOf(query, total)[1] / total) * snapshot.taken.size
  return steps < total * STEPS_A_RANK
}

/** Stores the first `total` of `matches` in `bits`. @returns how many words of it are used */
function setMatches(snapshot: Snapshot, total: number): number {
  const set = bits.fill(0)
  for (let i = 0; i < total; i++) setBit(set, matches[i] ?? 0)
  return Math.min(set.length, (snapshot.slotsEnd() >>> 5) + 1)
}

function pageOfAll(snapshot: Snapshot, query: DirectoryQuery): Found {
  const all = snapshot.orders.sorted(query.sortBy, query.sortOrder)
  return { slots: all.subarray(...pageOf(query, all.length)), total: all.length }
}

/** @returns undefined if a filter names a value that no server has */
function makePlan(snapshot: Snapshot, query: DirectoryQuery): Plan | undefined {
  const postings: (Posting | undefined)[] = []
  let term: string | undefined
  if (query.gameMode) postings.push(snapshot.gameModes.get(query.gameMode))
  if (query.map) postings.push(snapshot.maps.get(fold(query.map)))
  if (query.region) postings.push(snapshot.regions.get(fold(query.region)))
  for (const tag of query.tags ?? []) postings.push(snapshot.tags.get(fold(tag)))
  if (query.onlineOnly) postings.push(snapshot.online)
  if (query.wipedSince !== undefined) postings.push(snapshot.wipedSince(query.wipedSince))
  if (query.search) {
    const folded = fold(query.search)
    const found = snapshot.names.find(folded)
    if (!found) return undefined
    postings.push(...found.postings)
    if (!found.exact) term = folded
  }
  const known = postings.filter((posting) => posting !== undefined)
  if (known.length < postings.length) return undefined
  const { minMultiplier: min, maxMultiplier: max } = query
  const bounded = min !== undefined || max !== undefined
  return {
    postings: known,
    term,
    multipliers: bounded ? { min: min ?? 0, max: max ?? Number.POSITIVE_INFINITY } : undefined,
  }
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

const pageOf = ({ page, limit }: DirectoryQuery, total: number): [from: number, to: number] => {
  const from = Math.min((page - 1) * limit, total)
  return [from, Math.min(from + limit, total)]
}

function pickByWalk(snapshot: Snapshot, query: DirectoryQuery, words: number, total: number): number[] {
  const [from, to] = pageOf(query, total)
  const picked: number[] = []
  if (from === to) return picked
  const order = snapshot.orders.sorted(query.sortBy, query.sortOrder)
  const matching = bits
  let position = 0
  for (let i = 0; position < to && i < order.length; i++) {
    const slot = order[i] ?? 0
    if (slot >>> 5 >= words || !hasBit(matching, slot)) continue
    if (position >= from) picked.push(slot)
    position++
  }
  return picked
}

/** Picks the page from the first `total` of `matches`. */
function pickByRank(snapshot: Snapshot, query: DirectoryQuery, total: number): number[] {
  const [from, to] = pageOf(query, total)
  if (from === to) return []
  const { rank, slotOf } = snapshot.orders.ranking(query.sortBy, query.sortOrder)
  const ranks = to <= WINDOW ? lowestRanks(total, to, rank) : Float64Array.from(matches.subarray(0, total), rank).sort()
  return Array.from(ranks.subarray(from, to), slotOf)
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
