// Text in SVG images: cleaned, measured and truncated, so that no name leaves its place or breaks the XML.

/** Advance widths of Verdana's characters from U+0020 to U+007E, in hundredths of the font's size. */
const VERDANA = (
  '35 39 46 82 64 108 73 27 45 45 64 82 36 45 36 45 64 64 64 64 64 64 64 64 64 64 45 45 82 82 82 55 ' +
  '100 68 69 70 77 63 57 78 75 42 45 69 56 84 75 79 60 79 70 68 62 73 68 99 69 62 69 45 45 45 82 64 ' +
  '64 60 62 52 62 60 35 62 63 27 34 59 27 97 63 61 62 62 43 52 39 63 59 82 59 59 53 63 45 63 82'
)
  .split(' ')
  .map(Number)

/** Fonts as wide as Verdana come first. */
export const FONTS = 'Verdana,DejaVu Sans,Geneva,sans-serif'

/** Maximum length of a listing's name, in code points. */
const MAX_CHARACTERS = 100

/**
 * Collapses white space, and removes characters that XML can't contain even escaped (XML 1.0 §2.2), that change the
 * direction of writing, or that are invisible. Shortens stacks of accents, which would cover the lines around them.
 * @returns at most 100 characters; `…` if none is left
 */
export function cleanText(text: string): string {
  const clean = text
    .toWellFormed()
    .replace(/\s+/gu, ' ')
    .replace(/[\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffe\uffff]/gu, '')
    .replace(/(\p{M}{6})\p{M}+/gu, '$1')
    .trim()
  return [...clean].slice(0, MAX_CHARACTERS).join('') || '…'
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
export const escapeXml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

/** A `<text>` whose measured length applies in whichever of the fonts the page has. */
export function textElement(words: string, attributes: string, fontSize: number): string {
  const length = isMeasured(words) ? ` textLength="${Math.round(widthOf(words, fontSize))}"` : ''
  return `<text ${attributes}${length}>${escapeXml(words)}</text>`
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Whether the widths of all characters are known rather than estimated. */
const isMeasured = (text: string): boolean => /^[\u0020-\u007e]+$/.test(text)

export function widthOf(text: string, fontSize: number): number {
  let ems = 0
  for (const { segment } of graphemes.segment(text)) ems += emsOf(segment)
  return ems * fontSize
}

function emsOf(grapheme: string): number {
  const measured = VERDANA[(grapheme.codePointAt(0) ?? 0) - 0x20]
  if (measured !== undefined) return measured / 100
  // Indic scripts combine several letters into one grapheme, written side by side.
  if ((grapheme.codePointAt(0) ?? 0) < 0x1100) return 0.64 * Math.max(1, grapheme.match(/[\p{L}\p{Mc}]/gu)?.length ?? 0)
  return /^\p{Emoji_Presentation}/u.test(grapheme) ? 1.35 : 1 // ideographs fill a square
}

/** @returns the text, truncated between graphemes and ended by `…` if it is wider than `maxWidth` */
export function truncate(text: string, maxWidth: number, fontSize: number): string {
  if (widthOf(text, fontSize) <= maxWidth) return text
  const available = maxWidth - widthOf('…', fontSize)
  let kept = ''
  let used = 0
  for (const { segment } of graphemes.segment(text)) {
    const next = emsOf(segment) * fontSize
    if (used + next > available) break
    kept += segment
    used += next
  }
  return `${kept.trimEnd()}…`
}
