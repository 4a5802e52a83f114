// Finds the servers of one page: picks it from the servers that match, in the requested order.

import { countBits, hasBit } from './bits.ts'
import { asList, asSet, findMatches, type Matches } from './match.ts'
import { float64At, int32At, uint32At } from './number-at.ts'
import { type DirectoryQuery, isUnfiltered, makePlan, type Plan } from './plan.ts'
import type { Snapshot } from './snapshot.ts'
import { isRandom, type KeysetPosition, type SortKey, type SortOrder } from './sort-keys.ts'
import { sortWindow } from './sort-window.ts'
import type { WordMatches } from './word-index.ts'

export interface Found {
  slots: Uint32Array | number[]
  /** Matches on all pages. */
  total: number
  /** The position of the last of `slots`; undefined if no matches follow. */
  next: KeysetPosition | undefined
  /** Words of `q` that are not searched, because they would cost too much. */
  ignoredWords?: readonly string[]
}

/**
 * A page within an order: the matches from index `from` to before `to`, counted after the position
 * `after` if there is one.
 */
interface Window {
  sortBy: SortKey
  sortOrder: SortOrder
  after: KeysetPosition | undefined
  from: number
  to: number
}

const NONE_FOUND: Found = { slots: [], total: 0, next: undefined }
// Ranking a match costs about as much as skipping this many servers in the order.
const STEPS_PER_RANK = 4
// Up to this many leading matches, keeping the lowest ranks while reading all is cheaper than sorting them.
const MAX_LOWEST_RANKS = 256

export function findServers(snapshot: Snapshot, query: DirectoryQuery): Found {
  const plan = makePlan(snapshot, query)
  return plan ? { ...findPage(snapshot, query, plan), ignoredWords: plan.ignoredWords } : NONE_FOUND
}

function findPage(snapshot: Snapshot, query: DirectoryQuery, plan: Plan): Found {
  if (isUnfiltered(plan) && !isRandom(query.sortBy)) return pageOfAll(snapshot, query)
  const matches = findMatches(snapshot, plan)
  if (plan.tiers) return pickByRelevance(snapshot, query, asSet(snapshot, matches), plan.tiers)
  return pick(snapshot, windowOf(query, matches.total), matches)
}

/** All servers, or a set in the snapshot's workspace. */
export type Matching = 'all' | Int32Array

export function findMatching(snapshot: Snapshot, query: DirectoryQuery): Matching {
  const plan = makePlan(snapshot, query)
  if (!plan) return new Int32Array(0)
  return isUnfiltered(plan) ? 'all' : asSet(snapshot, findMatches(snapshot, plan))
}

const pick = (snapshot: Snapshot, window: Window, matches: Matches): Found =>
  isWalkCheaper(snapshot, window, matches.total)
    ? pickByWalk(snapshot, window, asSet(snapshot, matches), matches.total)
    : pickByRank(snapshot, window, asList(snapshot, matches))

/** Whether walking the order to the page's end, skipping non-matches, is cheaper than ranking all matches. */
function isWalkCheaper(snapshot: Snapshot, window: Window, total: number): boolean {
  if (isRandom(window.sortBy)) return false // each visitor has another, which is not worth keeping
  const steps = (window.to / total) * snapshot.taken.size
  return steps < total * STEPS_PER_RANK
}

function pageOfAll(snapshot: Snapshot, query: DirectoryQuery): Found {
  const { sortBy, sortOrder, after, limit } = query
  const all = snapshot.orders.sorted(sortBy, sortOrder)
  const total = all.length
  const from = after ? snapshot.orders.indexAfter(sortBy, sortOrder, after) : windowOf(query, total).from
  const slots = all.subarray(from, from + limit)
  return { slots, total, next: positionAfter(snapshot, sortBy, slots, from + limit < total) }
}

function windowOf({ page = 1, limit, sortBy, sortOrder, after }: DirectoryQuery, total: number): Window {
  const from = Math.min((page - 1) * limit, total)
  return { sortBy, sortOrder, after, from, to: Math.min(from + limit, total) }
}

function positionAfter({ orders }: Snapshot, sortBy: SortKey, slots: ArrayLike<number>, hasMore: boolean) {
  const last = slots[slots.length - 1]
  return hasMore && last !== undefined ? orders.keysetPosition(sortBy, last) : undefined
}

