// Finds the servers of one page: intersects the sets its filters name, counts them, and picks the page in the asked order.
import { fold } from './fold.ts'
import type { SortKey, SortOrder } from './orders.ts'
import { countBits, forEachBit, hasBit, listBits, type Posting, setBit } from './posting.ts'
import type { Snapshot } from './snapshot.ts'

/** Filters that are undefined or empty do not filter. */
export interface DirectoryQuery {
  page: number
  limit: number
  sortBy: SortKey
  sortOrder: SortOrder
  /** Part of the name, in any case. */
  search?: string | undefined
  map?: string | undefined
  region?: string | undefined
  gameMode?: string | undefined
  tags?: readonly string[] | undefined
  onlineOnly?: boolean | undefined
  /** Epoch ms: wiped then or later. */
  wipedSince?: number | undefined
  minMultiplier?: number | undefined
  maxMultiplier?: number | undefined
}

export interface Found {
  slots: ArrayLike<number>
  /** Matches on all pages. */
  total: number
}

type Test = (slot: number) => boolean
interface Plan {
  postings: Posting[]
  tests: Test[]
}

const NOTHING: Found = { slots: [], total: 0 }
// With fewer matches than one in this many servers, ranking the matches is cheaper than walking the order past all others.
const WALK_DENSITY = 32
// Up to this many leading matches a small sorted window is cheaper than sorting all matches.
const WINDOW = 256

/** Working memory of one query, which runs without a pause; so all queries share it. */
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
  const { postings, tests } = plan
  if (postings.length === 0) {
    if (tests.length === 0) return pageOfAll(snapshot, query)
    postings.push(snapshot.taken)
  }
  roomFor(snapshot.slotsEnd())
  postings.sort((a, b) => a.size - b.size)
  const shortList = postings.find((posting) => posting.list)
  if (shortList) {
    const total = matchList(shortList, postings, tests)
    return { slots: pickByRank(snapshot, query, total), total }
  }
  const words = matchBits(postings, tests)
  const total = countBits(bits, words)
  if (total * WALK_DENSITY > snapshot.taken.size) return { slots: pickByWalk(snapshot, query, words, total), total }
  listBits(bits, words, matches)
  return { slots: pickByRank(snapshot, query, total), total }
}

function pageOfAll(snapshot: Snapshot, query: DirectoryQuery): Found {
  const all = snapshot.orders.sorted(query.sortBy, query.sortOrder)
  return { slots: all.subarray(...pageOf(query, all.length)), total: all.length }
}

/** @returns undefined when a filter names something no server has */
function makePlan(snapshot: Snapshot, query: DirectoryQuery): Plan | undefined {
  const postings: (Posting | undefined)[] = []
  const tests: Test[] = []
  if (query.gameMode) postings.push(snapshot.gameModes.get(query.gameMode))
  if (query.map) postings.push(snapshot.maps.get(fold(query.map)))
  if (query.region) postings.push(snapshot.regions.get(fold(query.region)))
  for (const tag of query.tags ?? []) postings.push(snapshot.tags.get(fold(tag)))
  if (query.onlineOnly) postings.push(snapshot.online)
  if (query.wipedSince !== undefined) postings.push(snapshot.wipedSince(query.wipedSince))
  if (query.search) {
    const term = fold(query.search)
    const found = snapshot.names.find(term)
    if (!found) return undefined
    postings.push(...found.postings)
    if (!found.exact) tests.push((slot) => snapshot.foldedNames[slot]?.includes(term) ?? false)
  }
  if (query.minMultiplier !== undefined || query.maxMultiplier !== undefined)
    tests.push(multiplierTest(snapshot, query.minMultiplier ?? 0, query.maxMultiplier ?? Number.POSITIVE_INFINITY))
  const known = postings.filter((posting) => posting !== undefined)
  return known.length === postings.length ? { postings: known, tests } : undefined
}

/** At least one of the multipliers lies in the range; a server without them has NaN, which lies in none. */
function multiplierTest({ columns }: Snapshot, min: number, max: number): Test {
  const { xp, taming, harvest } = columns
  const within = (value = Number.NaN) => value >= min && value <= max
  return (slot) => within(xp[slot]) || within(taming[slot]) || within(harvest[slot])
}

/** Leaves the slots that are in every posting and pass every test in `matches`. */
function matchList(driver: Posting, postings: Posting[], tests: Test[]): number {
  const { list = [], size } = driver
  let count = 0
  for (; count < size; count++) matches[count] = list[count] ?? 0
  for (const posting of postings) {
    if (posting.bits) count = keep(count, inBits(posting.bits))
    else if (posting.list && posting !== driver) {
      const { list: members, size: memberCount } = posting
      bits.fill(0)
      for (let i = 0; i < memberCount; i++) setBit(bits, members[i] ?? 0)
      count = keep(count, inBits(bits))
    }
  }
  for (const test of tests) count = keep(count, test)
  return count
}

const inBits = (set: Int32Array) => (slot: number) => hasBit(set, slot)

function keep(count: number, test: Test): number {
  let kept = 0
  for (let i = 0; i < count; i++) {
    const slot = matches[i] ?? 0
    if (test(slot)) matches[kept++] = slot
  }
  return kept
}

/** Leaves the same in `bits`. @returns how many words of it count */
function matchBits(postings: Posting[], tests: Test[]): number {
  const sets = postings.flatMap((posting) => (posting.bits ? [posting.bits] : []))
  const words = Math.min(...sets.map((set) => set.length))
  sets.forEach((set, at) => {
    if (at === 0) for (let word = 0; word < words; word++) bits[word] = set[word] ?? 0
    else for (let word = 0; word < words; word++) bits[word] = (bits[word] ?? 0) & (set[word] ?? 0)
  })
  for (const test of tests)
    forEachBit(bits, words, (slot) => {
      if (!test(slot)) bits[slot >>> 5] = (bits[slot >>> 5] ?? 0) & ~(1 << (slot & 31))
    })
  return words
}

const pageOf = ({ page, limit }: DirectoryQuery, total: number): [from: number, to: number] => {
  const from = Math.min((page - 1) * limit, total)
  return [from, Math.min(from + limit, total)]
}

function pickByWalk(snapshot: Snapshot, query: DirectoryQuery, words: number, total: number): number[] {
  const [from, to] = pageOf(query, total)
  const picked: number[] = []
  if (from === to) return picked
  const order = snapshot.orders.sorted(query.sortBy, query.sortOrder)
  let position = 0
  for (let i = 0; i < order.length; i++) {
    const slot = order[i] ?? 0
    const word = slot >>> 5
    if (word >= words || ((bits[word] ?? 0) & (1 << (slot & 31))) === 0) continue
    if (position++ < from) continue
    picked.push(slot)
    if (position === to) break
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
