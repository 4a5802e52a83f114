// Finds servers by words in any order, by beginnings of words, and in spite of typos. The best come first: servers
// that have what the words name (a game, a country), then those with the words in the name, then in tags, mods and
// map, then in the description.
import type { Posting } from './posting.ts'
import type { Interpretation, Interpretations } from './query-interpretation.ts'
import type { Searchable } from './records.ts'
import { MAX_WORDS, wordsAndSymbolsOf, wordsOf, wordsOfLabels } from './search-words.ts'
import { createSlotSets, type SlotSets } from './slot-sets.ts'
import { createVocabulary } from './vocabulary.ts'
import { createWordTiers, type Levels } from './word-tiers.ts'

/** The field that a word is in. `labels` are tags and mods. */
export type WordField = 'name' | 'labels' | 'map' | 'description'

export interface WordMatches {
  /** The servers that have all words but the ignored ones. */
  all: Posting
  /**
   * The set of each tier, from the best tier, 0, to the worst; undefined: the query has no such tier now. A server
   * belongs to the first tier whose set has it.
   */
  tiers: (Int32Array | undefined)[]
  /** The query's words that would have cost too much, folded. */
  ignored: string[]
}

/** A word of a query, and the words of the directory that match it, by their numbers. */
interface Sought {
  word: string
  exact: readonly number[]
  misspelled: readonly number[]
  /** How many steps it takes to collect their occurrences. */
  steps: number
}

/** A word in the name is better than one in tags, mods or map, and these are better than the description. */
const LEVELS: Record<WordField, 0 | 1 | 2> = { name: 0, labels: 1, map: 1, description: 2 }
const FIELDS: readonly WordField[] = ['name', 'labels', 'map', 'description']
/** Minimum length for typos: shorter words resemble too many other words. */
const TYPO_FROM_LENGTH = 5
/** One or two letters of an alphabet begin a large share of all words. */
const IS_SHORT = /^[\0-\u10ff]{1,2}$/

/** Maximum steps of a query. A step is a word that is looked at, an occurrence, or 32 servers of a bitset. */
const MAX_STEPS = 400_000

/** The interpretation in which no word names anything. */
const ONLY_WORDS: Interpretation = { named: new Set(), postings: [] }

export type WordIndex = ReturnType<typeof createWordIndex>

