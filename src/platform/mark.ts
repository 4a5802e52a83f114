// What replaces a missing picture: initials on a colour.

/** White text is readable on each (WCAG AA, 4.5:1). */
const COLORS = [
  ...['#a3342f', '#9a4b12', '#7d5a00', '#5b6b0c', '#2c7328', '#13745a'],
  ...['#0f6e80', '#1a66a8', '#3f57b5', '#6547b3', '#8a3d9f', '#a5316f'],
] as const

/** The same for equal texts. */
export const markColor = (text: string): string => COLORS[hashOf(text) % COLORS.length] ?? COLORS[0]

const hashOf = (text: string) => [...text].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) % 65_521, 7)

/** The first letters of the first two words, or of the only one; `#` of a name without letters and digits. */
export function initialsOf(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? []
  const letters = words.slice(0, 2).map((word) => String.fromCodePoint(word.codePointAt(0) ?? 0))
  return letters.join('').toUpperCase() || '#'
}