function pickByWalk(snapshot: Snapshot, window: Window, matches: Int32Array, total: number): Found {
  const { sortBy, sortOrder, after, from, to } = window
  const slots: number[] = []
  const found = (hasMore: boolean) => ({ slots, total, next: positionAfter(snapshot, sortBy, slots, hasMore) })
  if (from === to) return found(false)
  const order = snapshot.orders.sorted(sortBy, sortOrder)
  let position = 0
  let at = after ? snapshot.orders.indexAfter(sortBy, sortOrder, after) : 0
  for (; position < to && at < order.length; at++) {
    const slot = uint32At(order, at)
    if (!hasBit(matches, slot)) continue
    if (position >= from) slots.push(slot)
    position++
  }
  if (!after) return found(to < total)
  for (; at < order.length; at++) {
    const slot = uint32At(order, at)
    if (hasBit(matches, slot)) return found(true)
  }
  return found(false)
}

function pickByRank(snapshot: Snapshot, window: Window, matches: Uint32Array): Found {
  const { sortBy, sortOrder, after, from } = window
  const total = matches.length
  const left = after ? keepAfter(snapshot, window, after, matches) : total
  const to = Math.min(window.to, left)
  if (from >= to) return { slots: [], total, next: undefined }
  const { rank, slotOf } = snapshot.orders.ranking(sortBy, sortOrder)
  const ranked = matches.subarray(0, left)
  const ranks =
    to <= MAX_LOWEST_RANKS
      ? lowestRanks(ranked, to, rank).subarray(from)
      : sortWindow(Float64Array.from(ranked, rank), from, to)
  const slots = Array.from(ranks, slotOf)
  return { slots, total, next: positionAfter(snapshot, sortBy, slots, to < left) }
}

/** Moves the slots after the position to the front. @returns how many there are */
function keepAfter(
  { orders }: Snapshot,
  { sortBy, sortOrder }: Window,
  position: KeysetPosition,
  slots: Uint32Array,
): number {
  let kept = 0
  for (const slot of slots) if (orders.isAfter(sortBy, sortOrder, slot, position)) slots[kept++] = slot
  return kept
}

// A position in the order by relevance is a position in a tier's order, with tier * TIER_STRIDE added to its value.
// Values are below TIER_STRIDE.
const TIER_STRIDE = 2 ** 32

/** Picks the page tier by tier, each in the query's order. */
function pickByRelevance(
  snapshot: Snapshot,
  query: DirectoryQuery,
  matches: Int32Array,
  tiers: WordMatches['tiers'],
): Found {
  const total = countBits(matches)
  const unpicked = matches.slice()
  const inTier = matches // from here on its memory has the members of one tier at a time
  const { sortBy, sortOrder, after, limit } = query
  const start = after ? Math.floor(Number(after.value) / TIER_STRIDE) : 0
  const slots: number[] = []
  let skipped = after ? 0 : windowOf(query, total).from
  let next: KeysetPosition | undefined
  for (const [tier, set] of tiers.entries()) {
    if (!set) continue
    const count = takeTier(unpicked, set, inTier)
    if (count === 0 || tier < start) continue
    if (slots.length === limit) return { slots, total, next } // the page before this tier
    const position =
      after && tier === start ? { ...after, value: Number(after.value) - start * TIER_STRIDE } : undefined
    const to = Math.min(skipped + limit - slots.length, count)
    const window = { sortBy, sortOrder, after: position, from: Math.min(skipped, count), to }
    const found = pick(snapshot, window, { set: inTier, total: count })
    slots.push(...found.slots)
    skipped -= window.from
    const last = positionAfter(snapshot, sortBy, found.slots, true)
    if (last) next = { ...last, value: Number(last.value) + tier * TIER_STRIDE }
    if (found.next) return { slots, total, next }
  }
  return { slots, total, next: undefined }
}

/** Moves the members of a tier from `unpicked` to `target`. @returns how many there are */
function takeTier(unpicked: Int32Array, tier: Int32Array, target: Int32Array): number {
  for (let word = 0; word < unpicked.length; word++) {
    target[word] = int32At(unpicked, word) & int32At(tier, word)
    unpicked[word] = int32At(unpicked, word) & ~int32At(tier, word)
  }
  return countBits(target)
}

/** @returns the `wanted` lowest ranks, ascending */
function lowestRanks(slots: Uint32Array, wanted: number, rank: (slot: number) => number): Float64Array {
  const lowest = new Float64Array(wanted + 1)
  let filled = 0
  for (let i = 0; i < slots.length; i++) {
    const candidate = rank(uint32At(slots, i))
    if (filled === wanted && candidate > float64At(lowest, wanted - 1)) continue
    let at = filled
    for (; at > 0 && float64At(lowest, at - 1) > candidate; at--) lowest[at] = float64At(lowest, at - 1)
    lowest[at] = candidate
    if (filled < wanted) filled++
  }
  return lowest.subarray(0, filled)
}
