// Reads a file of servers: CSV, a JSON array, or one JSON object per line.
import fs from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { type Row, readCsv, UnreadableFile } from '../../src/features/listing-files/index.ts'
import { reasonOf } from '../../src/platform/error-reason.ts'
import { CommandError } from '../command.ts'

export interface RowFile {
  rows: AsyncIterable<Row>
  /** Share of the file that has been read, 0 to 1. */
  fraction(): number
}

/** @throws CommandError for a file that can't be read or has another format, possibly after some rows */
export async function openRows(file: string): Promise<RowFile> {
  const { size, beginning } = await look(file)
  if (!beginning) throw new CommandError(`${file} is empty`)
  if (/\.(csv|tsv|txt)$/i.test(file)) return countBytes(file, size, (stream) => csvRows(stream, file))
  if (beginning.startsWith('[')) return readArray(file)
  if (beginning.startsWith('{')) return countBytes(file, size, readLines)
  if (/\.(json|jsonl|ndjson)$/i.test(file))
    throw new CommandError(`${file} is not JSON: it must be an array of servers, or one object per line`)
  return countBytes(file, size, (stream) => csvRows(stream, file))
}

async function look(file: string): Promise<{ size: number; beginning: string }> {
  try {
    const handle = await fs.promises.open(file)
    try {
      const { size } = await handle.stat()
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(4096), 0, 4096, 0)
      return {
        size,
        beginning: buffer
          .toString('utf8', 0, bytesRead)
          .replace(/^\uFEFF/, '')
          .trim(),
      }
    } finally {
      await handle.close()
    }
  } catch (cause) {
    throw new CommandError(`${file} can’t be read: ${reasonOf(cause)}`, 1, cause)
  }
}

function countBytes(file: string, size: number, read: (stream: fs.ReadStream) => AsyncIterable<Row>): RowFile {
  const stream = fs.createReadStream(file)
  return { rows: read(stream), fraction: () => Math.min(stream.bytesRead / size, 1) }
}

async function* csvRows(stream: fs.ReadStream, file: string): AsyncGenerator<Row> {
  try {
    yield* readCsv(stream, file)
  } catch (error) {
    throw error instanceof UnreadableFile ? new CommandError(error.message, 1, error) : error
  }
}

async function* readLines(stream: fs.ReadStream): AsyncGenerator<Row> {
  let number = 0
  for await (const line of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })) {
    number++
    const text = line.replace(/^\uFEFF/, '').trim()
    if (!text) continue
    const place = `line ${number}`
    try {
      yield rowOf(place, JSON.parse(text))
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      yield { place, values: {}, problem: `is not JSON: ${error.message}` }
    }
  }
}

async function readArray(file: string): Promise<RowFile> {
  let done = 0
  const list = parseArray(file, await readFile(file, 'utf8'))
  async function* rows(): AsyncGenerator<Row> {
    for (const value of list) yield rowOf(`row ${++done}`, value)
  }
  return { rows: rows(), fraction: () => done / list.length }
}

function parseArray(file: string, text: string): unknown[] {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (cause) {
    throw new CommandError(`${file} is not JSON: ${reasonOf(cause)}`, 1, cause)
  }
}

function rowOf(place: string, value: unknown): Row {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return { place, values: value as Record<string, unknown> }
  return { place, values: {}, problem: 'must be an object' }
}
