// One folding for all texts that are compared or searched: case, accents and forms of the same letter do not count.

/** Code points that do not count, as ranges: accents and vowel points, and all that Unicode calls ignorable. */
export const IGNORED_CODE_POINTS: readonly (readonly [first: number, last: number])[] = [
  [0x0300, 0x036f], // combining diacritical marks: Latin, Greek, Cyrillic
  [0x0591, 0x05bd], // Hebrew points
  [0x05bf, 0x05bf],
  [0x05c1, 0x05c2],
  [0x05c4, 0x05c5],
  [0x05c7, 0x05c7],
  [0x0640, 0x0640], // Arabic: the stroke that lengthens a word, and vowel signs
  [0x064b, 0x065f],
  [0x0670, 0x0670],
  [0x00ad, 0x00ad], // ignorable: soft hyphen, zero-width characters, selectors of emoji, fillers, tags
  [0x061c, 0x061c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xe0000, 0xe0fff],
]

/**
 * Letters that Unicode does not decompose, and what people type for them. The final sigma is one
 * within a part of a word.
 */
export const LETTERS = new Map([
  ['ς', 'σ'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['ł', 'l'],
  ['ħ', 'h'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['þ', 'th'],
  ['ی', 'ي'], // Persian keyboards
  ['ى', 'ي'],
  ['ک', 'ك'],
])

const IS_ASCII = /^[\0-\x7f]*$/
const inRange = (codePoint: number) => `\\u{${codePoint.toString(16)}}`
const ALL_IGNORED = new RegExp(`[${IGNORED_CODE_POINTS.map((range) => range.map(inRange).join('-')).join('')}]+`, 'gu')
const ALL_LETTERS = new RegExp(`[${[...LETTERS.keys()].join('')}]`, 'g')

/**
 * The text for comparison, in Unicode NFC: equal for texts that differ only in case, accents, normalization, width or
 * ligatures. Its capitals make `ss` of `ß` and `i` of the dotless `ı`; `ẞ` has none but its lower case, `ß`.
 */
export function fold(text: string): string {
  if (IS_ASCII.test(text)) return text.toLowerCase()
  return text
    .normalize('NFKD')
    .replace(ALL_IGNORED, '')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replace(ALL_LETTERS, (letter) => LETTERS.get(letter) ?? letter)
    .normalize('NFC')
}
