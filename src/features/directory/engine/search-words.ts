// Splits text into the words that `q=` searches.

import { createBoundedCache } from '../../../platform/bounded-cache.ts'
import { fold } from '../../../platform/fold-text.ts'

/** Maximum number of words of a query that are searched: names of 100 characters rarely have more. */
export const MAX_WORDS = 20

const WORDS = /[\p{L}\p{N}\p{M}]+/gu
/** Words, and symbols such as emoji, stars, arrows and currencies. ASCII symbols separate words like punctuation. */
const WORDS_AND_SYMBOLS = /[\p{L}\p{N}\p{M}]+|[[\p{So}\p{Sm}\p{Sc}]--[\0-\x7f]]/gv
const UNSEPARATED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu
/** For each ASCII code: 1 if the character is a letter or a digit. */
const IS_OF_WORD = Uint8Array.from({ length: 128 }, (_, code) => Number(/[a-z0-9]/i.test(String.fromCharCode(code))))

/**
 * The text's words, each once: runs of letters and digits, folded. A Chinese or Japanese character is a word, since
 * these scripts do not separate words.
 */
export const wordsOf = (text: string): Set<string> => split(fold(text), WORDS)

/** The words and symbols of a name or a query: only names are searched for symbols. */
export const wordsAndSymbolsOf = (text: string): Set<string> => split(fold(text), WORDS_AND_SYMBOLS)

function split(folded: string, pattern: RegExp): Set<string> {
  const words = new Set<string>()
  // A loop is faster than the pattern: loading a large directory takes a second less.
  let start = -1
  for (let at = 0; at < folded.length; at++) {
    const isOfWord = IS_OF_WORD[folded.charCodeAt(at)]
    if (isOfWord === undefined) return new Set(folded.replace(UNSEPARATED, ' $& ').match(pattern))
    if (isOfWord === 1) {
      if (start === -1) start = at
    } else if (start !== -1) {
      words.add(folded.slice(start, at))
      start = -1
    }
  }
  if (start !== -1) words.add(folded.slice(start))
  return words
}

/** Maximum number of texts whose words are cached: many servers share tags, mods and maps. */
const MAX_KNOWN = 4096

const knownLabels = createBoundedCache<Set<string>>(MAX_KNOWN, { memoMethod: wordsOf })
/** @param labels tags or mods @returns the same as `wordsOf`; the caller must not change it */
export const wordsOfLabels = (labels: string): ReadonlySet<string> => knownLabels.memo(labels)

const knownMaps = createBoundedCache<Set<string>>(MAX_KNOWN, { memoMethod: splitMap })
/**
 * @returns the same as `wordsOf`, and the words that the name is composed of: for `TheIsland` also `the` and `island`.
 *   The caller must not change it
 */
export const wordsOfMap = (map: string): ReadonlySet<string> => knownMaps.memo(map)

function splitMap(map: string): Set<string> {
  return wordsOf(map).union(wordsOf(map.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')))
}
