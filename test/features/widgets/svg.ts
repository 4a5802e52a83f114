// What the images have in common in tests: names that try to break them, and their markup without words and numbers.
import fc from 'fast-check'

/** Up to 1,000 characters: markup, controls, any script, stacked accents. */
export const hostileName = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '<',
        '>',
        '&',
        '"',
        "'",
        ']]>',
        '<!--',
        '</title><script>',
        '\0',
        '\u000b',
        '\u202e',
        'ع',
        '🔥',
        '﷽',
      ),
      fc.constantFrom('Z\u0337\u0322\u0323\u0324\u0325\u0326\u0327\u0328', 'W'.repeat(400), '\ud800', '\uffff'),
      fc.string({ unit: 'binary' }),
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join('').slice(0, 1000))

export function markupOf(svg: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids them
  const forbidden = /[\u0000-\u001f\ufffe\uffff]|&(?!amp;|lt;|gt;|quot;|#39;)/.exec(svg)
  if (forbidden) return `contains ${JSON.stringify(forbidden[0])}`
  return svg.isWellFormed() ? 'well-formed' : 'contains half a character'
}

/** Elements and attributes only: equal for every name. */
export const outline = (svg: string): string =>
  svg.replace(/(<title[^>]*>)[^<>]*<|aria-label="[^"<>]*"|<text[^<>]*>[^<>]*<\/text>|\d+/g, '$1')
