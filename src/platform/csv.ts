// Tables as RFC 4180 describes them.

type Cell = string | number | Date | null

/** Spreadsheets evaluate what begins with one of these, also in full width. */
const FORMULA = /^[\s=+\-@＝＋－＠]/
const NEEDS_QUOTES = /[",\r\n]/

/** With a head. Texts that a spreadsheet would evaluate have an apostrophe in front, which it hides. */
export const toCsv = (head: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [head, ...rows].map((cells) => `${cells.map(toText).join(',')}\r\n`).join('')

function toText(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  if (cell instanceof Date) return cell.toISOString()
  const safe = FORMULA.test(cell) ? `'${cell}` : cell
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
