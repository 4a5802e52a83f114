// Whether a word of a text starts with a term.

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
