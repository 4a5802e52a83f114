// Splits text into the words that `q=` searches.
import { LRUCache } from 'lru-cache'
import { fold } from './fold.ts'

const WORD = /[\p{L}\p{N}]+/gu
const UNSEPARATED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu
/** By ASCII code: whether the character is a letter or a digit. */
const IS_OF_WORD = Uint8Array.from({ length: 128 }, (_, code) => Number(/[a-z0-9]/i.test(String.fromCharCode(code))))

/**
 * The text's words, each once: runs of letters and digits, in lower case and without accents (compatibility
 * decomposition without combining marks). A Chinese or Japanese character is a word, since these scripts do not separate
 * words.
 */
export function wordsOf(text: string): Set<string> {
  const words = new Set<string>()
  // A loop instead of the pattern: loading a large directory takes a second less.
  const folded = text.toLowerCase()
  let start = -1
  for (let at = 0; at < folded.length; at++) {
    const isOfWord = IS_OF_WORD[folded.charCodeAt(at)]
    if (isOfWord === undefined) return wordsOfUnicode(text)
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

function wordsOfUnicode(text: string): Set<string> {
  const plain = fold(text.normalize('NFKD'))
    .replace(/\p{M}+/gu, '')
    .replace(UNSEPARATED, ' $& ')
  return new Set(plain.match(WORD))
}

/** Texts that many servers share are split once. */
const MOST_KNOWN = 4096

const knownLabels = new LRUCache<string, Set<string>>({ max: MOST_KNOWN, memoMethod: wordsOf })
/** @param labels tags or mods. @returns as `wordsOf`; must not change */
export const wordsOfLabels = (labels: string): ReadonlySet<string> => knownLabels.memo(labels)

const knownMaps = new LRUCache<string, Set<string>>({ max: MOST_KNOWN, memoMethod: splitMap })
/**
 * @returns as `wordsOf`, and the words that the name is composed of: of `TheIsland` also `the` and `island`; must not
 *   change
 */
export const wordsOfMap = (map: string): ReadonlySet<string> => knownMaps.memo(map)

function splitMap(map: string): Set<string> {
  return wordsOf(map).union(wordsOf(map.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')))
}
