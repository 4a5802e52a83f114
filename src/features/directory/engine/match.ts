// Finds the servers that match a plan: intersects the sets of its filters, then checks the conditions that have no set.
import { addSlots, countBits, hasBit, keepCommonBits, listBits, wordsFor } from './bits.ts'
import { int32At, numberAt, uint32At } from './number-at.ts'
import type { Plan, Range } from './plan.ts'
import { addMembers, membersOf, type Posting } from './posting.ts'
import type { Snapshot } from './snapshot.ts'
import { growWorkspace, type Workspace } from './workspace.ts'

/**
 * The servers that match, in the snapshot's workspace: as a set, or as a list if a filter leaves few or names are
 * checked.
 */
export type Matches = { total: number; set: Int32Array } | { total: number; list: Uint32Array }

export function findMatches(snapshot: Snapshot, { postings, ranges, terms }: Plan): Matches {
  const { workspace, taken } = snapshot
  growWorkspace(workspace, snapshot.slotsEnd())
  const [smallest = taken, ...others] = postings.toSorted((a, b) => a.size - b.size)
  if (smallest.list) {
    const candidates = listCommon(snapshot, smallest, others)
    const list = keepNamed(snapshot, keepListedInRanges(candidates, ranges), terms)
    return { total: list.length, list }
  }
  const set = intersect(snapshot, smallest, others)
  ranges.forEach((range) => {
    keepInRange(set, range)
  })
  if (terms.length === 0) return { total: countBits(set), set }
  const list = keepNamed(snapshot, listOf(workspace, set), terms)
  return { total: list.length, list }
}

export function asSet({ workspace, slotsEnd }: Snapshot, matches: Matches): Int32Array {
  if ('set' in matches) return matches.set
  const set = workspace.bits.subarray(0, wordsFor(slotsEnd())).fill(0)
  addSlots(set, matches.list, 0, matches.list.length)
  return set
}

export const asList = ({ workspace }: Snapshot, matches: Matches): Uint32Array =>
  'list' in matches ? matches.list : listOf(workspace, matches.set)

/** @returns the set's members, in the workspace's list */
export const listOf = ({ slots }: Workspace, set: Int32Array): Uint32Array => slots.subarray(0, listBits(set, slots))

// Loops over sets and lists run inside `forEach` and `reduce`, not `for…of`, which takes twice as long (number-at.ts).

/** @returns the slots that are in all of them, in the workspace's set */
function intersect(snapshot: Snapshot, smallest: Posting, others: readonly Posting[]): Int32Array {
  const { bits, otherBits } = snapshot.workspace
  const common = bits.subarray(0, wordsFor(snapshot.slotsEnd()))
  writeMembers(common, smallest)
  others.forEach((posting) => {
    keepCommonBits(common, posting.bits ?? writeMembers(otherBits, posting))
  })
  return common
}

/** @param smallest a list: it has fewer slots than a set has words. @returns the slots that are in all of them */
function listCommon({ workspace }: Snapshot, smallest: Posting, others: readonly Posting[]): Uint32Array {
  const { slots, otherBits } = workspace
  slots.set(membersOf(smallest))
  return others.reduce(
    (left, posting) => keepMembers(left, posting.bits ?? writeMembers(otherBits, posting)),
    slots.subarray(0, smallest.size),
  )
}

/** Replaces the set's members by those of the posting. */
function writeMembers(set: Int32Array, posting: Posting): Int32Array {
  set.fill(0)
  addMembers(set, posting)
  return set
}

// A loop over the words, because a call for each server would cost several times the check. It has no branch that
// depends on the value: processors would mispredict it for half of the servers, which takes four times as long.
function keepInRange(set: Int32Array, { values, min, max }: Range): void {
  for (let word = 0; word < set.length; word++) {
    let unchecked = int32At(set, word)
    let kept = 0
    while (unchecked !== 0) {
      const lowest = unchecked & -unchecked
      const value = numberAt(values, (word << 5) + 31 - Math.clz32(lowest))
      const isInRange = Number(value >= min) & Number(value <= max)
      kept |= lowest & -isInRange
      unchecked ^= lowest
    }
    set[word] = kept
  }
}

// These move the slots that pass a check to the front, and return those.

function keepMembers(slots: Uint32Array, set: Int32Array): Uint32Array {
  let kept = 0
  for (let i = 0; i < slots.length; i++) {
    const slot = uint32At(slots, i)
    if (hasBit(set, slot)) slots[kept++] = slot
  }
  return slots.subarray(0, kept)
}

const keepListedInRanges = (slots: Uint32Array, ranges: readonly Range[]): Uint32Array =>
  ranges.reduce((left, { values, min, max }) => {
    let kept = 0
    for (let i = 0; i < left.length; i++) {
      const slot = uint32At(left, i)
      const value = numberAt(values, slot)
      if (value >= min && value <= max) left[kept++] = slot
    }
    return left.subarray(0, kept)
  }, slots)

const keepNamed = ({ names }: Snapshot, slots: Uint32Array, terms: readonly string[]): Uint32Array =>
  terms.reduce((left, term) => {
    let kept = 0
    for (let i = 0; i < left.length; i++) {
      const slot = uint32At(left, i)
      if (names.at(slot).includes(term)) left[kept++] = slot
    }
    return left.subarray(0, kept)
  }, slots)
