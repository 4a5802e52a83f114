// Substring search over folded names: for each run of one, two or three characters the servers whose names hold it.
import { addSlot, createPosting, type Posting, removeSlot } from './posting.ts'

export interface TextIndex {
  add(slot: number, folded: string): void
  /** @param folded the text that was added for this slot */
  remove(slot: number, folded: string): void
  /**
   * @param term folded, not empty
   * @returns postings whose common members include every name that holds the term; `exact` when they include no other.
   *   Undefined when no name can hold it.
   */
  find(term: string): { postings: Posting[]; exact: boolean } | undefined
}

// Ten bits a character keep three of them in a small integer. Characters below 512 have a code of their own; the rest
// share codes, which lets a few strangers through to the verification that follows.
const EXACT_BELOW = 512
const code = (text: string, at: number): number => {
  const unit = text.charCodeAt(at)
  return unit < EXACT_BELOW ? unit : EXACT_BELOW + (unit % 509)
}
// The rarest few runs of a long term narrow the candidates as far as it pays.
const RUNS_INTERSECTED = 4

export function createTextIndex(): TextIndex {
  const singles = new Map<number, Posting>()
  const pairs = new Map<number, Posting>()
  const triples = new Map<number, Posting>()

  function forEachRun(text: string, visit: (runs: Map<number, Posting>, run: number) => void): void {
    let before = -1
    let last = -1
    for (let at = 0; at < text.length; at++) {
      const now = code(text, at)
      visit(singles, now)
      if (last !== -1) visit(pairs, (last << 10) | now)
      if (before !== -1) visit(triples, (before << 20) | (last << 10) | now)
      before = last
      last = now
    }
  }

  function postingsOf(term: string): Posting[] | undefined {
    const runs = term.length === 1 ? singles : term.length === 2 ? pairs : triples
    const found: Posting[] = []
    let complete = true
    forEachRun(term, (kind, run) => {
      if (kind !== runs) return
      const posting = runs.get(run)
      if (!posting) complete = false
      else if (!found.includes(posting)) found.push(posting)
    })
    return complete ? found : undefined
  }

  return {
    add(slot, folded) {
      forEachRun(folded, (runs, run) => {
        let posting = runs.get(run)
        if (!posting) {
          posting = createPosting()
          runs.set(run, posting)
        }
        addSlot(posting, slot)
      })
    },
    remove(slot, folded) {
      forEachRun(folded, (runs, run) => {
        const posting = runs.get(run)
        if (!posting) return
        removeSlot(posting, slot)
        if (posting.size === 0) runs.delete(run)
      })
    },
    find(term) {
      const postings = postingsOf(term)?.sort((a, b) => a.size - b.size)
      if (!postings) return undefined
      let exact = term.length <= 3
      for (let at = 0; at < term.length; at++) exact &&= term.charCodeAt(at) < EXACT_BELOW
      return { postings: postings.slice(0, RUNS_INTERSECTED), exact }
    },
  }
}
