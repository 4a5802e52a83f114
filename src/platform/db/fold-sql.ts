// The folding of texts in SQL, where the database compares them.
import { IGNORED_CODE_POINTS, LETTERS } from '../fold-text.ts'

const inRange = (codePoint: number) => `\\U${codePoint.toString(16).padStart(8, '0')}`
const ALL_IGNORED = `[${IGNORED_CODE_POINTS.map((range) => range.map(inRange).join('-')).join('')}]+`
const SINGLE = [...LETTERS].filter(([, typed]) => typed.length === 1)
const SEVERAL = [...LETTERS].filter(([, typed]) => typed.length > 1)

/**
 * `fold` as an SQL expression. Letters that are newer than the database's ICU keep their case.
 * @param text a column or parameter, which the expression names several times
 */
export function foldSql(text: string): string {
  const plain = `regexp_replace(normalize(${text}, nfkd), '${ALL_IGNORED}', '', 'g') collate "und-x-icu"`
  const [letters, typed] = [0, 1].map((side) => SINGLE.map((pair) => pair[side]).join(''))
  const typedAs = SEVERAL.reduce(
    (sql, [letter, pair]) => `replace(${sql}, '${letter}', '${pair}')`,
    `translate(lower(upper(lower(${plain}))), '${letters}', '${typed}')`,
  )
  // Most names are ASCII, which takes a fraction of the time.
  return `case when octet_length(${text}) = char_length(${text}) then lower(${text} collate "C")
    else normalize(${typedAs}, nfc) collate "C" end`
}
