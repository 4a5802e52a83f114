// Substring search in folded names: for each run of two or three characters, the servers whose names contain it.
import { LRUCache } from 'lru-cache'
import { countBits, intersectionOf, listBits } from './bits.ts'
import { addSlot, createPosting, type Posting, removeSlot, unionOf } from './posting.ts'

// Ten bits per character pack three of them into a small integer. Characters below 512 have their own code; the rest
// share codes, which lets a few false matches through to the verification that follows.
const EXACT_BELOW = 512
const code = (text: string, at: number): number => {
  const unit = text.charCodeAt(at)
  return unit < EXACT_BELOW ? unit : EXACT_BELOW + (unit % 509)
}
/** Marks the start of a name in its first pair; no text of the database has this character. */
const START = 0
/** Whether a word may start after this character. */
const endsWord = (before: number) =>
  before >= 128 || !((before >= 97 && before <= 122) || (before >= 48 && before <= 57))
const pairOf = (first: number, second: number) => (first << 10) | second
// The few rarest runs of a long term narrow the candidates as far as it pays.
const RUNS_INTERSECTED = 4
// A repeated term with more candidates than this is cached with its matches, which are kept up to date with every name
// that changes: people search for the same few words, and turn pages.
const REMEMBERED_FROM = 1000
const REMEMBERED_TERMS = 128

export function createTextIndex() {
  const folded: string[] = []
  const remembered = new LRUCache<string, Posting>({ max: REMEMBERED_TERMS })
  const asked = new LRUCache<string, 'once' | 'has few candidates'>({ max: 8 * REMEMBERED_TERMS })
  const pairs = new Map<number, Posting>()
  const triples = new Map<number, Posting>()

  function forEachRun(name: string, visit: (runs: Map<number, Posting>, run: number) => void): void {
    let before = START
    let last = START
    for (let at = 0; at < name.length; at++) {
      const now = code(name, at)
      visit(pairs, pairOf(last, now))
      if (at > 1) visit(triples, (before << 20) | pairOf(last, now))
      before = last
      last = now
    }
  }

  /** The servers with a pair that ends with the term's first character and whose own first character is wanted. */
  function after(isWanted: (first: number) => boolean, term: string): Posting | undefined {
    const second = code(term, 0)
    const wanted: Posting[] = []
    for (const [pair, posting] of pairs) if ((pair & 1023) === second && isWanted(pair >>> 10)) wanted.push(posting)
    return unionOf(wanted, folded.length)
  }

  function postingsOf(term: string): Posting[] | undefined {
    if (term === '') return undefined
    if (term.length === 1) {
      const posting = after(() => true, term)
      return posting && [posting]
    }
    const found = new Set<Posting>()
    for (let at = Math.min(2, term.length - 1); at < term.length; at++) {
      const pair = pairOf(code(term, at - 1), code(term, at))
      const posting = term.length === 2 ? pairs.get(pair) : triples.get((code(term, at - 2) << 20) | pair)
      if (!posting) return undefined
      found.add(posting)
    }
    return [...found]
  }

  function addRun(runs: Map<number, Posting>, run: number, slot: number): void {
    let posting = runs.get(run)
    if (!posting) {
      posting = createPosting()
      runs.set(run, posting)
    }
    addSlot(posting, slot)
  }

  function add(slot: number, name: string): void {
    // Not with forEachRun: a call per run would take a fifth of the time to load a large directory.
    let before = START
    let last = START
    for (let at = 0; at < name.length; at++) {
      const now = code(name, at)
      addRun(pairs, pairOf(last, now), slot)
      if (at > 1) addRun(triples, (before << 20) | pairOf(last, now), slot)
      before = last
      last = now
    }
    // Iterating an empty cache takes as long as adding two runs.
    if (remembered.size === 0) return
    for (const [term, posting] of remembered.entries()) if (name.includes(term)) addSlot(posting, slot)
  }

  function remove(slot: number, name: string): void {
    forEachRun(name, (runs, run) => {
      const posting = runs.get(run)
      if (!posting) return
      removeSlot(posting, slot)
      if (posting.size === 0) runs.delete(run)
    })
    for (const posting of remembered.values()) removeSlot(posting, slot)
  }

  /** @returns the term's matches, or undefined if it has few candidates */
  function remember(term: string, candidates: readonly Posting[]): Posting | undefined {
    const sets = candidates.flatMap(({ bits }) => (bits ? [bits] : []))
    if (sets.length < candidates.length) return undefined // a short list is quickly searched
    const common = intersectionOf(sets)
    const slots = new Uint32Array(countBits(common))
    if (slots.length < REMEMBERED_FROM) return undefined
    listBits(common, slots)
    const posting = createPosting()
    for (const slot of slots) if (folded[slot]?.includes(term)) addSlot(posting, slot)
    remembered.set(term, posting)
    return posting
  }

  return {
    /** Replaces a slot's folded name. Empty: none. */
    set(slot: number, name: string): void {
      const before = folded[slot] ?? ''
      if (name === before) return
      if (before !== '') remove(slot, before)
      add(slot, name)
      folded[slot] = name
    },
    /** @returns the slot's folded name */
    at: (slot: number) => folded[slot] ?? '',
    /**
     * @param term folded
     * @returns postings whose intersection includes every name that contains the term; `exact` if it includes no
     *   others. Undefined if no name can contain it, or if it is empty.
     */
    find(term: string): { postings: Posting[]; exact: boolean } | undefined {
      const known = remembered.get(term)
      if (known) return { postings: [known], exact: true }
      const postings = postingsOf(term)
        ?.sort((a, b) => a.size - b.size)
        .slice(0, RUNS_INTERSECTED)
      if (!postings) return undefined
      let exact = term.length <= 3
      for (let at = 0; at < term.length; at++) exact &&= term.charCodeAt(at) < EXACT_BELOW
      if (exact) return { postings, exact }
      const before = asked.get(term)
      if (before === undefined) asked.set(term, 'once')
      else if (before === 'once') {
        const matches = remember(term, postings)
        if (matches) return { postings: [matches], exact: true }
        asked.set(term, 'has few candidates')
      }
      return { postings, exact }
    },
    /** Servers whose names start with the term's first character, and possibly others. */
    startingLike: (term: string) => pairs.get(pairOf(START, code(term, 0))),
    /** Servers with a word that starts with the term's first character, and possibly others. */
    withWordLike: (term: string) => after(endsWord, term),
  }
}