/** @param interpret finds what the words of a query name */
export function createWordIndex(slotsEnd: () => number, interpret: (words: readonly string[]) => Interpretations) {
  const vocabulary = createVocabulary()
  const tiers = createWordTiers()
  /** For each field, the servers that have a word in it, by the word's number. */
  const occurrences: Record<WordField, SlotSets> = {
    name: createSlotSets(),
    labels: createSlotSets(),
    map: createSlotSets(),
    description: createSlotSets(),
  }
  /**
   * The last query's matches, because pages and facets of one query follow each other. They are valid for one version
   * of the snapshot only: any row can change what names mean.
   */
  let last: { text: string; version: number; matches: WordMatches | undefined } | undefined

  /** Filters the numbers of words that match the query's word: returns those whose occurrences in the field count. */
  function countingIn(field: WordField, sought: string, numbers: readonly number[]): readonly number[] {
    if (field !== 'description' || numbers.length === 0 || !IS_SHORT.test(sought)) return numbers
    const whole = vocabulary.numberOf(sought)
    return whole === undefined ? [] : [whole]
  }

  function stepsToCollect(sought: string, numbers: readonly number[]): number {
    let steps = 0
    for (const field of FIELDS) steps += occurrences[field].stepsOf(countingIn(field, sought, numbers))
    return steps
  }

  /**
   * Finds the query's words in the vocabulary. Leaves out a word that is the beginning of another that is searched.
   * @returns the words found, cheapest first; the words it had no steps left for; and the steps taken
   */
  function lookUp(words: readonly string[]): { found: Sought[]; ignored: string[]; steps: number } {
    const found: Sought[] = []
    const searched = words.slice(0, MAX_WORDS)
    const ignored = words.slice(MAX_WORDS)
    let steps = 0
    for (const word of searched) {
      if (searched.some((other) => other !== word && other.startsWith(word))) continue
      if (steps >= MAX_STEPS) {
        ignored.push(word)
        continue
      }
      const exact = vocabulary.beginningWith(word)
      const hasTypos = word.length >= TYPO_FROM_LENGTH
      // The last word may be incomplete as well as misspelled.
      const misspelled = hasTypos ? vocabulary.misspelled(word, word === words.at(-1)) : { numbers: [], steps: 0 }
      steps += exact.steps + misspelled.steps
      found.push({
        word,
        exact: exact.numbers,
        misspelled: misspelled.numbers,
        steps: stepsToCollect(word, exact.numbers) + stepsToCollect(word, misspelled.numbers),
      })
    }
    return { found: found.sort((a, b) => a.steps - b.steps), ignored, steps }
  }

  /** Writes the servers of all occurrences to `sets`, by level. */
  function collect(sets: Levels, sought: string, numbers: readonly number[]): void {
    for (const set of sets) set.fill(0)
    for (const field of FIELDS) occurrences[field].unite(sets[LEVELS[field]], countingIn(field, sought, numbers))
  }

  function findAll(words: readonly string[], { sure, likely }: Interpretations): WordMatches {
    // Cursors have numbers of tiers, so the words' tiers keep theirs when the first server of a game or country comes.
    const interpretations = [sure, ONLY_WORDS, likely]
    const count = interpretations.filter((interpretation) => interpretation !== undefined).length
    tiers.begin(interpretations, slotsEnd())
    const hasServers = interpretations.map(
      (given, interpretation) => given !== undefined && tiers.hasServers(interpretation),
    )
    let { found: sought, ignored, steps } = lookUp(words)
    for (const [n, { word, ...numbers }] of sought.entries()) {
      // The cheapest word always counts: without any, all servers would match.
      if (n > 0 && steps + numbers.steps > MAX_STEPS) {
        ignored.push(word)
        continue
      }
      steps += numbers.steps + (slotsEnd() >>> 5) * count
      collect(tiers.exact(), word, numbers.exact)
      collect(tiers.misspelled(), word, numbers.misspelled)
      for (const [interpretation, given] of interpretations.entries())
        if (given && !given.named.has(word)) hasServers[interpretation] = tiers.narrow(interpretation)
      if (hasServers.includes(true)) continue
      ignored = [] // more words would not find more
      break
    }
    return { ...tiers.results(interpretations), ignored }
  }

  function addWord(word: string, field: WordField, slot: number): void {
    occurrences[field].add(vocabulary.add(word), slot)
  }

  function removeWord(word: string, field: WordField, slot: number): void {
    const number = vocabulary.numberOf(word)
    if (number === undefined) return
    occurrences[field].remove(number, slot)
    if (FIELDS.every((other) => occurrences[other].sizeOf(number) === 0)) vocabulary.remove(word)
  }

  return {
    /** Replaces the words of a slot's field. */
    set(slot: number, field: WordField, before: ReadonlySet<string>, after: ReadonlySet<string>): void {
      last = undefined
      for (const word of before) if (!after.has(word)) removeWord(word, field, slot)
      for (const word of after) if (!before.has(word)) addWord(word, field, slot)
    },
    /**
     * @param text the query
     * @param version the snapshot's version
     * @returns undefined if the query has neither words nor symbols; valid until another text is
     * searched or a row changes
     */
    find(text: string, version: number): WordMatches | undefined {
      if (last?.text === text && last.version === version) return last.matches
      const words = [...wordsAndSymbolsOf(text)]
      last = { text, version, matches: words.length > 0 ? findAll(words, interpret(words)) : undefined }
      return last.matches
    },
  }
}

const NO_WORDS: ReadonlySet<string> = new Set()

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
    if (old !== text) words.set(slot, field, old === '' ? NO_WORDS : split(old), split(text))
  }
  change('name', wordsAndSymbolsOf, (texts) => texts.name)
  change('labels', wordsOfLabels, ({ tags, mods }) => `${tags},${mods}`)
  change('description', wordsOf, (texts) => texts.description)
}
