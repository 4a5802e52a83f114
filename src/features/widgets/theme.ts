// The look of charts and banners: one style sheet, light or dark as the viewer's system is.
import { hash } from 'node:crypto'
import type { Language } from '../../platform/language.ts'
import { FONTS, textElement, truncate } from './svg-text.ts'

/** The colours of the product's pages (src/platform/http/pages/page.css). */
const STYLE =
  '.card{fill:#fff;stroke:#d9dee5}.text{fill:#1c2430}.quiet{fill:#4b5768}.grid{stroke:#e3e7ec}' +
  '.line{stroke:#1558b0;fill:none;stroke-width:1.75;stroke-linejoin:round}.area{fill:#1558b0;fill-opacity:.16}' +
  '.gap{fill:#4b5768;fill-opacity:.1}.on{fill:#1a7f37}.off{fill:#a31d1d}' +
  '@media(prefers-color-scheme:dark){.card{fill:#1b2129;stroke:#343d49}.text{fill:#e6e9ee}.quiet{fill:#a9b3c1}' +
  '.grid{stroke:#2b333d}.line{stroke:#8ab8ff}.area{fill:#8ab8ff;fill-opacity:.28}.gap{fill:#a9b3c1}.on{fill:#3fb950}.off{fill:#ff9a94}}'

/** Hash for the header that allows this style and no other. */
export const STYLE_HASH = hash('sha256', STYLE, 'base64')

/** @param title,description read aloud, without markup */
export function card(
  { width, height, title, description }: { width: number; height: number; title: string; description: string },
  content: string,
): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ` +
    `role="img" aria-labelledby="title description" font-family="${FONTS}">` +
    `<title id="title">${title}</title><desc id="description">${description}</desc><style>${STYLE}</style>` +
    `<rect class="card" x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8"/>${content}</svg>`
  )
}

export interface TextLook {
  colour: 'text' | 'quiet'
  size: number
  anchor?: 'middle' | 'end'
}

export function text(words: string, x: number, y: number, { colour, size, anchor }: TextLook): string {
  const anchored = anchor ? ` text-anchor="${anchor}"` : ''
  return textElement(words, `class="${colour}" x="${x}" y="${y}" font-size="${size}"${anchored}`, size)
}

/** Text of any length and script: truncated to its width, and clipped to it where the font is wider than estimated. */
export function boundedText(
  words: string,
  { x, y, maxWidth, look }: { x: number; y: number; maxWidth: number; look: TextLook },
): string {
  const { size } = look
  return (
    `<svg x="${x}" y="${y - 1.5 * size}" width="${maxWidth}" height="${2 * size}">` +
    `${text(truncate(words, maxWidth, size), 0, 1.5 * size, look)}</svg>`
  )
}

const formatsOf = (language: Language) => ({
  plain: new Intl.NumberFormat(language, { useGrouping: false }),
  compact: new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 }),
})
const FORMATS: Record<Language, ReturnType<typeof formatsOf>> = { en: formatsOf('en'), de: formatsOf('de') }

export const plainNumber = (value: number, language: Language): string => FORMATS[language].plain.format(value)
/** Exact up to four digits, then `12.3K`, `2.1B`: at most six characters in English, eight in German. */
export const shortNumber = (value: number, language: Language = 'en'): string =>
  value < 10_000 ? plainNumber(value, language) : FORMATS[language].compact.format(value)
