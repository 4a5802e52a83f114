// Finds the servers that match a plan: intersects the sets of its filters, then checks the conditions that have no set.
import { clearBit, keepCommonBits, listBits, wordsFor } from './bits.ts'
import { int32At, numberAt } from './number-at.ts'
import type { Plan, Range } from './plan.ts'
import { addMembers, type Posting } from './posting.ts'
import type { Snapshot } from './snapshot.ts'
import { growWorkspace, type Workspace } from './workspace.ts'

/** @returns a set in the snapshot's workspace */
export function findMatches(snapshot: Snapshot, plan: Plan): Int32Array {
  const { workspace, taken } = snapshot
  growWorkspace(workspace, snapshot.slotsEnd())
  const postings = plan.postings.length === 0 ? [taken] : plan.postings
  const matches = intersect(workspace, postings, wordsFor(snapshot.slotsEnd()))
  for (const range of plan.ranges) keepInRange(matches, range)
  for (const term of plan.terms) keepNamed(snapshot, matches, term)
  return matches
}

/** @returns the set's members, in the workspace's list */
export const listOf = ({ slots }: Workspace, set: Int32Array): Uint32Array => slots.subarray(0, listBits(set, slots))

/** @returns the slots that are in every posting, in the workspace's set */
function intersect({ bits, otherBits }: Workspace, [first, ...others]: readonly Posting[], words: number): Int32Array {
  const common = bits.subarray(0, words)
  const other = otherBits.subarray(0, words)
  if (first) writeMembers(common, first)
  for (const posting of others) keepCommonBits(common, posting.bits ?? writeMembers(other, posting))
  return common
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

function keepNamed({ names, workspace }: Snapshot, set: Int32Array, term: string): void {
  for (const slot of listOf(workspace, set)) if (!names.at(slot).includes(term)) clearBit(set, slot)
}
