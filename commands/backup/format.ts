// The backup file: zstd of a header line, then each table in COPY's text format between two lines; and a trailer with a
// checksum.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import * as z from 'zod'
import { reasonOf } from '../../src/platform/error-reason.ts'
import { CommandError } from '../command.ts'
import { createRowChecksum, type TableSum } from './row-checksum.ts'

const FORMAT = 'server-directory-backup'
/** Increased when the release before can't read the file. */
const VERSION = 1

/** The first line, before the tables. `zstd -dc FILE | head -1` prints it. */
const Header = z.object({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  createdAt: z.iso.datetime(),
  /** PostgreSQL's version as the server reports it. */
  postgres: z.string(),
  migrations: z.array(z.string()).min(1),
  /** Version of pg-boss' schema. */
  queueSchema: z.int(),
  partitionedQueues: z.array(z.object({ name: z.string(), policy: z.string() })),
  /** UTC days (`20261121`) that have a partition, by table. */
  days: z.record(z.string(), z.array(z.string().regex(/^\d{8}$/))),
  /** Each sequence's last value; sequences that were never used are left out. */
  sequences: z.record(z.string(), z.string()),
})
export type Header = z.infer<typeof Header>

/** Precedes a table's rows. `name` is without the schema for tables of the migrations. */
const TableLine = z.object({ table: z.string(), columns: z.array(z.string()).min(1) })
export type TableLine = z.infer<typeof TableLine>

const SumLine = z.object({ rows: z.int(), checksum: z.string() })
const LastLine = z.object({ tables: z.int() })

/** The line of COPY's end marker, which can't be a row, because backslashes in values are doubled. */
const END_LINE = Buffer.from('\\.\n')
const NEWLINE_AND_END = Buffer.concat([Buffer.from('\n'), END_LINE])

export const encodeHeader = (header: Omit<Header, 'format' | 'version'>): Buffer =>
  line({ format: FORMAT, version: VERSION, ...header })
export const encodeTable = (table: TableLine): Buffer => line(table)
export const encodeTableEnd = (sum: TableSum): Buffer => Buffer.concat([END_LINE, line(sum)])
export const encodeTrailer = (tables: number): Buffer => line({ tables })

const line = (value: object) => Buffer.from(`${JSON.stringify(value)}\n`)

/** A zstd frame that programs skip: its magic number, its length, and the SHA-256 of the file before it. */
const TRAILER_HEAD = Buffer.from([0x5b, 0x2a, 0x4d, 0x18, 32, 0, 0, 0])
const TRAILER_BYTES = TRAILER_HEAD.length + 32
const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

/** Compresses what `parts` yields and appends the trailer; waits while `to` is full. */
export async function writeBackup(parts: AsyncIterable<Buffer>, to: NodeJS.WritableStream): Promise<void> {
  await pipeline(
    parts,
    createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } }),
    async function* (compressed: AsyncIterable<Buffer>) {
      const digest = createHash('sha256')
      for await (const bytes of compressed) {
        digest.update(bytes)
        yield bytes
      }
      yield Buffer.concat([TRAILER_HEAD, digest.digest()])
    },
    to,
  )
}

/** The contents of a file in order: `rows` any number of times between a table's first and last line. */
export type Part =
  | { kind: 'header'; header: Header }
  | { kind: 'table'; table: TableLine }
  | { kind: 'rows'; bytes: Buffer }
  | { kind: 'sum'; sum: TableSum }

/** A file that can't be restored. Nothing was changed. */
class BackupFileError extends CommandError {
  override name = 'BackupFileError'
}

/**
 * Reads a backup in constant memory and checks its lines, row counts, checksums and trailer. The backup is known to be
 * complete only when the iteration has finished.
 * @throws BackupFileError naming the defect
 */
export async function* readBackup(file: string): AsyncGenerator<Part> {
  const trailer = readTrailer(file)
  const digest = createHash('sha256')
  const compressed = fs.createReadStream(file, { end: trailer.position - 1 })
  compressed.on('data', (bytes) => digest.update(bytes))
  const content = createZstdDecompress()
  const reading = pipeline(compressed, content)
  reading.catch(() => {}) // the reader of `content` gets the error too
  try {
    yield* parseContent(content, file)
    await reading
  } catch (cause) {
    throw cause instanceof BackupFileError ? cause : damaged(file, reasonOf(cause), cause)
  } finally {
    compressed.destroy()
  }
  if (!digest.digest().equals(trailer.digest)) throw damaged(file, 'its checksum differs')
}

