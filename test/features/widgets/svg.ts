// What the tests of images share: names that try to break them, their markup without words and numbers, and the
// statements that they cost.
import fc from 'fast-check'
import type { QueryConfig } from 'pg'
import type { Db, Pool } from '../../../src/platform/db/pool.ts'

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
  svg.replace(/(<(?:title|desc)[^>]*>)[^<>]*<|aria-label="[^"<>]*"|<text[^<>]*>[^<>]*<\/text>|\d+/g, '$1')

/** A handle that notes the names of the statements it runs. `replaceBy` makes it run another one instead of each. */
export function countedDb(pool: Pool) {
  const asked: string[] = []
  let instead: string | undefined
  const db: Db = Object.assign(Object.create(pool), {
    query(statement: QueryConfig) {
      asked.push(statement.name ?? '')
      return pool.query(instead ?? statement)
    },
  })
  const replaceBy = (sql: string | undefined) => {
    instead = sql
  }
  return { db, asked, replaceBy }
}
