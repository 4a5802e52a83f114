// Tables as RFC 4180 describes them, safe to open in a spreadsheet.

type Cell = string | number | Date | null

/** Spreadsheets hide this character in front of a text, and do not evaluate the text. */
const MARK = "'"
/**
 * Spreadsheets evaluate what begins with one of these, also in full width
 * (https://owasp.org/www-community/attacks/CSV_Injection). The mark itself is among them, so that a text with one
 * comes back as it was.
 */
const NEEDS_MARK = /^['\s=+\-@＝＋－＠]/
const NEEDS_QUOTES = /[",\r\n]|\s$/

/** A table with a header row. */
export const toCsv = (head: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [head, ...rows].map(csvLine).join('')

/** Texts that a spreadsheet would evaluate have a mark in front, which `withoutFormulaGuard` takes away. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(toText).join(',')}\r\n`

function toText(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  if (cell instanceof Date) return cell.toISOString()
  const safe = NEEDS_MARK.test(cell) ? MARK + cell : cell
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** @param cell as it was read from a file that may be one of ours */
export const withoutFormulaGuard = (cell: string | undefined): string | undefined =>
  cell?.startsWith(MARK) && NEEDS_MARK.test(cell.slice(MARK.length)) ? cell.slice(MARK.length) : cell