function readTrailer(file: string): { position: number; digest: Buffer } {
  let opened: number | undefined
  try {
    opened = fs.openSync(file, 'r')
    const { size } = fs.fstatSync(opened)
    const magic = Buffer.alloc(ZSTD_MAGIC.length)
    fs.readSync(opened, magic, 0, magic.length, 0)
    if (!magic.equals(ZSTD_MAGIC)) throw new BackupFileError(`${file} is not a backup made by \`npm run backup\``)
    const trailer = Buffer.alloc(TRAILER_BYTES)
    const position = size - TRAILER_BYTES
    if (position > 0) fs.readSync(opened, trailer, 0, TRAILER_BYTES, position)
    if (!trailer.subarray(0, TRAILER_HEAD.length).equals(TRAILER_HEAD)) throw damaged(file, 'its end is missing')
    return { position, digest: trailer.subarray(TRAILER_HEAD.length) }
  } catch (cause) {
    throw cause instanceof BackupFileError
      ? cause
      : new BackupFileError(`${file} can’t be read: ${reasonOf(cause)}`, 1, cause)
  } finally {
    if (opened !== undefined) fs.closeSync(opened)
  }
}

async function* parseContent(content: AsyncIterable<Buffer>, file: string): AsyncGenerator<Part> {
  const parser = createParser(file)
  let unread: Buffer = Buffer.alloc(0)
  for await (const chunk of content) {
    const bytes = unread.length ? Buffer.concat([unread, chunk]) : chunk
    let start = 0
    for (;;) {
      const { part, end } = parser.parseNext(bytes, start)
      if (part) yield part
      if (end === start) break
      start = end
    }
    unread = bytes.subarray(start)
  }
  if (!parser.isComplete() || unread.length) throw damaged(file, 'its end is missing')
}

/** A step of the parser. */
interface Step {
  /** Undefined for a line that is only checked. */
  part?: Part
  /** The position after what was parsed; where it began if nothing whole is left. */
  end: number
}

/** Checks that the lines come in their order, and that rows match the sum after them. */
function createParser(file: string) {
  let expected = 'header' as 'header' | 'table or trailer' | 'rows' | 'sum' | 'nothing'
  let tables = 0
  let name = ''
  let checksum = createRowChecksum()

  function parseRows(bytes: Buffer, start: number): Step {
    const end = endOfRows(bytes, start)
    if (end === start && startsWithEnd(bytes, start)) {
      expected = 'sum'
      return { end: start + END_LINE.length }
    }
    if (end === start) return { end }
    const rows = bytes.subarray(start, end)
    checksum.add(rows)
    return { part: { kind: 'rows', bytes: rows }, end }
  }

  function beginTable(text: string): Part {
    const table = parseLine(TableLine, text, file)
    tables++
    name = table.table
    checksum = createRowChecksum()
    expected = 'rows'
    return { kind: 'table', table }
  }

  function endTable(text: string): Part {
    const sum = parseLine(SumLine, text, file)
    const seen = checksum.sum()
    if (sum.rows !== seen.rows || sum.checksum !== seen.checksum)
      throw damaged(file, `table ${name} does not match its checksum`)
    expected = 'table or trailer'
    return { kind: 'sum', sum }
  }

  function parseTrailer(text: string): undefined {
    if (parseLine(LastLine, text, file).tables !== tables) throw damaged(file, 'tables are missing')
    expected = 'nothing'
  }

  function parseText(text: string): Part | undefined {
    switch (expected) {
      case 'header':
        expected = 'table or trailer'
        return { kind: 'header', header: parseHeader(text, file) }
      case 'table or trailer':
        return text.startsWith('{"table"') ? beginTable(text) : parseTrailer(text)
      case 'sum':
        return endTable(text)
      default:
        throw damaged(file, 'there is data after its end')
    }
  }

  return {
    /** Parses a line, or as many whole rows as there are. */
    parseNext(bytes: Buffer, start: number): Step {
      if (expected === 'rows') return parseRows(bytes, start)
      const newline = bytes.indexOf('\n', start)
      if (newline === -1) return { end: start }
      const part = parseText(bytes.toString('utf8', start, newline))
      return part ? { part, end: newline + 1 } : { end: newline + 1 }
    },
    isComplete: () => expected === 'nothing',
  }
}

const startsWithEnd = (bytes: Buffer, start: number): boolean =>
  bytes.subarray(start, start + END_LINE.length).equals(END_LINE)

/** @returns the position of the end marker's line, or of the first row that is not whole; at least `start` */
function endOfRows(bytes: Buffer, start: number): number {
  if (startsWithEnd(bytes, start)) return start
  const newline = bytes.indexOf(NEWLINE_AND_END, start)
  return newline === -1 ? Math.max(start, bytes.lastIndexOf('\n') + 1) : newline + 1
}

function parseHeader(text: string, file: string): Header {
  const { version } = parseLine(z.looseObject({ format: z.literal(FORMAT), version: z.int() }), text, file)
  if (version > VERSION) throw new BackupFileError(`${file} was made by a newer release: restore it with that release`)
  return parseLine(Header, text, file)
}

function parseLine<T>(schema: z.ZodType<T>, text: string, file: string): T {
  try {
    return schema.parse(JSON.parse(text))
  } catch (cause) {
    throw damaged(file, 'it has an invalid line', cause)
  }
}

const damaged = (file: string, reason: string, cause?: unknown) =>
  new BackupFileError(`${file} is truncated or damaged (${reason}): make a new backup`, 1, cause)
