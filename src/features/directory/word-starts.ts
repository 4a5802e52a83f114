// Which servers' names begin with a character, and which have a word that does: what narrows suggestions, for a few bytes a server.
import { addSlot, createPosting, type Posting, removeSlot } from './posting.ts'

export interface WordStarts {
  /**
   * Gives a slot its name, in the place of the one it had.
   * @param before folded, as is `after`; empty: none
   */
  set(slot: number, before: string, after: string): void
  /** Servers whose names begin like the term, as far as the first character tells. */
  names(term: string): Posting | undefined
  /** Servers with a word that begins like the term, as far as the first character tells. */
  words(term: string): Posting | undefined
}

export function createWordStarts(): WordStarts {
  const names = new Map<number, Posting>()
  const words = new Map<number, Posting>()

  function change(index: Map<number, Posting>, unit: number, slot: number, how: typeof addSlot): void {
    let posting = index.get(unit)
    if (!posting) {
      posting = createPosting()
      index.set(unit, posting)
    }
    how(posting, slot)
    if (posting.size === 0) index.delete(unit)
  }

  function changeAll(name: string, slot: number, how: typeof addSlot): void {
    if (name === '') return
    change(names, name.charCodeAt(0), slot, how)
    const initials = new Set<number>() // each once: a list takes a member twice unless it is its newest
    for (let at = 0; at < name.length; at++) if (isWordStart(name, at)) initials.add(name.charCodeAt(at))
    for (const initial of initials) change(words, initial, slot, how)
  }

  return {
    set(slot, before, after) {
      if (before === after) return
      changeAll(before, slot, removeSlot)
      changeAll(after, slot, addSlot)
    },
    names: (term) => names.get(term.charCodeAt(0)),
    words: (term) => words.get(term.charCodeAt(0)),
  }
}

/** Whether the term begins a word of the text. */
export function beginsWord(text: string, term: string): boolean {
  for (let at = text.indexOf(term); at !== -1; at = text.indexOf(term, at + 1)) if (isWordStart(text, at)) return true
  return false
}

/** Whether a word begins here: a letter or digit after something else. */
const isWordStart = (text: string, at: number): boolean => isOfWord(text, at) && (at === 0 || !isOfWord(text, at - 1))

const LETTER_OR_DIGIT = /[\p{L}\p{N}\p{M}]/u

/** Whether the character that this unit belongs to is a letter, a digit, or a mark upon one. */
function isOfWord(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  if (unit < 128) return (unit >= 97 && unit <= 122) || (unit >= 48 && unit <= 57) // folded: no capitals
  const isSecondHalf = unit >= 0xdc00 && unit <= 0xdfff
  return LETTER_OR_DIGIT.test(String.fromCodePoint(text.codePointAt(isSecondHalf && at > 0 ? at - 1 : at) ?? unit))
}
