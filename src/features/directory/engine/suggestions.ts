// Suggestions for a partial name: names that start with it, then names with a word that does, then names that contain
// it.

import { fold } from '../../../platform/fold-text.ts'
import { hasBit, intersectionOf } from './bits.ts'
import { uint32At } from './number-at.ts'
import type { Posting } from './posting.ts'
import type { Snapshot } from './snapshot.ts'

/**
 * @param text the input, not empty
 * @returns slots, best first, at most `limit`; each of the three kinds in the default order of lists
 */
export function suggest(snapshot: Snapshot, text: string, limit: number): number[] {
  const term = fold(text)
  const holding = snapshot.names.find(term)?.postings
  if (!holding) return []
  const found = new Set<number>()
  // If few names contain the term, all are checked; if many do, each kind is narrowed down before
  // its names are checked.
  const few = holding.some(({ list }) => list) ? inOrder(snapshot, holding) : undefined
  const add = (narrower: Posting | undefined, fits: (name: string) => boolean) => {
    if (narrower && found.size < limit)
      addBest(snapshot, few ?? inOrder(snapshot, [narrower, ...holding]), fits, limit, found)
  }
  add(snapshot.names.startingLike(term), (name) => name.startsWith(term))
  add(snapshot.names.withWordLike(term), (name) => beginsWord(name, term))
  add(snapshot.taken, (name) => name.includes(term))
  return [...found]
}

/** Adds candidates whose names match, until `found` has `limit`. */
function addBest(
  { names }: Snapshot,
  { slots, within }: Candidates,
  fits: (name: string) => boolean,
  limit: number,
  found: Set<number>,
): void {
  for (let at = 0; found.size < limit && at < slots.length; at++) {
    const slot = uint32At(slots, at)
    if (within && !hasBit(within, slot)) continue
    if (!found.has(slot) && fits(names.at(slot))) found.add(slot)
  }
}

/** Servers in default order: those of `slots` that are in `within`; undefined: all of `slots`. */
interface Candidates {
  slots: Uint32Array
  within: Int32Array | undefined
}

/** @returns the servers that are in all postings, and possibly others */
function inOrder({ orders }: Snapshot, postings: readonly Posting[]): Candidates {
  const sets = postings.flatMap(({ bits }) => (bits ? [bits] : []))
  const [shortest] = postings.flatMap(({ list, size }) => (list ? [list.subarray(0, size)] : [])).sort(byLength)
  if (shortest) {
    // A short list is ranked directly.
    const { rank, slotOf } = orders.ranking('totalVotes', 'desc')
    const slots = shortest.filter((slot) => sets.every((set) => hasBit(set, slot)))
    return { slots: Uint32Array.from(Float64Array.from(slots, rank).sort(), slotOf), within: undefined }
  }
  // Long ones are found while walking the maintained order, which mostly ends early.
  return { slots: orders.sorted('totalVotes', 'desc'), within: intersectionOf(sets) }
}

const byLength = (a: Uint32Array, b: Uint32Array) => a.length - b.length

/** Whether a word of the text starts with the term. */
function beginsWord(text: string, term: string): boolean {
  for (let at = text.indexOf(term); at !== -1; at = text.indexOf(term, at + 1)) if (isWordStart(text, at)) return true
  return false
}

/** Whether a word starts here: a letter or digit after another character. */
const isWordStart = (text: string, at: number): boolean => isOfWord(text, at) && (at === 0 || !isOfWord(text, at - 1))

const LETTER_OR_DIGIT = /[\p{L}\p{N}\p{M}]/u

/** Whether the character of this code unit is a letter, a digit, or a combining mark. */
function isOfWord(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  if (unit < 128) return (unit >= 97 && unit <= 122) || (unit >= 48 && unit <= 57) // folded: no capitals
  const isSecondHalf = unit >= 0xdc00 && unit <= 0xdfff
  return LETTER_OR_DIGIT.test(String.fromCodePoint(text.codePointAt(isSecondHalf && at > 0 ? at - 1 : at) ?? unit))
}
