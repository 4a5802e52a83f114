// Cells of a CSV file that people open in a spreadsheet.

/**
 * What a spreadsheet may take for a formula (https://owasp.org/www-community/attacks/CSV_Injection), and the mark itself: what begins
 * like this is marked on the way out and unmarked on the way in, so that an export that is imported gives the same values.
 */
const FORMULA = /^['=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/
const MARK = "'"

/** RFC 4180. */
export function cellOf(value: string): string {
  const text = FORMULA.test(value) ? MARK + value : value
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** @param cell as it was read */
export const withoutMark = (cell: string | undefined): string | undefined =>
  cell?.startsWith(MARK) && FORMULA.test(cell.slice(MARK.length)) ? cell.slice(MARK.length) : cell

export const lineOf = (values: readonly string[]): string => `${values.map(cellOf).join(',')}\r\n`
