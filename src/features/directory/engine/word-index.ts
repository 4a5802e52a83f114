// Finds servers by words in any order, with beginnings of words and typos; best first: in the name, then in tags, mods and
// map, then in the description.
import { countBits, type Posting, setBit } from './posting.ts'
import type { Searchable } from './records.ts'
import { wordsOf, wordsOfLabels } from './search-words.ts'
import { createSlotLists } from './slot-lists.ts'
import { createVocabulary } from './vocabulary.ts'

/** Where a word is. `labels` are tags and mods. */
export type WordField = 'name' | 'labels' | 'map' | 'description'

export interface WordMatches {
  /** The servers that have all words. */
  all: Posting
  /** From the best tier, 0, to the worst. A server is of the first tier whose set has it. */
  tiers: Int32Array[]
}

const FIELDS: Record<WordField, number> = { name: 0, labels: 1, map: 2, description: 3 }
/** Levels of the fields, by number: a word in the name is better than one in tags, mods or map. */
const LEVELS = [0, 1, 1, 2]
/** Shorter words have so many neighbors that a typo would find anything. */
const TYPO_FROM_LENGTH = 5

export type WordIndex = ReturnType<typeof createWordIndex>

export function createWordIndex(slotsEnd: () => number) {
  const vocabulary = createVocabulary()
  const occurrences = createSlotLists()
  // Working memory of queries, which run synchronously. By level: servers that have a word exactly or as a beginning, and
  // those that have it with a typo.
  let exact: Int32Array[] = []
  let misspelled: Int32Array[] = []
  let tiers: Int32Array[] = []

  function prepare(): void {
    const words = (slotsEnd() >>> 5) + 1
    const sets = (count: number) => Array.from({ length: count }, () => new Int32Array(Math.ceil(words * 1.25)))
    if ((tiers[0]?.length ?? 0) < words) [exact, misspelled, tiers] = [sets(3), sets(3), sets(6)]
    for (const set of tiers) set.fill(-1)
  }

  /** Stores the servers that have the word. @param isLast the last word may be incomplete as well as misspelled */
  function findWord(word: string, isLast: boolean): void {
    const into = (sets: Int32Array[]) => {
      for (const set of sets) set.fill(0)
      return (number: number) => {
        const values = occurrences.valuesOf(number)
        for (let i = 0; i < values.length; i++) {
          const value = values[i] ?? 0
          setBit(setAt(sets, LEVELS[value & 3] ?? 0), value >>> 2)
        }
      }
    }
    vocabulary.beginningWith(word, into(exact))
    const visit = into(misspelled)
    if (word.length >= TYPO_FROM_LENGTH) vocabulary.misspelled(word, isLast, visit)
  }

  /** Narrows the tiers to the servers that have the word of `findWord` in them. @returns whether any is left */
  function narrow(): boolean {
    for (const level of [0, 1, 2]) {
      const [found, withTypo, before] = [setAt(exact, level), setAt(misspelled, level), level - 1]
      if (before >= 0) unite(found, setAt(exact, before))
      if (before >= 0) unite(withTypo, setAt(misspelled, before))
      unite(withTypo, found)
      intersect(setAt(tiers, 2 * level), found)
      intersect(setAt(tiers, 2 * level + 1), withTypo)
    }
    return setAt(tiers, 5).some((word) => word !== 0)
  }

  return {
    /** Replaces the words of a slot's field. */
    set(slot: number, field: WordField, before: ReadonlySet<string>, after: ReadonlySet<string>): void {
      const value = slot * 4 + FIELDS[field]
      for (const word of before) {
        if (after.has(word)) continue
        const number = vocabulary.numberOf(word)
        if (number !== undefined && occurrences.remove(number, value)) vocabulary.remove(word)
      }
      for (const word of after) if (!before.has(word)) occurrences.add(vocabulary.add(word), value)
    },
    /**
     * @param text the query
     * @returns undefined if it has no words, so that every server matches; valid until the next call
     */
    find(text: string): WordMatches | undefined {
      const words = [...wordsOf(text)]
      if (words.length === 0) return undefined
      prepare()
      for (const [n, word] of words.entries()) {
        findWord(word, n === words.length - 1)
        if (!narrow()) break
      }
      const bits = setAt(tiers, 5)
      return { all: { size: countBits(bits, bits.length), bits, list: undefined }, tiers }
    },
  }
}

const setAt = (sets: Int32Array[], index: number): Int32Array => sets[index] as Int32Array

function unite(target: Int32Array, other: Int32Array): void {
  for (let word = 0; word < target.length; word++) target[word] = (target[word] ?? 0) | (other[word] ?? 0)
}

function intersect(target: Int32Array, other: Int32Array): void {
  for (let word = 0; word < target.length; word++) target[word] = (target[word] ?? 0) & (other[word] ?? 0)
}

/** Replaces the words of an owner's texts; undefined: none. Splits only texts that changed. */
export function replaceTexts(
  words: WordIndex,
  slot: number,
  before: Searchable | undefined,
  after: Searchable | undefined,
): void {
  const change = (
    field: WordField,
    split: (text: string) => ReadonlySet<string>,
    textOf: (texts: Searchable) => string,
  ) => {
    const [old, text] = [before ? textOf(before) : '', after ? textOf(after) : '']
    if (old !== text) words.set(slot, field, split(old), split(text))
  }
  change('name', wordsOf, (texts) => texts.name)
  change('labels', wordsOfLabels, ({ tags, mods }) => `${tags},${mods}`)
  change('description', wordsOf, (texts) => texts.description)
}
