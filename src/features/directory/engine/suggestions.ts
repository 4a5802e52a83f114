// Suggestions for a partial name: names that start with it, then names with a word that does, then names that contain
// it.
import { fold } from './fold.ts'
import { hasBit, intersectBits, type Posting } from './posting.ts'
import type { Snapshot } from './snapshot.ts'
import { beginsWord } from './word-starts.ts'

/**
 * @param text the input, not empty
 * @returns slots, best first, at most `limit`; each of the three kinds in the default order of lists
 */
export function suggest(snapshot: Snapshot, text: string, limit: number): number[] {
  const term = fold(text)
  const holding = snapshot.names.find(term)?.postings
  if (!holding) return []
  const found = new Set<number>()
  // If few names contain it, they are examined directly; if many do, those that start with it are separated first.
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

export interface RecentVotes {
  /** The server's. */
  id: string
  votes: number
}

/** @returns those that are listed, most recent votes first, then in the default order of lists; at most `limit` */
export function mostVoted(
  { orders, slotOf }: Snapshot,
  recent: readonly RecentVotes[],
  limit: number,
): (RecentVotes & { slot: number })[] {
  const { rank } = orders.ranking('totalVotes', 'desc')
  return recent
    .flatMap(({ id, votes }) => {
      const slot = slotOf(id)
      return slot === undefined ? [] : [{ id, votes, slot, rank: rank(slot) }]
    })
    .sort((a, b) => b.votes - a.votes || a.rank - b.rank)
    .slice(0, limit)
}

/**
 * Servers with the most recent votes, then those with the most votes overall.
 * @returns slots, at most `limit`
 */
export function suggestTrending(snapshot: Snapshot, recent: readonly RecentVotes[], limit: number): number[] {
  const found = new Set(mostVoted(snapshot, recent, limit).map(({ slot }) => slot))
  const all = snapshot.orders.sorted('totalVotes', 'desc')
  for (let at = 0; found.size < limit && at < all.length; at++) found.add(all[at] ?? 0)
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
    const slot = slots[at] ?? 0
    if (within && !hasBit(within, slot)) continue
    if (!found.has(slot) && fits(names.at(slot))) found.add(slot)
  }
}

/** Servers in default order: those of `slots` that are in `within`, if that is given. */
interface Candidates {
  slots: Uint32Array
  within: Int32Array | undefined
}

/** @returns the servers that are in all postings, and possibly others */
function inOrder({ orders, slotsEnd }: Snapshot, postings: readonly Posting[]): Candidates {
  const sets = postings.flatMap(({ bits }) => (bits ? [bits] : []))
  const [shortest] = postings.flatMap(({ list, size }) => (list ? [list.subarray(0, size)] : [])).sort(byLength)
  if (shortest) {
    // Few: ranked individually.
    const { rank, slotOf } = orders.ranking('totalVotes', 'desc')
    const slots = shortest.filter((slot) => sets.every((set) => hasBit(set, slot)))
    return { slots: Uint32Array.from(Float64Array.from(slots, rank).sort(), slotOf), within: undefined }
  }
  // Many: found while walking the maintained order, which mostly ends early.
  const within = new Int32Array((slotsEnd() >>> 5) + 1)
  intersectBits(sets, within)
  return { slots: orders.sorted('totalVotes', 'desc'), within }
}

const byLength = (a: Uint32Array, b: Uint32Array) => a.length - b.length
