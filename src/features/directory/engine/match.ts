// Finds the servers that match a plan: intersects the sets of its filters, then checks the conditions that have no set.
import { int32At, numberAt, uint32At } from './number-at.ts'
import { needsChecks, type Plan, type Range } from './plan.ts'
import { addSlots, countBits, hasBit, intersectBits, listBits, type Posting } from './posting.ts'
import type { Snapshot } from './snapshot.ts'
import { growWorkspace, type Workspace } from './workspace.ts'

/** The members are set bits of the first `words` words. */
export interface SlotSet {
  bits: Int32Array
  words: number
}

/**
 * The servers that match, as a set or as a list, depending on how they were found. The snapshot's workspace holds both.
 */
export type Matches = { total: number; set: SlotSet } | { total: number; list: Uint32Array }

export function findMatches(snapshot: Snapshot, plan: Plan): Matches {
  const { workspace } = snapshot
  growWorkspace(workspace, snapshot.slotsEnd())
  const postings = plan.postings.length === 0 ? [snapshot.taken] : plan.postings.sort((a, b) => a.size - b.size)
  const shortest = postings.find((posting) => posting.list)
  if (!shortest && !needsChecks(plan)) {
    const set = intersect(workspace, postings)
    return { total: countBits(set.bits, set.words), set }
  }
  const candidates = shortest
    ? listCommon(workspace, shortest, postings)
    : listOf(workspace, intersect(workspace, postings))
  const list = keepChecked(snapshot, candidates, plan)
  return { total: list.length, list }
}

export function asSet({ workspace, slotsEnd }: Snapshot, matches: Matches): SlotSet {
  if ('set' in matches) return matches.set
  const { bits } = workspace
  const { list } = matches
  bits.fill(0)
  addSlots(bits, list, 0, list.length)
  return { bits, words: Math.min(bits.length, (slotsEnd() >>> 5) + 1) }
}

export const asList = ({ workspace }: Snapshot, matches: Matches): Uint32Array =>
  'set' in matches ? listOf(workspace, matches.set) : matches.list

/** @returns the set's members, in the workspace's list */
export const listOf = ({ slots }: Workspace, { bits, words }: SlotSet): Uint32Array =>
  slots.subarray(0, listBits(bits, words, slots))

/** The slots that are in every bitset, in the workspace's set. */
function intersect({ bits }: Workspace, postings: readonly Posting[]): SlotSet {
  const sets = postings.flatMap((posting) => (posting.bits ? [posting.bits] : []))
  return { bits, words: intersectBits(sets, bits) }
}

/** The slots that are in every posting, in the workspace's list. */
function listCommon({ bits, slots }: Workspace, shortest: Posting, postings: readonly Posting[]): Uint32Array {
  if (shortest.list) slots.set(shortest.list.subarray(0, shortest.size))
  const others = postings.filter((posting) => posting !== shortest)
  const count = others.reduce((left, posting) => keepIn(setOf(posting, bits), slots, left), shortest.size)
  return slots.subarray(0, count)
}

/** The posting's members as a bitset; those of a list are written to `target`. */
function setOf({ bits, list, size }: Posting, target: Int32Array): Int32Array {
  if (bits) return bits
  target.fill(0)
  if (list) addSlots(target, list, 0, size)
  return target
}

/** Moves the slots that pass the plan's checks to the front. @returns these */
function keepChecked(snapshot: Snapshot, slots: Uint32Array, { ranges, hasFreeSlots, terms }: Plan): Uint32Array {
  let count = ranges.reduce((left, range) => keepInRange(slots, left, range), slots.length)
  if (hasFreeSlots) count = keepNotFull(snapshot, slots, count)
  count = terms.reduce((left, term) => keepNamed(snapshot, slots, left, term), count)
  return slots.subarray(0, count)
}

// Each check looks at the first `count` slots, moves those that pass to the front, and returns how many there are. Each
// is a separate loop over plain arrays: a call per server would cost several times the check.

function keepIn(set: Int32Array, slots: Uint32Array, count: number): number {
  let kept = 0
  for (let i = 0; i < count; i++) {
    const slot = uint32At(slots, i)
    if (hasBit(set, slot)) slots[kept++] = slot
  }
  return kept
}

function keepInRange(slots: Uint32Array, count: number, { values, min, max }: Range): number {
  let kept = 0
  for (let i = 0; i < count; i++) {
    const slot = uint32At(slots, i)
    const value = numberAt(values, slot)
    if (value >= min && value <= max) slots[kept++] = slot
  }
  return kept
}

function keepNotFull({ columns }: Snapshot, slots: Uint32Array, count: number): number {
  const { currentPlayers, maxPlayers } = columns
  let kept = 0
  for (let i = 0; i < count; i++) {
    const slot = uint32At(slots, i)
    if (int32At(currentPlayers, slot) < int32At(maxPlayers, slot)) slots[kept++] = slot
  }
  return kept
}

function keepNamed({ names }: Snapshot, slots: Uint32Array, count: number, term: string): number {
  let kept = 0
  for (let i = 0; i < count; i++) {
    const slot = uint32At(slots, i)
    if (names.at(slot).includes(term)) slots[kept++] = slot
  }
  return kept
}
