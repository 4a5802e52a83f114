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

/** COPY's end marker, which can't be a row, because backslashes in values are doubled. */
const END_OF_ROWS = '\\.'

export const encodeHeader = (header: Omit<Header, 'format' | 'version'>): Buffer =>
  line({ format: FORMAT, version: VERSION, ...header })
export const encodeTable = (table: TableLine): Buffer => line(table)
export const encodeTableEnd = (sum: TableSum): Buffer => Buffer.concat([Buffer.from(`${END_OF_ROWS}\n`), line(sum)])
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
  let expected = 'header' as 'header' | 'table' | 'rows' | 'sum' | 'nothing'
  let tables = 0
  let name = ''
  let checksum = createRowChecksum()
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of content) {
    const bytes = rest.length ? Buffer.concat([rest, chunk]) : chunk
    let lineStart = 0
    let rowsStart = 0
    const rows = (): Part => {
      const run = bytes.subarray(rowsStart, lineStart)
      checksum.add(run)
      return { kind: 'rows', bytes: run }
    }
    for (let end = bytes.indexOf('\n'); end >= 0; end = bytes.indexOf('\n', lineStart)) {
      const length = end - lineStart
      if (expected === 'rows') {
        if (length === END_OF_ROWS.length && bytes.toString('latin1', lineStart, end) === END_OF_ROWS) {
          if (rowsStart < lineStart) yield rows()
          expected = 'sum'
        }
      } else {
        const text = bytes.toString('utf8', lineStart, end)
        if (expected === 'header') {
          yield { kind: 'header', header: parseHeader(text, file) }
          expected = 'table'
        } else if (expected === 'sum') {
          const [sum, seen] = [parseLine(SumLine, text, file), checksum.sum()]
          if (sum.rows !== seen.rows || sum.checksum !== seen.checksum)
            throw damaged(file, `table ${name} does not match its checksum`)
          yield { kind: 'sum', sum }
          expected = 'table'
        } else if (expected === 'table' && !text.startsWith('{"table"')) {
          if (parseLine(LastLine, text, file).tables !== tables) throw damaged(file, 'tables are missing')
          expected = 'nothing'
        } else if (expected === 'table') {
          const table = parseLine(TableLine, text, file)
          yield { kind: 'table', table }
          tables++
          name = table.table
          checksum = createRowChecksum()
          expected = 'rows'
          rowsStart = end + 1
        } else throw damaged(file, 'there is data after its end')
      }
      lineStart = end + 1
    }
    if (expected === 'rows' && rowsStart < lineStart) yield rows()
    rest = bytes.subarray(lineStart)
  }
  if (expected !== 'nothing' || rest.length) throw damaged(file, 'its end is missing')
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
