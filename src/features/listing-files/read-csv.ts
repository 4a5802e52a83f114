// Streams the rows of a CSV file with a header.
import { StringDecoder } from 'node:string_decoder'
import type { CsvError } from 'csv-parse'
import { withoutFormulaGuard } from '../../platform/csv.ts'
import { REQUIRED, type Row } from './fields.ts'

/** Far more than a server's fields need. An unclosed quote must not read the rest of a large file into memory. */
const MAX_RECORD_BYTES = 1_000_000

/** A file that can't be read as a list of servers. The message says why, in one line. */
export class UnreadableFile extends Error {
  override name = 'UnreadableFile'
}

/** @throws UnreadableFile for an invalid header, and for an unclosed quote, after which rows can't be separated */
export async function* readCsv(source: AsyncIterable<Buffer>, file: string): AsyncGenerator<Row> {
  const records: { cells: string[]; lastLine: number }[] = []
  const { parse } = await import('csv-parse') // few processes read a file
  const parser = parse({
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    max_record_size: MAX_RECORD_BYTES,
    record_delimiter: '\n',
    // Records are taken as they are parsed: records that a stream still holds are lost if a later one is invalid.
    on_record: (cells: string[], { lines }) => {
      records.push({ cells, lastLine: lines })
      return null
    },
  })
  const broken = new Promise<Error>((resolve) => parser.once('error', resolve))
  const written = (text: string) => new Promise<undefined>((resolve) => parser.write(text, () => resolve(undefined)))
  const ended = () =>
    new Promise<undefined>((resolve) =>
      parser
        .resume()
        .once('end', () => resolve(undefined))
        .end(),
    )
  let header: string[] | undefined
  let lastLine = 0
  const take = function* () {
    for (const record of records.splice(0)) {
      lastLine = record.lastLine
      if (header) yield toListingRow(header, record.cells, lastLine)
      else header = checkHeader(record.cells, file)
    }
  }
  for await (const text of withUnixLines(source)) {
    const error = await Promise.race([broken, written(text)])
    yield* take()
    if (error) throw unreadable(error, lastLine)
  }
  const error = await Promise.race([broken, ended()])
  yield* take()
  if (error) throw unreadable(error, lastLine)
  if (!header) throw new UnreadableFile(`${file} is empty`)
}

function unreadable(error: Error, lastLine: number): Error {
  const { code } = error as CsvError
  if (code !== 'CSV_QUOTE_NOT_CLOSED' && code !== 'CSV_MAX_RECORD_SIZE') return error
  return new UnreadableFile(`a quote after line ${lastLine} is never closed: nothing after it was read`, {
    cause: error,
  })
}

/** Turns CRLF and CR into LF, so that line breaks in quotes count once, and removes the byte order mark. */
async function* withUnixLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let isFirst = true
  let held = '' // a CR at the end of a chunk may be half of a CRLF
  for await (const chunk of chunks) {
    let text = held + decoder.write(chunk)
    if (isFirst && text) {
      text = text.replace(/^\uFEFF/, '')
      isFirst = false
    }
    held = text.endsWith('\r') ? '\r' : ''
    yield (held ? text.slice(0, -1) : text).replace(/\r\n?/g, '\n')
  }
  yield (held + decoder.end()).replace('\r', '\n')
}

function checkHeader(cells: string[], file: string): string[] {
  const header = cells.map((cell) => cell.trim())
  const missing = REQUIRED.filter((field) => !header.includes(field))
  if (missing.length)
    throw new UnreadableFile(
      `${file} needs a first line with comma-separated column names; missing: ${missing.join(', ')}`,
    )
  // One pass: a file of 1 MB may have 200,000 columns.
  const [twice] =
    [...Map.groupBy(header, (field) => field)].find(([field, columns]) => field && columns.length > 1) ?? []
  if (twice) throw new UnreadableFile(`${file} has column ${twice} twice`)
  return header
}

function toListingRow(header: string[], cells: string[], lastLine: number): Row {
  const insideQuotes = cells.join('').split('\n').length - 1
  const place = `line ${lastLine - insideQuotes}`
  const surplus = cells.slice(header.length).some((cell) => cell.trim() !== '')
  if (surplus || cells.length < header.length)
    return { place, values: {}, problem: `has ${cells.length} cells, but the header has ${header.length}` }
  return { place, values: Object.fromEntries(header.map((field, index) => [field, withoutFormulaGuard(cells[index])])) }
}
