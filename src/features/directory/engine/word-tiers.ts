// What is left of a search by words: the servers that have all words so far, in tiers from the best match to the worst.
// One working memory, because queries run synchronously.

import { countBits, keepCommonBits, uniteBits, wordsFor } from './bits.ts'
import { int32At } from './number-at.ts'
import { copyBits, type Posting } from './posting.ts'
import type { Interpretation } from './query-interpretation.ts'

/** Sets of servers by level: name, labels and map, description. */
export type Levels = [Int32Array, Int32Array, Int32Array]
/** Sets of servers by level, each without typos and with them. */
type Tiers = [Int32Array, Int32Array, Int32Array, Int32Array, Int32Array, Int32Array]

/**
 * `sure`, only words, and `likely`, by number; undefined: the query has no such interpretation. Each has, for each of
 * three levels, a tier without typos and one with typos.
 */
type Numbered = readonly (Interpretation | undefined)[]
const MAX_INTERPRETATIONS = 3
const TIERS_OF_INTERPRETATION = 6
const NO_TIERS: undefined[] = new Array(TIERS_OF_INTERPRETATION).fill(undefined)

export function createWordTiers() {
  let exact = createSets(0, 3) as Levels
  let misspelled = createSets(0, 3) as Levels
  /** The tiers of each interpretation, best first. */
  let tiers: Int32Array[] = []
  /** The servers of any interpretation. */
  let united: Int32Array = new Int32Array(0)

  function growTo(words: number): void {
    if (united.length >= words) return
    const size = Math.ceil(words * 1.25)
    exact = createSets(size, 3) as Levels
    misspelled = createSets(size, 3) as Levels
    tiers = createSets(size, MAX_INTERPRETATIONS * TIERS_OF_INTERPRETATION)
    united = new Int32Array(size)
  }

  const tiersOf = (interpretation: number) =>
    tiers.slice(interpretation * TIERS_OF_INTERPRETATION, (interpretation + 1) * TIERS_OF_INTERPRETATION) as Tiers

  /** The interpretation's last tier, which includes the others. */
  const widestOf = (interpretation: number) =>
    setAt(tiers, interpretation * TIERS_OF_INTERPRETATION + TIERS_OF_INTERPRETATION - 1)

  return {
    /**
     * Begins a search: every tier of an interpretation has the servers with everything that the interpretation names.
     */
    begin(interpretations: Numbered, slotsEnd: number): void {
      growTo(wordsFor(slotsEnd))
      for (const [n, interpretation] of interpretations.entries()) {
        if (!interpretation) continue
        const [first, ...others] = tiersOf(n)
        first.fill(-1)
        for (const posting of interpretation.postings) keepCommonBits(first, copyBits(posting, first.length))
        for (const tier of others) tier.set(first)
      }
    },
    /** To be filled before `narrow`: by level, the servers with the word itself or a word that begins with it. */
    exact: () => exact,
    /** To be filled before `narrow`: by level, the servers with the word if it has a typo. */
    misspelled: () => misspelled,
    /**
     * Narrows the tiers of an interpretation to the servers that have the word. A level includes the better
     * levels; a tier with typos includes the one without. One pass, because each pass over this many sets costs as
     * much as finding the word.
     * @returns whether a server is left
     */
    narrow(interpretation: number): boolean {
      const [inName, inLabels, inDescription] = exact
      const [likeInName, likeInLabels, likeInDescription] = misspelled
      const [name, likeName, labels, likeLabels, description, likeDescription] = tiersOf(interpretation)
      let left = 0
      for (let at = 0; at < name.length; at++) {
        let bits = int32At(inName, at)
        let like = bits | int32At(likeInName, at)
        name[at] = bits & int32At(name, at)
        likeName[at] = like & int32At(likeName, at)
        bits |= int32At(inLabels, at)
        like |= bits | int32At(likeInLabels, at)
        labels[at] = bits & int32At(labels, at)
        likeLabels[at] = like & int32At(likeLabels, at)
        bits |= int32At(inDescription, at)
        like |= bits | int32At(likeInDescription, at)
        description[at] = bits & int32At(description, at)
        like &= int32At(likeDescription, at)
        likeDescription[at] = like
        left |= like
      }
      return left !== 0
    },
    hasServers: (interpretation: number): boolean => widestOf(interpretation).some((bits) => bits !== 0),
    /**
     * The servers of the interpretations, and their tiers; valid until the next search begins. Those of an
     * interpretation that the query does not have are undefined, so that a tier's number is the same in every search.
     */
    results(interpretations: Numbered): { all: Posting; tiers: (Int32Array | undefined)[] } {
      united.fill(0)
      interpretations.forEach((interpretation, n) => {
        if (interpretation) uniteBits(united, widestOf(n))
      })
      return {
        all: { size: countBits(united), bits: united, list: undefined },
        tiers: interpretations.flatMap((interpretation, n) => (interpretation ? tiersOf(n) : NO_TIERS)),
      }
    },
  }
}

const createSets = (size: number, count: number) => Array.from({ length: count }, () => new Int32Array(size))
const setAt = (sets: Int32Array[], index: number): Int32Array => sets[index] as Int32Array
