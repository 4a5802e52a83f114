// Splits text into the words that `q=` searches.
import { fold } from './fold.ts'

const WORD = /[\p{L}\p{N}]+/gu
const UNSEPARATED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu
const BEYOND_ASCII = /[^\0-\x7f]/

/**
 * The text's words, each once: runs of letters and digits, in lower case and without accents (compatibility
 * decomposition without combining marks). A Chinese or Japanese character is a word, since these scripts do not separate
 * words.
 */
export function wordsOf(text: string): Set<string> {
  const words = new Set<string>()
  if (BEYOND_ASCII.test(text)) {
    const plain = fold(text.normalize('NFKD'))
      .replace(/\p{M}+/gu, '')
      .replace(UNSEPARATED, ' $& ')
    for (const [word] of plain.matchAll(WORD)) words.add(word)
    return words
  }
  // A loop instead of the pattern: loading a large directory takes a second less.
  const folded = text.toLowerCase()
  let start = -1
  for (let at = 0; at <= folded.length; at++) {
    const unit = folded.charCodeAt(at)
    const isOfWord = (unit >= 97 && unit <= 122) || (unit >= 48 && unit <= 57)
    if (isOfWord) {
      if (start === -1) start = at
    } else if (start !== -1) {
      words.add(folded.slice(start, at))
      start = -1
    }
  }
  return words
}

/** Those of a map's name, and the words it is composed of: of `TheIsland` also `the` and `island`. */
export const wordsOfMap = (map: string): Set<string> =>
  new Set([...wordsOf(map), ...wordsOf(map.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' '))])
