// Which servers' names start with a character, or have a word that does: narrows suggestions at a few bytes per server.
import { addSlot, createPosting, type Posting, removeSlot } from './posting.ts'

export interface WordStarts {
  /**
   * Replaces a slot's name.
   * @param before folded, like `after`; empty: none
   */
  set(slot: number, before: string, after: string): void
  /** Servers whose names start with the term's first character. */
  names(term: string): Posting | undefined
  /** Servers with a word that starts with the term's first character. */
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
    const initials = new Set<number>() // each once: a list would store a repeated member twice, unless it is the newest
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

/** Whether a word of the text starts with the term. */
export function beginsWord(text: string, term: string): boolean {
  for (let at = text.indexOf(term); at !== -1; at = text.indexOf(term, at + 1)) if (isWordStart(text, at)) return true
  return false
}

/** Whether a word starts here: a letter or digit after another character. */
const isWordStart = (text: string, at: number): boolean => isOfWord(text, at) && (at === 0 || !isOfWord(text, at - 1))

const LETTER_OR_DIGIT = /[\p{L}\p{N}\p{M}]/u

/** Whether the character of this code unit is a letter, a digit, or a combining mark. */
function isOfWord(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  if (unit < 128) return (unit >= 97 && unit <= 122) || (unit >= 48 && unit <= 57) // folded: no capitals
  const isSecondHalf = unit >= 0xdc00 && unit <= 0xdfff
  return LETTER_OR_DIGIT.test(String.fromCodePoint(text.codePointAt(isSecondHalf && at > 0 ? at - 1 : at) ?? unit))
}
